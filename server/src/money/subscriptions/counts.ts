import type { SubscriptionStatus } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part } from '../../platform/db/sql.ts'

/*
 * How long the lists of an app and of a plan are, and where in them an instant or an offset lies, without counting the
 * subscriptions. The table subscription_counts has a count for each status: of all, of each day and, for apps, of each
 * minute (UTC) of `created_at`. Changes are noted beside it by a trigger of the table subscriptions, in the transaction that
 * makes them, and added to the counts by `foldCounts`. Whoever reads takes both, by one statement: in its snapshot each
 * change is in one of them.
 */

/** The subscriptions of an app, or of one of its plans, that have one of these statuses: in order of created_at and id. */
export interface CountedList {
  readonly appId: string
  readonly planId?: string
  readonly statuses: readonly SubscriptionStatus[]
}

/** An expression: how many subscriptions the list has. */
export const totalOf = (list: CountedList) => part`
  (select coalesce(sum(n), 0)::integer from (
    select count as n from subscription_counts where ${counted(list)} and span = 'ALL'
    union all
    select change from subscription_count_changes where ${changed(list)}) as noted)`

/** The shortest span of which the list has counts. Within it, whoever wants to know more counts subscriptions. */
export const finestSpan = ({ planId }: CountedList) => (planId === undefined ? part`'minute'` : part`'day'`)

/** An expression: how many subscriptions of the list were created before the finest span that holds `at`. */
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
 * Common table expressions that end in `span (begins_at, before)`: the finest span that holds the subscription at this
 * offset, and how many of the list come before that span. It has no row when the list is not as long.
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

/** Enough for what a busy second brings, and little enough to be done in a moment. */
const CHANGES_AT_ONCE = 10_000

/**
 * Adds noted changes to the counts and takes them away. Returns how many; call again until 0. Any number of processes may
 * run it at once: each takes other changes, and all go through the counts in one order.
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

/** A plan is of one app: in the lists of another it is not, and has no counts there. */
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
