import type { Sql } from '../../platform/db/db.ts'
import { part, send } from '../../platform/db/sql.ts'
import { AN_EARLIER_ONE_WAITS } from './claim.ts'

/** First attempts that are due and that no process has taken. */
export interface Untaken {
  /** Absent where all are taken. */
  readonly oldestDueAt?: Date
  /** In how many apps there is one that has been due since `overdueSince`. */
  readonly overdueApps: number
  /** How many apps have a queue, of hooks that listen. One that has none is served, or has nothing to tell. */
  readonly apps: number
}

/**
 * Half of what a claim takes of any hook that has nothing under way. Claims take the oldest first: where one of these is left, the hook has room
 * that nobody fills.
 */
const OLDEST = 4

/**
 * Of hooks that are well. What waits for a place behind attempts under way, or for an earlier one of its resource, waits for its listener
 * and is left out: it tells of our own lag alone. Reads `hooks` and `hook_health`.
 */
export async function findUntaken(
  sql: Sql,
  { now, overdueSince }: { now: Date; overdueSince: Date },
): Promise<Untaken> {
  const [row] = await send<{ oldestDueAt: Date | null; overdueApps: number; apps: number }[]>(
    sql,
    part`
    with recursive queues as (
      (select d.hook_id from deliveries as d order by d.hook_id limit 1)
      union all
      select (select d.hook_id from deliveries as d where d.hook_id > q.hook_id order by d.hook_id limit 1)
      from queues as q where q.hook_id is not null),
    listening as materialized (
      select h.hook_id, h.app_id from queues as q join hooks as h on h.hook_id = q.hook_id and h.active),
    untaken as materialized (
      select q.app_id, o.due_at
      from listening as q
      cross join lateral (
        select min(d.due_at) as due_at
        from (
          select d.hook_id, d.resource_id, d.resource_seq, d.due_at, d.leased_until from deliveries as d
          where d.hook_id = q.hook_id and d.lane = 'FIRST' and d.due_at <= ${now}
          order by d.due_at
          limit ${OLDEST}) as d
        where (d.leased_until is null or d.leased_until <= ${now}) and not ${AN_EARLIER_ONE_WAITS}) as o
      where not exists (select 1 from hook_health as b where b.hook_id = q.hook_id))
    select
      (select min(due_at) from untaken) as "oldestDueAt",
      (select count(distinct app_id) from untaken where due_at <= ${overdueSince}) as "overdueApps",
      (select count(distinct app_id) from listening) as apps`,
  )
  const { oldestDueAt = null, overdueApps = 0, apps = 0 } = row ?? {}
  return { ...(oldestDueAt === null ? {} : { oldestDueAt }), overdueApps, apps }
}
