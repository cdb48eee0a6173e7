import { csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import { endOfMonth, type MonthStatus, monthStatus, startOfMonth } from '../../core/statement.ts'
import { percentOf } from '../../core/tax.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { type ProviderBooks, sumProviderBooks } from '../tax/record-store.ts'

/** The tax of one rate in one country, from the bookings of a month. Minor units. */
export interface TaxLine {
  /** Of the buyer. */
  readonly country: string
  readonly currency: string
  readonly name: string
  /** Millionths. */
  readonly rate: number
  readonly isReverseCharge: boolean
  /** Without tax, less everything returned. */
  readonly net: number
  readonly collected: number
  /** Tax of refunds, chargebacks and credit. */
  readonly returned: number
  /** Collected less returned. */
  readonly tax: number
}

export interface TaxReportOf {
  readonly month: string
  readonly live: boolean
  /** Absent: all organizations. */
  readonly organizationId?: string
}

/**
 * The collected tax of a month by country, currency and rate. The bookings decide the month: a refund reduces the tax
 * of the month of the refund. The lines of a currency add up to its balance on the account TAX.
 */
export async function readTaxReport(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  of: TaxReportOf,
): Promise<{
  readonly status: MonthStatus
  readonly lines: readonly TaxLine[]
  /** The books of the tax provider. Empty for one organization, and for test money. */
  readonly provider: readonly ProviderBooks[]
}> {
  const { month, live, organizationId } = of
  const isWhole = live && organizationId === undefined
  return {
    status: monthStatus(month, { live, now: clock.now() }),
    lines: await sumTax(db.sql, of),
    provider: isWhole ? await sumProviderBooks(db.sql, { from: startOfMonth(month), to: endOfMonth(month) }) : [],
  }
}

const COLUMNS = ['month', 'country', 'currency', 'name', 'rate', 'reverseCharge', 'net', 'collected', 'returned', 'tax']

export function taxReportCsv(month: string, lines: readonly TaxLine[]): string {
  return csvOf([
    COLUMNS,
    ...lines.map(line => {
      const { country, currency, name, rate, isReverseCharge, net, collected, returned, tax } = line
      return [
        ...[month, country, currency, name, { number: percentOf(rate) }, isReverseCharge ? 'yes' : 'no'],
        ...[net, collected, returned, tax].map(amount => ({ number: decimalOf(amount, currency) })),
      ]
    }),
  ])
}

/** Totals and changes of one statement's snapshot. */
async function sumTax(sql: Sql, { month, live, organizationId }: TaxReportOf): Promise<TaxLine[]> {
  const within = sql`
    where live = ${live} and month = ${`${month}-01`}::date
      ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}`
  return await sql<TaxLine[]>`
    select country, currency, name, rate, is_reverse_charge as "isReverseCharge", sum(net)::bigint as net,
      sum(collected)::bigint as collected, sum(returned)::bigint as returned, sum(collected - returned)::bigint as tax
    from (
      select country, currency, name, rate, is_reverse_charge, net, collected, returned from tax_totals ${within}
      union all
      select country, currency, name, rate, is_reverse_charge, net, collected, returned from tax_total_changes ${within}) as booked
    group by 1, 2, 3, 4, 5 order by 1, 2, 4 desc, 3, 5`
}

const CHANGES_AT_ONCE = 10_000

/** Moves changes to the totals. Returns the number of changes; call again until 0. */
export async function foldTaxTotals(sql: Sql): Promise<number> {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      delete from tax_total_changes
      where ctid = any(array(select ctid from tax_total_changes limit ${CHANGES_AT_ONCE} for update skip locked))
      returning live, month, organization_id, country, currency, name, rate, is_reverse_charge, net, collected, returned),
    folded as (
      insert into tax_totals as t (
        live, month, organization_id, country, currency, name, rate, is_reverse_charge, net, collected, returned)
      select live, month, organization_id, country, currency, name, rate, is_reverse_charge, sum(net), sum(collected),
        sum(returned)
      from taken
      group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8
      on conflict (live, month, organization_id, country, currency, name, rate, is_reverse_charge) do update set
        net = t.net + excluded.net, collected = t.collected + excluded.collected, returned = t.returned + excluded.returned)
    select count(*) as taken from taken`
  return row?.taken ?? 0
}
