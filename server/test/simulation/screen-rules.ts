import type { PurchaseStatus } from '../../src/core/purchase.ts'
import type { Violation } from '../../src/money/invariant-checks/checks.ts'
import type { Sql } from '../../src/platform/db/db.ts'
import type { Screen } from './screens.ts'

interface Seen {
  readonly purchaseId: string
  readonly status: PurchaseStatus
  readonly isInTime: boolean
  readonly isOver: boolean
  readonly subscriptionId: string | null
  readonly invoiceId: string | null
  /** The amount of the invoice. Null: no invoice was issued. */
  readonly amount: number | null
  /** Subscriptions whose bundle is the purchase, without those whose first payment was declined. */
  readonly brought: number
  /** Purchases that name its invoice. */
  readonly sharers: number
  readonly isOwnInvoice: boolean
}

/**
 * A purchase completes once or not at all: in time, at most for the price that was shown, with an invoice of its own. A reported end never
 * changes, unless the first payment was declined: then the purchase is open again.
 */
export async function findPurchaseViolations(
  sql: Sql,
  { screens, now, atRest }: { screens: readonly Screen[]; now: Date; atRest: boolean },
): Promise<readonly Violation[]> {
  const seen = await sql<Seen[]>`
    select p.purchase_id as "purchaseId", p.status, p.subscription_id as "subscriptionId", p.invoice_id as "invoiceId",
      i.amount, p.status not in ('COMPLETED', 'CANCELLED') or p.ended_at < p.expires_at as "isInTime",
      p.status = 'OPEN' and p.expires_at <= ${now} as "isOver",
      (select count(*) from subscriptions as s where s.bundle_id = p.purchase_id and s.end_reason is distinct from 'NOT_STARTED') as brought,
      (select count(*) from purchases as other where other.invoice_id = p.invoice_id) as sharers,
      p.invoice_id is null or i.subscription_id = p.subscription_id as "isOwnInvoice"
    from purchases as p left join invoices as i using (invoice_id) order by p.purchase_id`
  const declined = await sql<{ id: string }[]>`
    select subscription_id as id from subscriptions where end_reason = 'NOT_STARTED'`
  const isDeclined = new Set(declined.map(({ id }) => id))
  const of = new Map(screens.map(screen => [screen.purchaseId, screen]))
  const there = new Map(seen.map(purchase => [purchase.purchaseId, purchase]))
  return [
    ...seen.flatMap(purchase => problemsOf(purchase, of.get(purchase.purchaseId), atRest)),
    ...screens.flatMap(screen => differsFromReport(screen, there.get(screen.purchaseId), isDeclined)),
  ]
}

function problemsOf(purchase: Seen, screen: Screen | undefined, atRest: boolean): Violation[] {
  const { purchaseId: id, status, amount, brought, subscriptionId, sharers } = purchase
  const isBought = status === 'COMPLETED'
  const agreed = screen?.pressed
  const problems = [
    !purchase.isInTime && `${status} when its time was over`,
    atRest && purchase.isOver && 'over, and still OPEN',
    brought > (isBought ? 1 : 0) && `${status}, and brought ${brought} subscriptions`,
    isBought && subscriptionId === null && 'COMPLETED, and brought no subscription',
    sharers > 1 && `${sharers} purchases name its invoice`,
    !purchase.isOwnInvoice && 'its invoice is of another subscription',
    isBought && agreed === undefined && 'COMPLETED, and nobody pressed',
    isBought && agreed && (amount ?? 0) > agreed.amount && `${amount} for what was shown as ${agreed.amount}`,
  ]
  return problems.flatMap(problem => (problem ? [{ id, problem }] : []))
}

/** An incomplete purchase is deleted after some days. One whose first payment was declined is open again. */
function differsFromReport(
  { purchaseId: id, reported }: Screen,
  seen: Seen | undefined,
  isDeclined: ReadonlySet<string>,
): Violation[] {
  if (reported === undefined || isDeclined.has(reported.subscriptionId ?? '')) return []
  if (seen === undefined)
    return reported.status === 'COMPLETED' ? [{ id, problem: 'reported as COMPLETED, and not there' }] : []
  const words = (one: { status: string; invoiceId?: string | null; subscriptionId?: string | null }) =>
    `${one.status}, subscription ${one.subscriptionId ?? null}, invoice ${one.invoiceId ?? null}`
  return words(reported) === words(seen)
    ? []
    : [{ id, problem: `reported as ${words(reported)}; it is ${words(seen)}` }]
}
