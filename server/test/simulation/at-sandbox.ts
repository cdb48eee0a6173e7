import type { Clock } from '../../src/core/clock.ts'
import { stepOf } from '../../src/core/credit.ts'
import type { NewId } from '../../src/core/id.ts'
import type { TestGateway } from '../../src/money/gateway/gateway.ts'
import { settle } from '../../src/money/gateway/sandbox/payments.ts'
import { signEvent } from '../../src/money/gateway/sandbox/sandbox.ts'
import type { Db, Sql } from '../../src/platform/db/db.ts'
import { refundAtGateway } from '../support/sandbox-bench.ts'
import type { AtGateway, Discrepancy } from './at-gateway.ts'
import { disputeThere } from './disputes.ts'
import { emitEvent, faultyGateway, type Wire } from './faulty-gateway.ts'
import type { Play } from './play.ts'

/**
 * Reconciliation compares refunds for 30 days. The return of an older refund would be known by its event alone, so older refunds do not return.
 */
export const COMES_BACK_WITHIN_MS = 25 * 86_400_000

const TOKENS = [
  ...['tok_ok', 'tok_ok', 'tok_ok', 'tok_insufficient_funds', 'tok_insufficient_funds', 'tok_stolen', 'tok_pending'],
  ...['tok_fail_after_1', 'tok_fail_after_1', 'tok_fail_after_1'],
  ...['tok_timeout_then_ok', 'tok_timeout_then_declined', 'tok_action_required', 'tok_refund_fails'],
]

export interface SandboxOptions {
  readonly db: Db
  readonly clock: Clock
  readonly wire: Wire
  /** Signs the events. */
  readonly eventSecret: string
  newId: NewId
}

interface AtSandbox extends AtGateway {
  open(...its: Parameters<AtGateway['open']>): TestGateway
}

export function atSandbox(options: SandboxOptions): AtSandbox {
  return {
    name: 'sandbox',
    businessTypes: ['MERCHANT', 'TEST_MERCHANT'],
    tokens: TOKENS,
    open: (_db, schedule) => faultyGateway(options, schedule),
    begin() {},
    collectEvents() {},
    sign: event => signEvent(event, options.eventSecret),
    bankAnswers,
    refundThere,
    refundComesBack,
    disputeThere,
    findDiscrepancies: async (sql, { atRest }) =>
      atRest ? [...(await unknownTo(sql)), ...(await undecided(sql))] : [],
  }
}

/** The bank or the payer decides about an open charge. */
async function bankAnswers(play: Play): Promise<void> {
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
  if (random.chance(0.7)) emitEvent(play, outcome.kind, one.gatewayChargeId)
}

/** Refunds at the gateway's dashboard; the gateway usually sends an event. */
async function refundThere(play: Play): Promise<void> {
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
  if (random.chance(0.7)) emitEvent(play, 'refunded', gatewayChargeId)
}

/** The bank returns a successful refund, as if the card was closed. */
async function refundComesBack(play: Play): Promise<void> {
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
  emitEvent(play, 'refundFailed', gatewayChargeId)
}

/** At the end of a run no work is open that could excuse a difference: we know every payment of the gateway. */
async function unknownTo(sql: Sql): Promise<readonly Discrepancy[]> {
  return await sql<Discrepancy[]>`
    select g.metadata ->> 'invoiceId' as id, 'the gateway took money that we do not know of' as problem
    from sandbox_charges as g
    where g.succeeded_key is not null and not exists (
      select 1 from charges as c where c.invoice_id = (g.metadata ->> 'invoiceId')::uuid and c.status = 'SUCCEEDED')`
}

/** We know every decision of the bank, with or without an event. */
async function undecided(sql: Sql): Promise<readonly Discrepancy[]> {
  return await sql<Discrepancy[]>`
    select s.dispute_id as id, format('%s at the gateway, %s here', s.status, coalesce(d.status, 'unknown')) as problem
    from sandbox_disputes as s left join disputes as d on d.gateway_dispute_id = s.dispute_id
    where s.status = 'lost' and d.status is distinct from 'LOST' or s.status = 'won' and d.status = 'LOST'
    order by s.dispute_id`
}
