import { TEST_EVENT_TYPE } from '../../core/event.ts'
import type { Find, Violation } from './checks.ts'

/** An event of a resource is recorded once per hook. Tests of a hook have no sequence. */
export const findDuplicateEvents: Find = (sql, { limit }) => sql<Violation[]>`
  select resource_id as id, format('event %s was recorded %s times for hook %s', resource_seq, count(*), hook_id) as problem
  from notifications where event_type <> ${TEST_EVENT_TYPE}
  group by resource_id, resource_seq, hook_id having count(*) > 1
  limit ${limit}`

/** The events of a resource, by sequence, have timestamps that never go back. Tests of a hook have no sequence. */
export const findEventsOutOfOrder: Find = (sql, { limit }) => sql<Violation[]>`
  select resource_id as id, format('event %s is of %s, the one before of %s', resource_seq, at, at_before) as problem
  from (
    select resource_id, resource_seq, at, lag(at) over (partition by hook_id, resource_id order by resource_seq) as at_before
    from (
      -- Timestamps of one format sort as text. Parsing each body as JSON takes several times as long.
      select hook_id, resource_id, resource_seq,
        substr(body, strpos(body, '"createdAt":"') + length('"createdAt":"'), length('2026-01-01T00:00:00Z')) collate "C" as at
      from notifications where event_type <> ${TEST_EVENT_TYPE}) as n) as n
  where at < at_before
  limit ${limit}`

/**
 * Every change of a subscription has exactly one notification per listening hook: the rows are compared with the notifications. Covers hooks
 * unchanged since before the subscription began and subscriptions whose notifications are all kept: UUIDv7 gives order and day of creation.
 */
export const findMissingEvents: Find = (sql, { limit }) => sql<Violation[]>`
  with moved as (
    select subscription_id, count(*) filter (where status = 'SUCCEEDED') as succeeded,
      count(*) filter (where status in ('DECLINED_SOFT', 'DECLINED_HARD')) as declined
    from charges group by subscription_id),
  refunded as (
    select subscription_id, count(*) as refunded
    from (
      select invoice_id from refunds where status = 'SUCCEEDED'
      union all
      -- A refund that failed after its success has an event and is FAILED in its row: the ledger shows it.
      select invoice_id from ledger_transactions where kind = 'REFUND_RETURN') as r
    join invoices using (invoice_id) group by subscription_id),
  happened as (
    select s.subscription_id, s.app_id, s.business_id, s.resource_seq,
      case when s.trial_end_at is not null and s.phase = 'FULL' then 1 else 0 end as phases,
      case when s.status = 'PENDING' or s.end_reason = 'NOT_STARTED' then 0 else 1 end as starts,
      case when s.status = 'ENDED' and s.end_reason <> 'NOT_STARTED' then 1 else 0 end as ends,
      coalesce(m.succeeded, 0) as succeeded, coalesce(m.declined, 0) as declined, coalesce(g.refunded, 0) as refunded
    from subscriptions as s left join moved as m using (subscription_id) left join refunded as g using (subscription_id)
    where to_timestamp(('x' || left(replace(s.subscription_id::text, '-', ''), 12))::bit(48)::bigint / 1000)
      >= (select min(recorded_day) from notifications)),
  expected as (
    select h.hook_id, s.subscription_id, starts, phases, ends, succeeded, declined, refunded, resource_seq
    from happened as s
    join hooks as h on h.app_id = s.app_id and h.active and h.created_at = h.updated_at
      and h.hook_id < s.subscription_id and (h.business_id is null or h.business_id = s.business_id)),
  recorded as (
    select hook_id, resource_id, count(*) as all_recorded,
      count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_START') as starts_recorded,
      count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_PHASE_CHANGE') as phases_recorded,
      count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_END') as ends_recorded,
      count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS') as successes_recorded,
      count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS') as refunds_recorded,
      count(*) filter (where event_type = 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL') as failures_recorded
    from notifications group by hook_id, resource_id),
  -- A sum instead of a join: PostgreSQL misjudges the number of expected rows, and would scan all recorded events for each.
  compared as (
    select hook_id, subscription_id, sum(starts) as starts, sum(phases) as phases, sum(ends) as ends, sum(succeeded) as succeeded,
      sum(declined) as declined, sum(refunded) as refunded, sum(resource_seq) as events, sum(all_recorded) as all_recorded,
      sum(starts_recorded) as starts_recorded, sum(phases_recorded) as phases_recorded, sum(ends_recorded) as ends_recorded,
      sum(successes_recorded) as successes_recorded, sum(refunds_recorded) as refunds_recorded, sum(failures_recorded) as failures_recorded
    from (
      select hook_id, subscription_id, starts, phases, ends, succeeded, declined, refunded, resource_seq, 0 as all_recorded, 0 as starts_recorded,
        0 as phases_recorded, 0 as ends_recorded, 0 as successes_recorded, 0 as refunds_recorded, 0 as failures_recorded
      from expected
      union all
      select hook_id, resource_id, 0, 0, 0, 0, 0, 0, null, all_recorded, starts_recorded, phases_recorded, ends_recorded, successes_recorded, refunds_recorded,
        failures_recorded
      from recorded) as both_sides
    -- Only expected rows have an event count.
    group by hook_id, subscription_id having count(resource_seq) > 0)
  select subscription_id as id,
    format('%s: %s recorded for hook %s, %s to %s happened', event_type, recorded, hook_id, least, most) as problem
  from compared join hooks using (hook_id) cross join lateral (values
    ('START', starts_recorded, starts, starts), ('PHASE_CHANGE', phases_recorded, phases, phases), ('END', ends_recorded, ends, ends),
    ('PAYMENT_SUCCESS', successes_recorded, succeeded, succeeded), ('REFUND_SUCCESS', refunds_recorded, refunded, refunded),
    -- A charge that was given up (an event of failure) and paid late is a success in its row.
    ('PAYMENT_FAIL', failures_recorded, declined, declined + succeeded),
    ('all events', all_recorded, events, events)) as e (event_type, recorded, least, most)
  where (recorded < least or recorded > most) and case when event_type = 'all events'
    -- A hook that lists every billing event has as many notifications as events happened.
    then (select count(*) from unnest(event_types) as t where t like 'APPLICATION#_SUBSCRIPTION#_%' escape '#') = 11
    else 'APPLICATION_SUBSCRIPTION_' || event_type = any(event_types) end
  limit ${limit}`
