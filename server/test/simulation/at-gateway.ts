import { stepOf } from '../../src/core/payable.ts'
import { settle } from '../../src/gateway/sandbox/confirm.ts'
import { signEvent } from '../../src/gateway/sandbox/event.ts'
import { refundAtGateway } from '../../src/gateway/sandbox/refund.ts'
import type { Play } from './play.ts'
import { EVENT_SECRET } from './stage.ts'

/** Reconciliation looks after refunds for 30 days; an event of an older one that came back is the only word of it. */
const COMES_BACK_WITHIN_MS = 25 * 86_400_000

/** The bank, or the payer, answers at last. */
export async function bankAnswers(play: Play): Promise<void> {
  const { random } = play
  const { db, clock } = play.stage
  const open = await db.sql<{ gatewayChargeId: string; key: string }[]>`
    select gateway_charge_id as "gatewayChargeId", key from sandbox_confirmations
    where outcome ->> 'kind' in ('pending', 'actionRequired') order by key`
  if (open.length === 0) return
  const outcome = random.chance(0.6)
    ? ({ kind: 'succeeded' } as const)
    : ({ kind: 'declined', severity: 'soft', code: 'insufficient_funds' } as const)
  play.say(`the bank answers: ${outcome.kind}`)
  play.turns++
  const one = random.pick(open)
  await settle({ db, clock }, { ...one, outcome })
  if (random.chance(0.7)) tell(play, outcome.kind, one.gatewayChargeId)
}

/** Somebody gives money back by the gateway's own pages, and the gateway mostly gets to tell us. */
export async function refundThere(play: Play): Promise<void> {
  const { random } = play
  const { db, clock } = play.stage
  const paid = await db.sql<{ gatewayChargeId: string; invoiceId: string; amount: number; currency: string }[]>`
    select gateway_charge_id as "gatewayChargeId", metadata ->> 'invoiceId' as "invoiceId", amount, currency
    from sandbox_charges where succeeded_key is not null order by gateway_charge_id`
  if (paid.length === 0) return
  const { gatewayChargeId, invoiceId, amount: charged, currency } = random.pick(paid)
  const step = stepOf(currency)
  const amount = random.pick([step, Math.ceil(charged / 3 / step) * step, charged])
  play.say(`${amount} of ${charged} are given back at the gateway itself, of ${invoiceId}`)
  play.turns++
  play.movedElsewhere.add(invoiceId)
  await refundAtGateway({ db, clock }, { gatewayChargeId, id: `${play.turns}`, amount })
  if (random.chance(0.7)) tell(play, 'refunded', gatewayChargeId)
}

/** A refund that had succeeded comes back, as when the card was closed. */
export async function refundComesBack(play: Play): Promise<void> {
  const { db } = play.stage
  const since = new Date(play.now().getTime() - COMES_BACK_WITHIN_MS)
  const made = await db.sql<{ gatewayChargeId: string; key: string; invoiceId: string }[]>`
    select gateway_charge_id as "gatewayChargeId", r.key, metadata ->> 'invoiceId' as "invoiceId"
    from sandbox_refunds as r join sandbox_charges using (gateway_charge_id)
    where outcome ->> 'kind' = 'succeeded' and refunded_at >= ${since} order by gateway_charge_id, r.key`
  if (made.length === 0) return
  const { gatewayChargeId, key, invoiceId } = play.random.pick(made)
  play.say(`a refund of ${invoiceId} comes back`)
  play.turns++
  play.movedElsewhere.add(invoiceId)
  await db.sql`
    update sandbox_refunds set outcome = '{"kind": "failed", "code": "expired_or_canceled_card"}'
    where gateway_charge_id = ${gatewayChargeId} and key = ${key}`
  tell(play, 'refundFailed', gatewayChargeId)
}

/** The gateway posts one of its events: in no order, some twice, and again as long as nobody has answered. */
export async function tellEvent(play: Play, { isLast = false } = {}): Promise<void> {
  const { wire } = play.stage
  if (wire.events.length === 0) return
  const event = play.random.pick(wire.events)
  const isAgain = !isLast && play.random.chance(0.3)
  const worker = play.worker()
  play.say(`${worker.life.name} is told: ${event.kind}, event ${event.eventId}`)
  const { payload, headers } = signEvent(event, EVENT_SECRET)
  const sent = { ...(headers as Record<string, string>), 'content-type': 'application/json' }
  play.spawn(worker, 'event', async () => {
    const { status, text } = await worker.ask('POST', '/gateways/sandbox/events', payload, sent)
    if (status !== 200) play.stage.faults.push(`event ${event.eventId}: ${text}`)
    else if (!isAgain) wire.events.splice(0, wire.events.length, ...wire.events.filter(one => one !== event))
  })
}

/** Mostly the gateway gets to tell us of what happened there. */
export function tell({ stage: { wire }, turns }: Play, kind: string, gatewayChargeId: string): void {
  wire.events.push({ eventId: `${turns}`, kind, gatewayChargeId })
}
