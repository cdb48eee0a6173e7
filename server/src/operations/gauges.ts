import type { Sql } from '../db/db.ts'

/** What waits, and since when: one statement, each part of it served by an index. */
export interface Gauges {
  /** Deliveries whose first or next attempt is due, and the age of the oldest in seconds. */
  readonly deliveriesDue: number
  readonly oldestDeliverySeconds: number
  readonly chargesUnsettled: number
  readonly chargesUnknown: number
  readonly refundsUnsettled: number
  /** Of real time: renewals, retries and ends that are due. */
  readonly subscriptionsDue: number
  readonly setAside: number
}

/** Reading more than this to say "many" would itself be a load. */
const MANY = 10_000

export async function readGauges(sql: Sql, now: Date): Promise<Gauges> {
  const [row] = await sql<Gauges[]>`
    select
      (select count(*) from (select 1 from deliveries where due_at <= ${now} limit ${MANY}) as due) as "deliveriesDue",
      coalesce((select extract(epoch from ${now}::timestamptz - min(due_at)) from deliveries where due_at <= ${now}), 0)::float8
        as "oldestDeliverySeconds",
      (select count(*) from (select 1 from charges where look_at is not null and settled_at is null limit ${MANY}) as u) as "chargesUnsettled",
      (select count(*) from charges where look_at is not null and status = 'UNKNOWN') as "chargesUnknown",
      (select count(*) from (select 1 from refunds where look_at is not null limit ${MANY}) as u) as "refundsUnsettled",
      (select count(*) from (
        select 1 from subscriptions where next_action_at <= ${now} and test_clock_id is null limit ${MANY}) as due)
        as "subscriptionsDue",
      (select count(*) from set_aside where blocked_until > ${now}) as "setAside"`
  if (!row) throw new Error('the gauges gave no row')
  return row
}
