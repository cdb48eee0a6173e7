import type { Sql } from '../../src/platform/db/db.ts'
import type { Thing } from '../support/stripe/state.ts'
import type { Discrepancy } from './at-gateway.ts'

interface Ours {
  readonly invoiceId: string
  readonly paid: number
  readonly refunded: number
}

/**
 * Compares our books with Stripe's, invoice by invoice. After each step: only one intent can take money, and our books are never ahead. At the
 * end of a run: every charge and refund is booked to the cent, no void invoice was charged, and every decision of a bank is known.
 */
export async function findDiscrepancies(
  sql: Sql,
  things: (object: string) => readonly Thing[],
  { atRest, but }: { atRest: boolean; but: ReadonlySet<string> },
): Promise<readonly Discrepancy[]> {
  const ours = await sql<Ours[]>`
    select invoice_id as "invoiceId", amount_paid as paid, amount_refunded as refunded from invoices order by 1`
  const intents = Map.groupBy(things('payment_intent'), ({ metadata }) => String(metadata.invoiceId))
  const found = ours.flatMap(({ invoiceId, paid, refunded }) => {
    const all = intents.get(invoiceId) ?? []
    const theirs = sumsOf(all, things('refund'))
    const isAhead = paid > theirs.taken || refunded > theirs.refunded
    const isApart = paid !== theirs.taken || refunded !== theirs.refunded
    const problems = [
      all.filter(isPaid).length > 1 && 'taken twice',
      all.filter(({ status }) => status !== 'canceled').length > 1 && 'two intents that can be paid',
      (atRest ? isApart : isAhead && !but.has(invoiceId)) &&
        `Stripe took ${theirs.taken} and gave back ${theirs.refunded}; we say ${paid} and ${refunded}`,
    ]
    return problems.flatMap(problem => (problem ? [{ id: invoiceId, problem }] : []))
  })
  const known = new Set(ours.map(({ invoiceId }) => invoiceId))
  const strange = [...intents.keys()].filter(id => !known.has(id))
  return [
    ...found,
    ...strange.map(id => ({ id, problem: 'an intent of no invoice' })),
    ...(atRest ? await undecided(sql, things('dispute')) : []),
  ]
}

const isPaid = ({ amount_received: received }: Thing) => received > 0

function sumsOf(intents: readonly Thing[], refunds: readonly Thing[]): { taken: number; refunded: number } {
  const ids = new Set(intents.map(({ id }) => id))
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const made = refunds.filter(({ payment_intent: of, status }) => ids.has(of) && status === 'succeeded')
  return {
    taken: sum(intents.map(({ amount_received: received }) => received)),
    refunded: sum(made.map(({ amount }) => amount)),
  }
}

async function undecided(sql: Sql, disputes: readonly Thing[]): Promise<readonly Discrepancy[]> {
  const ours = await sql<{ id: string; status: string }[]>`
    select gateway_dispute_id as id, status from disputes order by 1`
  const lost = new Set(ours.filter(({ status }) => status === 'LOST').map(({ id }) => id))
  return disputes.flatMap(({ id, status }) => {
    const isApart = status === 'needs_response' ? false : lost.has(id) !== (status === 'lost')
    return isApart ? [{ id, problem: `${status} at Stripe, ${lost.has(id) ? 'LOST' : 'not lost'} here` }] : []
  })
}
