import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/** Of one thing, each event is recorded at most once for a hook. */
export async function findToldTwice(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select resource_id as id, format('event %s was recorded %s times for hook %s', resource_seq, count(*), hook_id) as problem
    from notifications group by resource_id, resource_seq, hook_id having count(*) > 1
    limit ${limit}`
}

/** The notifications of one thing, in the order of its events, carry instants that never go back. */
export async function findTimeGoingBack(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select resource_id as id, format('event %s is of %s, the one before of %s', resource_seq, at, at_before) as problem
    from (
      select resource_id, resource_seq, at, lag(at) over (partition by hook_id, resource_id order by resource_seq) as at_before
      from (
        -- Timestamps of one form go as their letters do, and reading each body as JSON takes several times as long.
        select hook_id, resource_id, resource_seq,
          substr(body, strpos(body, '"createdAt":"') + length('"createdAt":"'), length('2026-01-01T00:00:00Z')) collate "C" as at
        from notifications) as n) as n
    where at < at_before
    limit ${limit}`
}

/**
 * Each change of a subscription is told exactly once to each hook that listens for it: what the rows say happened is
 * compared with what was recorded. Only hooks untouched since before the subscription began, and only subscriptions
 * whose notifications are all still kept: UUIDv7s tell the order and the day of their making, in real time.
 */
export async function findUntold(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with moved as (
      select subscription_id, count(*) filter (where status = 'SUCCEEDED') as succeeded,
        count(*) filter (where status in ('DECLINED_SOFT', 'DECLINED_HARD')) as refused
      from charges group by subscription_id),
    given_back as (
      select subscription_id, count(*) as refunded
      from (
        select invoice_id from refunds where status = 'SUCCEEDED'
        union all
        -- One that came back later was told, and is FAILED in its row: the ledger remembers it.
        select invoice_id from ledger_transactions where kind = 'REFUND_RETURN') as r
      join invoices using (invoice_id) group by subscription_id),
    happened as (
      select s.subscription_id, s.app_id, s.business_id, s.resource_seq,
        case when s.trial_end_at is not null and s.phase = 'FULL' then 1 else 0 end as phases,
        case when s.status = 'ENDED' then 1 else 0 end as ends,
        coalesce(m.succeeded, 0) as succeeded, coalesce(m.refused, 0) as refused, coalesce(g.refunded, 0) as refunded
      from subscriptions as s left join moved as m using (subscription_id) left join given_back as g using (subscription_id)
      where to_timestamp(('x' || left(replace(s.subscription_id::text, '-', ''), 12))::bit(48)::bigint / 1000)
        >= (select min(recorded_day) from notifications)),
    expected as (
      select h.hook_id, s.subscription_id, phases, ends, succeeded, refused, refunded, resource_seq
      from happened as s
      join hooks as h on h.app_id = s.app_id and h.active and h.created_at = h.updated_at
        and h.hook_id < s.subscription_id and (h.business_id is null or h.business_id = s.business_id)),
    told as (
      select hook_id, resource_id, count(*) as all_told,
        count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_START') as start_told,
        count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_PHASE_CHANGE') as phase_told,
        count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_END') as end_told,
        count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS') as success_told,
        count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS') as refund_told,
        count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL') as fail_told
      from notifications group by hook_id, resource_id),
    -- Added up, not joined: PostgreSQL cannot guess how many are expected, and would look through all that was told for each.
    compared as (
      select hook_id, subscription_id, sum(phases) as phases, sum(ends) as ends, sum(succeeded) as succeeded,
        sum(refused) as refused, sum(refunded) as refunded, sum(resource_seq) as events, sum(all_told) as all_told,
        sum(start_told) as start_told, sum(phase_told) as phase_told, sum(end_told) as end_told,
        sum(success_told) as success_told, sum(refund_told) as refund_told, sum(fail_told) as fail_told
      from (
        select hook_id, subscription_id, phases, ends, succeeded, refused, refunded, resource_seq, 0 as all_told, 0 as start_told,
          0 as phase_told, 0 as end_told, 0 as success_told, 0 as refund_told, 0 as fail_told
        from expected
        union all
        select hook_id, resource_id, 0, 0, 0, 0, 0, null, all_told, start_told, phase_told, end_told, success_told, refund_told,
          fail_told
        from told) as both_sides
      -- What is not expected has no count of events.
      group by hook_id, subscription_id having count(resource_seq) > 0)
    select subscription_id as id,
      format('%s: %s recorded for hook %s, %s to %s happened', event_type, told, hook_id, least, most) as problem
    from compared join hooks using (hook_id) cross join lateral (values
      ('START', start_told, 1, 1), ('PHASE_CHANGE', phase_told, phases, phases), ('END', end_told, ends, ends),
      ('PAYMENT_SUCCESS', success_told, succeeded, succeeded), ('REFUND_SUCCESS', refund_told, refunded, refunded),
      -- One that was given up, told as refused, and paid after all is a success in its row.
      ('PAYMENT_FAIL', fail_told, refused, refused + succeeded),
      ('all events', all_told, events, events)) as e (event_type, told, least, most)
    where (told < least or told > most) and case when event_type = 'all events'
      -- A hook that names every billing event hears as many as there were.
      then (select count(*) from unnest(event_types) as t where t like 'APPLICATION#_SUBSCRIPTION#_%' escape '#') = 11
      else 'APPLICATION_SUBSCRIPTION_' || event_type = any(event_types) end
    limit ${limit}`
}
