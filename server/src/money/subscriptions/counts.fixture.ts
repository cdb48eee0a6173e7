import type { Sql } from '../../platform/db/db.ts'

/** Lists each list, status and span whose count differs from the subscriptions. Empty when all counts are right. */
export async function countsThatDisagree(sql: Sql): Promise<readonly object[]> {
  const wrong = await sql`
    with stored as (
      select list_id, status, span, begins_at, count as n from subscription_counts
      union all
      select list_id, status, span, begins_at, change
      from subscription_count_changes cross join lateral (values
        (app_id, 'ALL', timestamptz '-infinity'), (plan_id, 'ALL', '-infinity'),
        (app_id, 'DAY', date_trunc('day', minute_at, 'UTC')), (plan_id, 'DAY', date_trunc('day', minute_at, 'UTC')),
        (app_id, 'MINUTE', minute_at)) as spans (list_id, span, begins_at)),
    counted as (
      select list_id, status, span, begins_at, 1 as n
      from subscriptions cross join lateral (values
        (app_id, 'ALL', timestamptz '-infinity'), (plan_id, 'ALL', '-infinity'),
        (app_id, 'DAY', date_trunc('day', created_at, 'UTC')), (plan_id, 'DAY', date_trunc('day', created_at, 'UTC')),
        (app_id, 'MINUTE', date_trunc('minute', created_at, 'UTC'))) as spans (list_id, span, begins_at))
    select list_id, status, span, begins_at, sum(stored) as stored, sum(counted) as counted from (
      select list_id, status, span, begins_at, n as stored, 0 as counted from stored
      union all
      select list_id, status, span, begins_at, 0, n from counted) as both_sides
    group by list_id, status, span, begins_at having sum(stored) <> sum(counted)`
  return [...wrong]
}

export async function countsAgree(sql: Sql): Promise<boolean> {
  return (await countsThatDisagree(sql)).length === 0
}
