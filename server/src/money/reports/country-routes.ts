import { isRejection, type Rejection, rejectField } from '../../core/rejection.ts'
import { monthOf } from '../../core/statement.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { type Query as DailyQuery, ownOf, subjectOf } from './daily-routes.ts'
import { CountriesQuery, CountryRevenueJson } from './daily-schema.ts'
import { type CountriesFilter, countriesCsv, readCountries } from './revenue-countries.ts'

type Query = Omit<DailyQuery, 'planId'>

/** Revenue by country, for the operator and for the developer of the apps. */
export function countryRevenueRoutes({ db, clock }: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/reports/revenue/countries',
      name: 'getRevenueByCountry',
      operation: 'reports.read',
      summary: 'Get current MRR and subscribers, and the payments and refunds of months, by currency and country',
      query: CountriesQuery,
      answers: { 200: CountryRevenueJson },
      rejections: ['APPLICATION_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => subjectOf(principal, query),
      handle: async ({ query, principal }) => {
        const filter = filterOf(query, ownOf(principal, query))
        if (isRejection(filter)) return filter
        const { from, to, merchantType } = filter
        const list = await readCountries(db.sql, filter)
        return answer(200, { from, ...(to !== undefined && { to }), merchantType, list })
      },
    }),
    route({
      method: 'GET',
      path: '/reports/revenue/countries.csv',
      name: 'downloadRevenueByCountry',
      operation: 'reports.read',
      summary: 'Download revenue by country as CSV, one row per currency and country',
      query: CountriesQuery,
      contentType: 'text/csv',
      sends: ['Content-Disposition'],
      answers: { 200: null },
      rejections: ['APPLICATION_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => subjectOf(principal, query),
      handle: async ({ query, principal }) => {
        const filter = filterOf(query, ownOf(principal, query))
        if (isRejection(filter)) return filter
        const content = countriesCsv(await readCountries(db.sql, filter))
        const headers = { 'content-disposition': `attachment; filename="countries-${filter.from}.csv"` }
        return { status: 200, headers, text: { type: 'text/csv; charset=utf-8; header=present', content } }
      },
    }),
  ]

  function filterOf(
    { from = monthOf(clock.now()), to }: Query,
    own: ReturnType<typeof ownOf>,
  ): CountriesFilter | Rejection {
    if (isRejection(own)) return own
    if (to !== undefined && to < from) return rejectField('to', 'must not be before `from`')
    return { ...own, from, ...(to !== undefined && { to }) }
  }
}
