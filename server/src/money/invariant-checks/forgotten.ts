import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/** Whatever is live will be looked at again: by its own timer, or because a charge that is under way is awaited. */
export async function findForgotten(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select subscription_id as id, 'live, with neither a timer nor a charge that is under way' as problem
    from subscriptions as s
    where s.status = 'ACTIVE' and s.next_action_at is null and not exists (
      select 1 from charges as c where c.charge_id = s.awaited_charge_id and c.settled_at is null)
    union all
    select subscription_id, 'awaits a charge that is settled, or that there is not'
    from subscriptions as s
    where s.status = 'ACTIVE' and s.awaited_charge_id is not null and not exists (
      select 1 from charges as c where c.charge_id = s.awaited_charge_id and c.settled_at is null)
    union all
    select i.invoice_id, 'OPEN, and nobody will ask for it: its subscription is ' ||
      case when s.status = 'ENDED' then 'over' else 'current and awaits no charge' end
    from invoices as i join subscriptions as s using (subscription_id)
    where i.status = 'OPEN' and (s.status = 'ENDED' or (s.payment_status = 'CURRENT' and s.awaited_charge_id is null))
    limit ${limit}`
}

/** Nothing has been due for longer than a loop takes. Rows of test clocks wait for their clock; quarantined rows wait for their retry. */
export async function findOverdue(sql: Sql, { limit, now, overdueMs }: Bounds): Promise<readonly Violation[]> {
  const since = new Date(now.getTime() - overdueMs)
  return await sql<Violation[]>`
    select id, format('%s, due since %s', kind, due) as problem from (
      select subscription_id as id, 'subscription' as kind, next_action_at as due from subscriptions
      where next_action_at <= ${since} and test_clock_id is null and failures = 0
      union all
      select charge_id, 'charge', next_poll_at from charges where next_poll_at <= ${since} and failures = 0
      union all
      select refund_id, 'refund', next_poll_at from refunds where next_poll_at <= ${since} and failures = 0) as due
    limit ${limit}`
}
