import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/** Each term's invoices begin with period 0, and each next one begins where the one before ended. */
export async function findUntiledPeriods(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select invoice_id as id,
      format('period %s from %s follows period %s to %s', period_index, period_start, index_before, end_before) as problem
    from (
      select invoice_id, period_index, period_start, lag(period_index) over term as index_before,
        lag(period_end) over term as end_before
      from invoices window term as (partition by subscription_id, term order by period_index, invoice_id)) as i
    where period_index <> coalesce(index_before, -1) + 1 or period_start <> coalesce(end_before, period_start)
    limit ${limit}`
}

/** The current period of a paid subscription has its invoice, for the same time. */
export async function findUnbilledPeriods(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select s.subscription_id as id, format('term %s, period %s has no invoice for its time', s.term, s.period_index) as problem
    from subscriptions as s
    where s.phase = 'FULL' and s.amount > 0 and not exists (
      select 1 from invoices as i
      where i.subscription_id = s.subscription_id and i.term = s.term and i.period_index = s.period_index
        and i.period_start = s.current_period_start and i.period_end = s.current_period_end)
    limit ${limit}`
}
