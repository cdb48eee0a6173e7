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

async function sumTax(sql: Sql, { month, live, organizationId }: TaxReportOf): Promise<TaxLine[]> {
  const ofOne = organizationId === undefined ? sql`` : sql`and t.organization_id = ${organizationId}`
  return await sql<TaxLine[]>`
    select i.country, t.currency, i.tax ->> 'name' as name, (i.tax ->> 'rate')::integer as rate,
      (i.tax ->> 'isReverseCharge')::boolean as "isReverseCharge",
      sum(-t.organization - t.operator)::bigint as net,
      coalesce(sum(-t.tax) filter (where t.tax < 0), 0)::bigint as collected,
      coalesce(sum(t.tax) filter (where t.tax > 0), 0)::bigint as returned, sum(-t.tax)::bigint as tax
    from ledger_transactions as t join invoices as i using (invoice_id)
    where t.booked_at >= ${startOfMonth(month)} and t.booked_at < ${endOfMonth(month)} and t.live = ${live}
      and i.tax is not null ${ofOne}
    group by 1, 2, 3, 4, 5 order by 1, 2, 4 desc, 3, 5`
}
