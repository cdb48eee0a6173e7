import type { Violation } from '../../src/money/invariant-checks/checks.ts'
import type { Sql } from '../../src/platform/db/db.ts'

interface Seen {
  readonly id: string
  readonly status: string
  readonly resourceSeq: number
  readonly isApproved: boolean
  /** The events recorded for the hook that receives all orders, in order. */
  readonly recorded: readonly string[]
  readonly recordedSeqs: readonly number[]
}

/**
 * Each change of an order is recorded once, in order, if the merchant approved the app, and otherwise not at all. A closed order never
 * changes. `before`: the orders at the last check.
 */
export async function findOrderViolations(sql: Sql, before: Map<string, Seen>): Promise<readonly Violation[]> {
  const orders = await sql<Seen[]>`
    select o.order_id as id, o.status, o.resource_seq as "resourceSeq", a.business_id is not null as "isApproved",
      n.recorded, n.seqs as "recordedSeqs"
    from orders as o cross join hooks as h
    left join approvals as a on a.business_id = o.business_id and a.app_id = h.app_id
    cross join lateral (
      select coalesce(array_agg(event_type order by resource_seq), '{}') as recorded,
        coalesce(array_agg(resource_seq order by resource_seq), '{}') as seqs
      from notifications where resource_id = o.order_id and hook_id = h.hook_id) as n
    where 'ORDER_OPENED' = any(h.event_types) order by 1`
  return orders.flatMap(order => {
    const { id } = order
    const last = before.get(id)
    before.set(id, order)
    return problemsOf(order, last).map(problem => ({ id, problem }))
  })
}

function problemsOf(
  { status, resourceSeq, isApproved, recorded, recordedSeqs }: Seen,
  last: Seen | undefined,
): string[] {
  const problems = []
  const seqs = isApproved ? Array.from({ length: resourceSeq }, (_, n) => n + 1) : []
  if (recordedSeqs.join() !== seqs.join()) problems.push(`recorded ${recordedSeqs}; ${seqs} happened`)
  // Opened once, closed at most once, and nothing but updates between.
  const closed = status === 'OPENED' ? [] : [`ORDER_${status}`]
  const expected = ['ORDER_OPENED', ...Array(resourceSeq - 1 - closed.length).fill('ORDER_UPDATED'), ...closed]
  if (isApproved && recorded.join() !== expected.join()) problems.push(`${status}, and recorded ${recorded}`)
  if (last === undefined) return problems
  if (last.resourceSeq > resourceSeq) problems.push(`event ${resourceSeq}, before that ${last.resourceSeq}`)
  const isChanged = last.status !== status || last.resourceSeq !== resourceSeq
  if (last.status !== 'OPENED' && isChanged) problems.push(`${last.status}, and then ${status}`)
  return problems
}

/** The simulation sends nothing here: every recorded notification stays queued. */
export async function findUnqueued(sql: Sql): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select notification_id as id, event_type || ' is recorded, and waits nowhere to be sent' as problem
    from notifications where not exists (
      select 1 from deliveries where deliveries.notification_id = notifications.notification_id)
    order by 1 limit 10`
}
