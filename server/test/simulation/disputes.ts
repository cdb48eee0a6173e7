import { disputeAtGateway, type SandboxDispute } from '../../src/money/gateway/sandbox/payments.ts'
import { emitEvent } from './faulty-gateway.ts'
import type { Play } from './play.ts'

/** The payer's bank opens a dispute, decides an open dispute, or reverses a lost dispute. */
export async function disputeThere(play: Play): Promise<void> {
  const { random } = play
  const { db, clock } = play.stage
  const known = await db.sql<(SandboxDispute & { invoiceId: string })[]>`
    select gateway_charge_id as "gatewayChargeId", d.dispute_id as "disputeId", d.amount, d.status, metadata ->> 'invoiceId' as "invoiceId"
    from sandbox_disputes as d join sandbox_charges using (gateway_charge_id)
    where d.status <> 'won' order by d.dispute_id`
  const paid = await db.sql<{ gatewayChargeId: string; invoiceId: string; amount: number }[]>`
    select gateway_charge_id as "gatewayChargeId", metadata ->> 'invoiceId' as "invoiceId", amount
    from sandbox_charges where succeeded_key is not null order by gateway_charge_id`
  if (paid.length === 0) return
  const isNew = known.length === 0 || random.chance(0.5)
  const { invoiceId, ...dispute } = isNew ? begun() : decided()
  play.say(`dispute ${dispute.disputeId} of ${dispute.amount}, of ${invoiceId}, is ${dispute.status}`)
  play.turns++
  play.movedElsewhere.add(invoiceId)
  await disputeAtGateway({ db, clock }, dispute)
  if (random.chance(0.7)) emitEvent(play, 'disputed', dispute.gatewayChargeId)

  function begun(): SandboxDispute & { invoiceId: string } {
    const { amount, ...charge } = random.pick(paid)
    const part = random.pick([amount, amount, Math.ceil(amount / 2)])
    return { ...charge, disputeId: `dp_${play.turns}`, amount: part, status: random.pick(['open', 'lost', 'lost']) }
  }

  function decided(): SandboxDispute & { invoiceId: string } {
    const one = random.pick(known)
    return { ...one, status: one.status === 'lost' ? 'won' : random.pick(['won', 'lost', 'lost']) }
  }
}
