import type { Sql } from '../../platform/db/db.ts'
import { type Part, part, send } from '../../platform/db/sql.ts'

/*
 * `ledger_totals` has the sums of each plan, month and kind. A trigger appends new bookings to `ledger_total_changes` in their transaction, and
 * `foldTotals` adds the changes to the totals. A reader takes both tables in one statement: each booking is in one of them.
 */

/** Sums of bookings in minor units. */
export interface Sums {
  readonly charges: number
  readonly charged: number
  /** Failed refunds are subtracted, also from `refunded`: below 0 when more failed in a month than were made. */
  readonly refunds: number
  readonly refunded: number
  /** By payers' banks. */
  readonly chargedBack: number
  /** The operator's share of charges, less its share of returns. */
  readonly share: number
  /** Credit granted to merchants, less credit used. */
  readonly credited: number
  /** Collected, less the tax of returned money and credit. Owed to the tax office. */
  readonly tax: number
  /** Fees of the gateway that the organization bears. */
  readonly fees: number
  readonly paidOut: number
  /** Added for the organization by hand; below 0: taken. */
  readonly adjusted: number
  /** The change of the debt to the organization: charged − refunded − chargedBack − share − credited − tax − fees − paidOut + adjusted. */
  readonly net: number
}

export interface Balance extends Sums {
  readonly currency: string
}

/** The balance of an organization per currency. `live`: of merchants, not of test merchants. */
export async function listBalances(sql: Sql, of: { organizationId: string; live: boolean }): Promise<Balance[]> {
  const where = part`organization_id = ${of.organizationId} and live = ${of.live}`
  return await send<Balance[]>(
    sql,
    part`select currency, ${SUMS} from ${booked(where)} group by currency order by currency`,
  )
}

export interface OperatorBalance extends Balance {
  /** Fees of charges that the operator bears, out of its share. */
  readonly gatewayFees: number
}

/** The balance of all organizations together. */
export async function listAllBalances(sql: Sql, live: boolean): Promise<OperatorBalance[]> {
  const where = part`live = ${live}`
  return await send<OperatorBalance[]>(
    sql,
    part`
      select currency, ${SUMS}, coalesce(sum(operator) filter (where kind = 'FEE'), 0)::bigint as "gatewayFees"
      from ${booked(where)} group by currency order by currency`,
  )
}

export interface OrganizationBalance extends Balance {
  readonly organizationId: string
}

/** Organizations with a balance, by currency, largest first. */
export async function listDebts(
  sql: Sql,
  { currency, limit }: { readonly currency?: string; readonly limit?: number },
): Promise<OrganizationBalance[]> {
  const ofCurrency = currency === undefined ? part`` : part`and currency = ${currency}`
  return await send<OrganizationBalance[]>(
    sql,
    part`
      select organization_id as "organizationId", currency, ${SUMS} from ${booked(part`live ${ofCurrency}`)}
      group by organization_id, currency having sum(organization) <> 0
      order by currency, net desc, organization_id ${limit === undefined ? part`` : part`limit ${limit}`}`,
  )
}

export interface AppBalance extends OrganizationBalance {
  readonly appId: string
}

/** The bookings of each app since a month, most collected first. */
export async function listAppBalances(
  sql: Sql,
  of: { readonly live: boolean; readonly currency: string; readonly since: string; readonly limit: number },
): Promise<AppBalance[]> {
  const where = part`
    live = ${of.live} and currency = ${of.currency} and month >= ${`${of.since}-01`}::date and app_id <> ${NIL}`
  return await send<AppBalance[]>(
    sql,
    part`
      select app_id as "appId", organization_id as "organizationId", currency, ${SUMS} from ${booked(where)}
      group by app_id, organization_id, currency
      order by sum(gateway) filter (where kind <> 'FEE') desc nulls last, app_id limit ${of.limit}`,
  )
}

export interface MonthOfBalance extends Balance {
  /** `YYYY-MM`. */
  readonly month: string
  /** The balance at the start and at the end of the month. */
  readonly opening: number
  readonly closing: number
  readonly bookings: number
}

/** Every month and currency with bookings, newest month first. */
export async function listMonths(sql: Sql, of: { organizationId: string; live: boolean }): Promise<MonthOfBalance[]> {
  const where = part`organization_id = ${of.organizationId} and live = ${of.live}`
  return await send<MonthOfBalance[]>(
    sql,
    part`
      select currency, month, charges, charged, refunds, refunded, "chargedBack", share, credited, tax, fees, "paidOut",
        adjusted, net, bookings, closing, closing - net as opening
      from (
        select currency, to_char(month, 'YYYY-MM') as month, ${SUMS}, sum(count)::bigint as bookings,
          (sum(-sum(organization)) over (partition by currency order by month))::bigint as closing
        from ${booked(where)} group by currency, month) as months
      order by month desc, currency`,
  )
}

export interface PlanOfMonth extends Balance {
  readonly appId: string
  /** Current names. */
  readonly appName: string
  readonly planId: string
  readonly planName: string
}

/** The ids of app and plan of a booking of an organization. */
const NIL = '00000000-0000-0000-0000-000000000000'

/**
 * The bookings of a month by plan, its fees, payouts and adjustments by currency (`own`), and the balance before. Every
 * currency booked up to then has an opening.
 */
