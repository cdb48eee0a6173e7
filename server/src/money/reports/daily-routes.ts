import { CURRENCIES } from '../../core/money.ts'
import { organizationOf, type Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, rejectField } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { dailyCsv, parseDays, readDailyRevenue } from './daily.ts'
import { DailyQuery, DailyRevenueJson } from './daily-schema.ts'
import type { DaysFilter } from './revenue-days.ts'

export type Query = Partial<
  Record<'from' | 'to' | 'organizationId' | 'appId' | 'planId' | 'currency', string> & {
    readonly merchantType: DaysFilter['merchantType']
  }
>

/** Revenue by day, for the operator and for the developer of the apps. */
export function dailyRevenueRoutes({ db, clock }: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/reports/revenue/daily',
      name: 'getDailyRevenue',
      operation: 'reports.read',
      summary:
        'Get MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency, for the last 90 days',
      query: DailyQuery,
      answers: { 200: DailyRevenueJson },
      rejections: ['APPLICATION_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => subjectOf(principal, query),
      handle: async ({ query, principal }) => {
        const filter = filterOf(principal, query, clock.now())
        if (isRejection(filter)) return filter
        const { from, to, merchantType } = filter
        return answer(200, { from, to, merchantType, list: await readDailyRevenue({ db }, filter) })
      },
    }),
    route({
      method: 'GET',
      path: '/reports/revenue/daily.csv',
      name: 'downloadDailyRevenue',
      operation: 'reports.read',
      summary: 'Download the daily revenue as CSV, one row per currency and day',
      query: DailyQuery,
      contentType: 'text/csv',
      sends: ['Content-Disposition'],
      answers: { 200: null },
      rejections: ['APPLICATION_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => subjectOf(principal, query),
      handle: async ({ query, principal }) => {
        const filter = filterOf(principal, query, clock.now())
        if (isRejection(filter)) return filter
        const content = dailyCsv(await readDailyRevenue({ db }, filter))
        const headers = { 'content-disposition': `attachment; filename="revenue-${filter.from}-${filter.to}.csv"` }
        return { status: 200, headers, text: { type: 'text/csv; charset=utf-8; header=present', content } }
      },
    }),
  ]
}

export function subjectOf(principal: Principal, { organizationId, appId }: Query): Subject {
  return { ...organizationOf(principal, organizationId), ...(appId && { appId: uuidOfUrn(appId) }) }
}

/** The filters of both reports: whose revenue, in which currency, and live or test. */
export function ownOf(principal: Principal, query: Query): Omit<DaysFilter, 'from' | 'to' | 'planId'> | Rejection {
  const { currency, merchantType = 'MERCHANT' } = query
  if (currency !== undefined && !CURRENCIES.has(currency)) {
    return rejectField('currency', 'must be an active ISO 4217 code in capitals')
  }
  return { ...subjectOf(principal, query), ...(currency && { currency }), merchantType }
}

function filterOf(principal: Principal, query: Query, now: Date): DaysFilter | Rejection {
  const days = parseDays(query, now)
  if (isRejection(days)) return days
  const own = ownOf(principal, query)
  if (isRejection(own)) return own
  return { ...own, ...days, ...(query.planId && { planId: query.planId }) }
}
