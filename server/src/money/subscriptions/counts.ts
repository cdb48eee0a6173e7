import type { SubscriptionStatus } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part } from '../../platform/db/sql.ts'

/**
 * Totals and offsets of lists without counting subscriptions. The table subscription_counts holds a count per status:
 * of a whole list, of each day and, for apps, of each minute (UTC) of `created_at`. A trigger appends changes to
 * subscription_count_changes in the transaction of the change, and `foldCounts` adds them to the counts. Every reader
 * uses both tables in one statement, so each change counts once.
 */

/** The subscriptions of an app or of a plan in some statuses, in list order. */
export interface CountedList {
  readonly appId: string
  readonly planId?: string
  readonly statuses: readonly SubscriptionStatus[]
}

/** SQL: the length of the list. */
export const totalOf = (list: CountedList) => part`
  (select coalesce(sum(n), 0)::integer from (
    select count as n from subscription_counts where ${counted(list)} and span = 'ALL'
    union all
    select change from subscription_count_changes where ${changed(list)}) as noted)`

/** The shortest span that has counts. Within it, subscriptions are counted. */
export const finestSpan = ({ planId }: CountedList) => (planId === undefined ? part`'minute'` : part`'day'`)

/** SQL: the number of subscriptions before the finest span that holds `at`. */
export const beforeSpanOf = (list: CountedList, at: Part) => part`
  (select coalesce(sum(n), 0)::bigint from (
    select count as n from subscription_counts
    where ${counted(list)} and span = 'DAY' and begins_at < date_trunc('day', ${at}, 'UTC')
    union all
    select count from subscription_counts
    where ${counted(list)} and span = 'MINUTE'
      and begins_at >= date_trunc('day', ${at}, 'UTC') and begins_at < date_trunc('minute', ${at}, 'UTC')
    union all
    select change from subscription_count_changes
    where ${changed(list)} and minute_at < date_trunc(${finestSpan(list)}, ${at}, 'UTC')) as noted)`

/**
 * Common table expressions that end in `span (begins_at, before)`: the finest span that holds this offset, and the
 * number of subscriptions before it. Empty if the list is shorter.
 */
export function spanAt(list: CountedList, offset: number): Part {
  const day = part`
    select begins_at, before from (
      select begins_at, sum(n) as n, sum(sum(n)) over (order by begins_at) - sum(n) as before from (
        select begins_at, count as n from subscription_counts where ${counted(list)} and span = 'DAY'
        union all
        select date_trunc('day', minute_at, 'UTC'), change from subscription_count_changes where ${changed(list)}
      ) as noted group by begins_at) as walked
    where before <= ${offset} and ${offset} < before + n`
  if (list.planId !== undefined) return part`span as (${day})`
  return part`
    day as (${day}),
    span as (
      select begins_at, before from (
        select begins_at, sum(n) as n,
          (select before from day) + sum(sum(n)) over (order by begins_at) - sum(n) as before
        from (
          select begins_at, count as n from subscription_counts
          where ${counted(list)} and span = 'MINUTE' and begins_at >= (select begins_at from day)
            and begins_at < (select begins_at + interval '24 hours' from day)
          union all
          select minute_at, change from subscription_count_changes
          where ${changed(list)} and minute_at >= (select begins_at from day)
            and minute_at < (select begins_at + interval '24 hours' from day)
        ) as noted group by begins_at) as walked
      where before <= ${offset} and ${offset} < before + n)`
}

/** About the changes of a busy second. */
const CHANGES_AT_ONCE = 10_000

/**
 * Adds changes to the counts and deletes them. Returns the number of changes; call again until 0. Any number of
 * processes may run it: each process takes different changes, and all update the counts in one order.
 */
export async function foldCounts(sql: Sql): Promise<number> {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      delete from subscription_count_changes
      where ctid = any(array(
        select ctid from subscription_count_changes limit ${CHANGES_AT_ONCE} for update skip locked))
      returning app_id, plan_id, status, minute_at, change),
    spans as (
      select list_id, status, 'ALL' as span, timestamptz '-infinity' as begins_at, change
      from taken cross join lateral (values (app_id), (plan_id)) as lists (list_id)
      union all
      select list_id, status, 'DAY', date_trunc('day', minute_at, 'UTC'), change
      from taken cross join lateral (values (app_id), (plan_id)) as lists (list_id)
      union all
      select app_id, status, 'MINUTE', minute_at, change from taken),
    folded as (
      insert into subscription_counts as c (list_id, status, span, begins_at, count)
      select list_id, status, span, begins_at, sum(change) from spans
      group by list_id, status, span, begins_at
      order by list_id, span, status, begins_at
      on conflict (list_id, span, status, begins_at) do update set count = c.count + excluded.count)
    select count(*) as taken from taken`
  return row?.taken ?? 0
}

/** A plan belongs to one app, and has no counts in the lists of another. */
function counted({ appId, planId, statuses }: CountedList): Part {
  if (planId === undefined) return part`list_id = ${appId} and status = any(${statuses as string[]}::text[])`
  return part`
    list_id = (select plan_id from plans where plan_id = ${planId} and app_id = ${appId})
    and status = any(${statuses as string[]}::text[])`
}

function changed({ appId, planId, statuses }: CountedList): Part {
  const ofApp = part`app_id = ${appId} and status = any(${statuses as string[]}::text[])`
  return planId === undefined ? ofApp : part`${ofApp} and plan_id = ${planId}`
}
