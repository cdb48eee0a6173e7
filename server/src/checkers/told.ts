import type { Sql } from '../db/db.ts'
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
        select hook_id, resource_id, resource_seq, (body::jsonb ->> 'createdAt')::timestamptz as at
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
    with happened as (
      select s.subscription_id, s.app_id, s.business_id, s.resource_seq,
        case when s.trial_end_at is not null and s.phase = 'FULL' then 1 else 0 end as phases,
        case when s.status = 'ENDED' then 1 else 0 end as ends,
        c.succeeded, c.refused, r.refunded
      from subscriptions as s
      cross join lateral (
        select count(*) filter (where status = 'SUCCEEDED') as succeeded,
          count(*) filter (where status in ('REFUSED_SOFT', 'REFUSED_HARD')) as refused
        from charges where charges.subscription_id = s.subscription_id) as c
      cross join lateral (
        -- One that came back later was told, and is FAILED in its row: the ledger remembers it.
        select (select count(*) from refunds join invoices using (invoice_id)
            where invoices.subscription_id = s.subscription_id and refunds.status = 'SUCCEEDED')
          + (select count(*) from ledger_transactions as t join invoices using (invoice_id)
            where invoices.subscription_id = s.subscription_id and t.kind = 'REFUND_RETURN') as refunded) as r
      where to_timestamp(('x' || left(replace(s.subscription_id::text, '-', ''), 12))::bit(48)::bigint / 1000)
        >= (select min(recorded_day) from notifications)),
    expected as (
      select subscription_id, app_id, business_id, event_type, least, most
      from happened cross join lateral (values
        ('START', 1, 1), ('PHASE_CHANGE', phases, phases), ('END', ends, ends),
        ('PAYMENT_SUCCESS', succeeded, succeeded), ('REFUND_SUCCESS', refunded, refunded),
        -- One that was given up, told as refused, and paid after all is a success in its row.
        ('PAYMENT_FAIL', refused, refused + succeeded)) as e (event_type, least, most)
      union all
      select subscription_id, app_id, business_id, null, resource_seq, resource_seq from happened),
    heard as (
      select e.subscription_id, e.event_type, e.least, e.most, h.hook_id
      from expected as e join hooks as h on h.app_id = e.app_id and h.active and h.created_at = h.updated_at
        and h.hook_id < e.subscription_id and (h.business_id is null or h.business_id = e.business_id)
      where case when e.event_type is null
        -- A hook that names every billing event hears as many as there were.
        then (select count(*) from unnest(h.event_types) as t where t like 'APPLICATION#_SUBSCRIPTION#_%' escape '#') = 11
        else 'APPLICATION_SUBSCRIPTION_' || e.event_type = any(h.event_types) end)
    select subscription_id as id,
      format('%s: %s recorded for hook %s, %s to %s happened', coalesce(event_type, 'all events'), told, hook_id, least, most) as problem
    from heard cross join lateral (
      select count(*) as told from notifications as n
      where n.hook_id = heard.hook_id and n.resource_id = heard.subscription_id
        and (heard.event_type is null or n.event_type = 'APPLICATION_SUBSCRIPTION_' || heard.event_type)) as n
    where told < least or told > most
    limit ${limit}`
}
