import { findApps } from '../../catalog/apps/store.ts'
import { findOrganizations } from '../../catalog/organizations/store.ts'
import type { MerchantType } from '../../core/business.ts'
import { type CsvValue, csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import type { Db } from '../../platform/db/db.ts'
import { listAppBalances, listDebts, type OrganizationBalance } from '../ledger/totals.ts'
import { readMrrOfApps } from './revenue-days.ts'

/** An app's current MRR, and its bookings since a month. Minor units. */
export interface AppRevenue {
  readonly appId: string
  readonly appName: string
  readonly organizationId: string
  readonly organizationName: string
  readonly mrr: number
  readonly subscribers: number
  readonly collected: number
  /** Refunded or charged back. */
  readonly returned: number
  readonly share: number
}

interface Asked {
  readonly merchantType: MerchantType
  readonly currency: string
  /** The first month, `YYYY-MM`. */
  readonly since: string
  readonly limit: number
}

/** The apps that collected most since a month. */
export async function readRevenueByApp({ sql }: Db, asked: Asked): Promise<AppRevenue[]> {
  const { merchantType, currency } = asked
  const booked = await listAppBalances(sql, { ...asked, live: merchantType === 'MERCHANT' })
  const appIds = booked.map(({ appId }) => appId)
  const mrr = new Map((await readMrrOfApps(sql, { appIds, currency, merchantType })).map(one => [one.appId, one]))
  const apps = new Map((await findApps(sql, appIds)).map(app => [app.appId, app.name]))
  const organizations = await namesOf(sql, booked)
  return booked.map(({ appId, organizationId, charged, refunded, chargedBack, share }) => ({
    ...{ appId, appName: apps.get(appId) ?? '', organizationId },
    ...{
      organizationName: organizations.get(organizationId) ?? '',
      collected: charged,
      returned: refunded + chargedBack,
    },
    ...{ share, mrr: mrr.get(appId)?.mrr ?? 0, subscribers: mrr.get(appId)?.subscribers ?? 0 },
  }))
}

export interface Debt extends OrganizationBalance {
  readonly organizationName: string
}

/** The amounts owed to developers, by currency, largest first. Below 0: the developer owes. */
export async function readDebts(
  { sql }: Db,
  asked: { readonly currency?: string; readonly limit?: number },
): Promise<Debt[]> {
  const debts = await listDebts(sql, asked)
  const names = await namesOf(sql, debts)
  return debts.map(debt => ({ ...debt, organizationName: names.get(debt.organizationId) ?? '' }))
}

async function namesOf(
  sql: Db['sql'],
  rows: readonly { readonly organizationId: string }[],
): Promise<Map<string, string>> {
  const found = await findOrganizations(sql, [...new Set(rows.map(({ organizationId }) => organizationId))])
  return new Map(found.map(({ organizationId, name }) => [organizationId, name]))
}

/** One row per developer and currency. Amounts are decimal. */
export function debtsCsv(debts: readonly Debt[]): string {
  const head = ['organizationId', 'name', 'currency', 'collected', 'returned', 'share', 'fees', 'paidOut', 'owed']
  const rows = debts.map(({ currency, ...debt }): CsvValue[] => {
    const money = (amount: number) => ({ number: decimalOf(amount, currency) })
    return [
      ...[debt.organizationId, debt.organizationName, currency, money(debt.charged)],
      ...[money(debt.refunded + debt.chargedBack), money(debt.share), money(debt.fees), money(debt.paidOut)],
      money(debt.net),
    ]
  })
  return csvOf([head, ...rows])
}
