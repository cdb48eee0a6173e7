import type { Sql } from '../../platform/db/db.ts'
import { type Part, part, send } from '../../platform/db/sql.ts'

/*
 * What was booked, without adding up the entries: the table ledger_totals has the sums of each plan, month and kind. New entries
 * are noted beside it by a trigger of the table, in the transaction that appends them, and added to the totals by `foldTotals`.
 * Whoever reads takes both, by one statement: in its snapshot each entry is in one of them.
 */

/** Sums of bookings in minor units, each counted as people count it: what came in, went back, was kept and was credited. */
export interface Sums {
  readonly charges: number
  readonly charged: number
  /** Less those that came back, here as in `refunded`: below 0 where more came back in a month than went. */
  readonly refunds: number
  readonly refunded: number
  /** By payers' banks. */
  readonly chargedBack: number
  /** The operator's, of what was charged less of what went back. */
  readonly share: number
  /** Credit that merchants were given, less what they have used of it. */
  readonly credited: number
  /** What is the organization's: charged − refunded − chargedBack − share − credited. */
  readonly net: number
}

export interface Balance extends Sums {
  readonly currency: string
}

/** What an organization's merchants brought in, all of it: a balance a currency. `live`: of merchants, not of test merchants. */
export async function listBalances(sql: Sql, of: { organizationId: string; live: boolean }): Promise<Balance[]> {
  const where = part`organization_id = ${of.organizationId} and live = ${of.live}`
  return await send<Balance[]>(
    sql,
    part`select currency, ${SUMS} from ${booked(where)} group by currency order by currency`,
  )
}

/** The same of all organizations together. */
export async function listAllBalances(sql: Sql, live: boolean): Promise<Balance[]> {
  const where = part`live = ${live}`
  return await send<Balance[]>(
    sql,
    part`select currency, ${SUMS} from ${booked(where)} group by currency order by currency`,
  )
}

export interface MonthOfBalance extends Balance {
  /** `YYYY-MM`. */
  readonly month: string
  /** What was owed when the month began, and when it ended. */
  readonly opening: number
  readonly closing: number
}

/** Each month and currency in which something was booked, the newest month first. */
export async function listMonths(sql: Sql, of: { organizationId: string; live: boolean }): Promise<MonthOfBalance[]> {
  const where = part`organization_id = ${of.organizationId} and live = ${of.live}`
  return await send<MonthOfBalance[]>(
    sql,
    part`
      select currency, month, charges, charged, refunds, refunded, "chargedBack", share, credited, net, closing, closing - net as opening
      from (
        select currency, to_char(month, 'YYYY-MM') as month, ${SUMS},
          (sum(-sum(organization)) over (partition by currency order by month))::bigint as closing
        from ${booked(where)} group by currency, month) as months
      order by month desc, currency`,
  )
}

export interface PlanOfMonth extends Balance {
  readonly appId: string
  /** As the app and the plan are called now. */
  readonly appName: string
  readonly planId: string
  readonly planName: string
}

export interface MonthOfPlans {
  readonly openings: readonly { readonly currency: string; readonly opening: number }[]
  readonly lines: readonly PlanOfMonth[]
}

/** What was booked of each plan in a month, and what was owed before. Every currency that there was up to then has an opening. */
export async function readMonth(
  sql: Sql,
  of: { organizationId: string; live: boolean; month: string; currency?: string },
): Promise<MonthOfPlans> {
  const month = `${of.month}-01`
  const ofCurrency = of.currency === undefined ? part`` : part`and currency = ${of.currency}`
  const where = part`
    organization_id = ${of.organizationId} and live = ${of.live} and month <= ${month}::date ${ofCurrency}`
  // One statement, so that opening and lines are of one moment. Those of the months before are one row a currency.
  const rows = await send<(Balance & { [Key in 'appId' | 'appName' | 'planId' | 'planName']: string | null })[]>(
    sql,
    part`
      select m.currency, m."appId", m."planId", m.charges, m.charged, m.refunds, m.refunded, m."chargedBack", m.share, m.credited, m.net,
        a.name as "appName", p.name as "planName"
      from (
        select currency, case when month = ${month}::date then app_id end as "appId",
          case when month = ${month}::date then plan_id end as "planId", ${SUMS}
        from ${booked(where)} group by 1, 2, 3) as m
      left join apps as a on a.app_id = m."appId"
      left join plans as p on p.plan_id = m."planId"
      order by m.currency, m."appId", m."planId"`,
  )
  const before = new Map(rows.filter(({ planId }) => planId === null).map(({ currency, net }) => [currency, net]))
  const currencies = [...new Set(rows.map(({ currency }) => currency))]
  return {
    openings: currencies.map(currency => ({ currency, opening: before.get(currency) ?? 0 })),
    lines: rows.filter(({ planId }) => planId !== null) as readonly PlanOfMonth[],
  }
}

/** Enough for what a busy second brings, and little enough to be done in a moment. */
const CHANGES_AT_ONCE = 10_000

/**
 * Adds noted changes to the totals and takes them away. Returns how many; call again until 0. Any number of processes may run it
 * at once: each takes other changes, and all go through the totals in one order.
 */
export async function foldTotals(sql: Sql): Promise<number> {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      delete from ledger_total_changes
      where ctid = any(array(select ctid from ledger_total_changes limit ${CHANGES_AT_ONCE} for update skip locked))
      returning organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator,
        business_credit),
    folded as (
      insert into ledger_totals as t (
        organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator,
        business_credit)
      select organization_id, live, currency, month, app_id, plan_id, kind, sum(count), sum(gateway), sum(organization),
        sum(operator), sum(business_credit)
      from taken
      group by organization_id, live, currency, month, app_id, plan_id, kind
      order by organization_id, live, currency, month, plan_id, kind
      on conflict (organization_id, live, currency, month, plan_id, kind) do update set
        count = t.count + excluded.count, gateway = t.gateway + excluded.gateway,
        organization = t.organization + excluded.organization, operator = t.operator + excluded.operator,
        business_credit = t.business_credit + excluded.business_credit)
    select count(*) as taken from taken`
  return row?.taken ?? 0
}

/** What is folded and what is noted, as one table. */
const booked = (where: Part) => part`
  (select currency, month, app_id, plan_id, kind, count, gateway, organization, operator, business_credit
    from ledger_totals where ${where}
    union all
    select currency, month, app_id, plan_id, kind, count, gateway, organization, operator, business_credit
    from ledger_total_changes where ${where}) as booked`

/** Debits are positive in the books: what is owed, kept or credited stands there as a negative amount. */
const SUMS = part`
  coalesce(sum(count) filter (where kind = 'CHARGE'), 0)::bigint as charges,
  coalesce(sum(gateway) filter (where kind = 'CHARGE'), 0)::bigint as charged,
  coalesce(sum(case kind when 'REFUND' then count when 'REFUND_RETURN' then -count end), 0)::bigint as refunds,
  coalesce(-sum(gateway) filter (where kind in ('REFUND', 'REFUND_RETURN')), 0)::bigint as refunded,
  coalesce(-sum(gateway) filter (where kind in ('CHARGEBACK', 'CHARGEBACK_RETURN')), 0)::bigint as "chargedBack",
  (-sum(operator))::bigint as share,
  (-sum(business_credit))::bigint as credited,
  (-sum(organization))::bigint as net`
