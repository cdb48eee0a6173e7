import { CLOCKS_APART_MS } from '../../core/delivery.ts'
import { dayOfId, firstIdAt, instantOfId } from '../../core/id.ts'
import type { Sql } from '../../platform/db/db.ts'
import { demandPlans, endDemands } from '../../platform/db/sql.ts'
import type { Redelivery } from './redelivery.ts'

/**
 * A job goes in the order of ids, and what happened to one resource may have ids in another order, as processes have clocks of their own. Of
 * those that are queued now for their first attempt, what happened before to the same resource, for the same hook, and is behind the last of them: where it
 * was never tried either it goes with them, or they would be tried before it. Within the end of the range. Reads `deliveries`,
 * `notifications` and `attempts`; inside a transaction. The offset keeps the hook from being looked up by an index that does not know the resource.
 */
export async function findEarlier(
  sql: Sql,
  queued: readonly string[],
  { endAt }: Pick<Redelivery, 'endAt'>,
): Promise<string[]> {
  const last = queued.toSorted().at(-1)
  if (last === undefined) return []
  const beyond = firstIdAt(new Date(instantOfId(last).getTime() + CLOCKS_APART_MS))
  await demandPlans(sql, { plans: 'once' })
  const rows = await sql<{ notificationId: string }[]>`
    with untried as materialized (
      select d.hook_id, d.resource_id, max(d.resource_seq) as resource_seq from deliveries as d
      where d.notification_id = any(${queued as string[]}::uuid[]) and d.lane = 'FIRST'
      group by d.hook_id, d.resource_id)
    select n.notification_id as "notificationId"
    from untried as u
    cross join lateral (
      select e.recorded_day, e.notification_id, e.hook_id, e.resource_seq, e.recorded_at from notifications as e
      where (e.resource_id, e.notification_id) > (u.resource_id, ${last}::uuid)
        and (e.resource_id, e.notification_id) < (u.resource_id, ${beyond}::uuid)
        and e.recorded_day >= ${dayOfId(last)}::text::date and e.recorded_day <= ${dayOfId(beyond)}::text::date
      order by e.resource_id, e.notification_id
      offset 0) as n
    where n.hook_id = u.hook_id and n.resource_seq < u.resource_seq and n.recorded_at < ${endAt}
      and not exists (
        select 1 from attempts as t where t.recorded_day = n.recorded_day and t.notification_id = n.notification_id)`
  await endDemands(sql)
  return rows.map(({ notificationId }) => notificationId)
}
