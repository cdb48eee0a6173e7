import { CURRENCIES } from '../../core/money.ts'
import { organizationOf, type Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, rejectField } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import { monthOf } from '../../core/statement.ts'
import { type AnyRoute, answer, CSV_ROUTE, csvAnswer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { dailyCsv, parseDays, readDailyRevenue } from './daily.ts'
import { type CountriesFilter, countriesCsv, readCountries } from './revenue-countries.ts'
import type { DaysFilter } from './revenue-days.ts'
import { CountriesQuery, CountryRevenueJson, DailyQuery, DailyRevenueJson } from './revenue-schema.ts'

type Query = Partial<
  Record<'from' | 'to' | 'organizationId' | 'appId' | 'planId' | 'currency', string> & {
    readonly merchantType: DaysFilter['merchantType']
  }
>

const REPORT = {
  method: 'GET',
  operation: 'reports.read',
  rejections: ['APPLICATION_NOT_FOUND', 'FORBIDDEN'],
  subject: ({ query, principal }: { readonly query: Query; readonly principal: Principal }) =>
    subjectOf(principal, query),
} as const

/** Revenue by day and by country, for the operator and for the developer of the apps. */
export function revenueRoutes({ db, clock }: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  return [
    route({
      ...REPORT,
      path: '/reports/revenue/daily',
      name: 'getDailyRevenue',
      summary:
        'Get MRR with its movements, subscribers, trials, recovery, payments and refunds by day and currency, for the last 90 days',
      query: DailyQuery,
      answers: { 200: DailyRevenueJson },
      handle: async ({ query, principal }) => {
        const filter = filterOf(principal, query, clock.now())
        if (isRejection(filter)) return filter
        const { from, to, merchantType } = filter
        return answer(200, { from, to, merchantType, list: await readDailyRevenue({ db }, filter) })
      },
    }),
    route({
      ...REPORT,
      ...CSV_ROUTE,
      path: '/reports/revenue/daily.csv',
      name: 'downloadDailyRevenue',
      summary: 'Download the daily revenue as CSV, one row per currency and day',
      query: DailyQuery,
      handle: async ({ query, principal }) => {
        const filter = filterOf(principal, query, clock.now())
        if (isRejection(filter)) return filter
        const content = dailyCsv(await readDailyRevenue({ db }, filter))
        return csvAnswer(`revenue-${filter.from}-${filter.to}.csv`, content)
      },
    }),
    route({
      ...REPORT,
      path: '/reports/revenue/countries',
      name: 'getRevenueByCountry',
      summary: 'Get current MRR and subscribers, and the payments and refunds of months, by currency and country',
      query: CountriesQuery,
      answers: { 200: CountryRevenueJson },
      handle: async ({ query, principal }) => {
        const filter = monthsOf(principal, query, clock.now())
        if (isRejection(filter)) return filter
        const { from, to, merchantType } = filter
        const list = await readCountries(db.sql, filter)
        return answer(200, { from, ...(to !== undefined && { to }), merchantType, list })
      },
    }),
    route({
      ...REPORT,
      ...CSV_ROUTE,
      path: '/reports/revenue/countries.csv',
      name: 'downloadRevenueByCountry',
      summary: 'Download revenue by country as CSV, one row per currency and country',
      query: CountriesQuery,
      handle: async ({ query, principal }) => {
        const filter = monthsOf(principal, query, clock.now())
        if (isRejection(filter)) return filter
        const content = countriesCsv(await readCountries(db.sql, filter))
        return csvAnswer(`countries-${filter.from}.csv`, content)
      },
    }),
  ]
}

function subjectOf(principal: Principal, { organizationId, appId }: Query): Subject {
  return { ...organizationOf(principal, organizationId), ...(appId && { appId: uuidOfUrn(appId) }) }
}

/** The filters of both reports: whose revenue, in which currency, and live or test. */
function ownOf(principal: Principal, query: Query): Omit<DaysFilter, 'from' | 'to' | 'planId'> | Rejection {
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

function monthsOf(principal: Principal, query: Omit<Query, 'planId'>, now: Date): CountriesFilter | Rejection {
  const own = ownOf(principal, query)
  if (isRejection(own)) return own
  const { from = monthOf(now), to } = query
  if (to !== undefined && to < from) return rejectField('to', 'must not be before `from`')
  return { ...own, from, ...(to !== undefined && { to }) }
}