export async function readMonth(
  sql: Sql,
  of: { organizationId: string; live: boolean; month: string; currency?: string },
) {
  const month = `${of.month}-01`
  const ofCurrency = of.currency === undefined ? part`` : part`and currency = ${of.currency}`
  const where = part`
    organization_id = ${of.organizationId} and live = ${of.live} and month <= ${month}::date ${ofCurrency}`
  // One statement: opening and lines share a snapshot. Earlier months are one row per currency.
  const rows = await send<(Balance & { [Key in 'appId' | 'appName' | 'planId' | 'planName']: string | null })[]>(
    sql,
    part`
      select m.currency, m."appId", m."planId", m.charges, m.charged, m.refunds, m.refunded, m."chargedBack", m.share, m.credited, m.tax, m.fees,
        m."paidOut", m.adjusted, m.net,
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
    lines: rows.filter(({ planId }) => planId !== null && planId !== NIL) as readonly PlanOfMonth[],
    own: rows.filter(({ planId }) => planId === NIL),
  }
}

/** Payments of a business to an organization in a currency, and its credit there. Minor units. */
export interface BusinessBalance {
  readonly organizationId: string
  readonly currency: string
  readonly charged: number
  readonly refunded: number
  readonly chargedBack: number
  readonly credit: number
}

/** Added up from the bookings of the business. */
export async function listBusinessBalances(
  sql: Sql,
  of: { businessId: string; organizationId?: string },
): Promise<BusinessBalance[]> {
  const ofOrganization = of.organizationId === undefined ? part`` : part`and organization_id = ${of.organizationId}`
  return await send<BusinessBalance[]>(
    sql,
    part`
      select organization_id as "organizationId", currency,
        coalesce(sum(gateway) filter (where kind = 'CHARGE'), 0)::bigint as charged,
        coalesce(-sum(gateway) filter (where kind in ('REFUND', 'REFUND_RETURN')), 0)::bigint as refunded,
        coalesce(-sum(gateway) filter (where kind in ('CHARGEBACK', 'CHARGEBACK_RETURN')), 0)::bigint as "chargedBack",
        (-sum(business_credit))::bigint as credit
      from ledger_transactions
      where business_id = ${of.businessId} ${ofOrganization}
      group by organization_id, currency
      order by currency, organization_id`,
  )
}

const CHANGES_AT_ONCE = 10_000

/**
 * Moves changes to the totals. Returns the number of changes; call again until 0. Processes may run this concurrently: each process takes different changes,
 * and all update the totals in the same order.
 */
export async function foldTotals(sql: Sql): Promise<number> {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      delete from ledger_total_changes
      where ctid = any(array(select ctid from ledger_total_changes limit ${CHANGES_AT_ONCE} for update skip locked))
      returning organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator,
        business_credit, tax),
    folded as (
      insert into ledger_totals as t (
        organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator,
        business_credit, tax)
      select organization_id, live, currency, month, app_id, plan_id, kind, sum(count), sum(gateway), sum(organization),
        sum(operator), sum(business_credit), sum(tax)
      from taken
      group by organization_id, live, currency, month, app_id, plan_id, kind
      order by organization_id, live, currency, month, plan_id, kind
      on conflict (organization_id, live, currency, month, plan_id, kind) do update set
        count = t.count + excluded.count, gateway = t.gateway + excluded.gateway,
        organization = t.organization + excluded.organization, operator = t.operator + excluded.operator,
        business_credit = t.business_credit + excluded.business_credit, tax = t.tax + excluded.tax)
    select count(*) as taken from taken`
  return row?.taken ?? 0
}

/** Totals and changes as one table. */
const booked = (where: Part) => part`
  (select organization_id, currency, month, app_id, plan_id, kind, count, gateway, organization, operator, business_credit, tax
    from ledger_totals where ${where}
    union all
    select organization_id, currency, month, app_id, plan_id, kind, count, gateway, organization, operator, business_credit, tax
    from ledger_total_changes where ${where}) as booked`

/** Debits are positive: amounts owed, kept or credited are negative. */
const SUMS = part`
  coalesce(sum(count) filter (where kind = 'CHARGE'), 0)::bigint as charges,
  coalesce(sum(gateway) filter (where kind = 'CHARGE'), 0)::bigint as charged,
  coalesce(sum(case kind when 'REFUND' then count when 'REFUND_RETURN' then -count end), 0)::bigint as refunds,
  coalesce(-sum(gateway) filter (where kind in ('REFUND', 'REFUND_RETURN')), 0)::bigint as refunded,
  coalesce(-sum(gateway) filter (where kind in ('CHARGEBACK', 'CHARGEBACK_RETURN')), 0)::bigint as "chargedBack",
  coalesce(-sum(operator) filter (where kind not in ('FEE', 'ADJUSTMENT')), 0)::bigint as share,
  (-sum(business_credit))::bigint as credited,
  (-sum(tax))::bigint as tax,
  coalesce(sum(organization) filter (where kind = 'FEE'), 0)::bigint as fees,
  coalesce(sum(organization) filter (where kind = 'PAYOUT'), 0)::bigint as "paidOut",
  coalesce(-sum(organization) filter (where kind = 'ADJUSTMENT'), 0)::bigint as adjusted,
  (-sum(organization))::bigint as net`
