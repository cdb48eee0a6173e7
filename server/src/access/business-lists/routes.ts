import { given } from '../../core/given.ts'
import { parseSlice } from '../../core/page.ts'
import { organizationOf } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import { businessSummaryToJson } from '../../merchants/businesses/schema.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { pageOfBusinesses } from './list.ts'
import { BusinessesQuery, BusinessListAnswer } from './schema.ts'

/** `GET /businesses` is the interface's lookup by terminal, so the list has a path of its own. */
export function businessListRoutes({ settings }: Pick<Ports, 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/businesses/search',
      name: 'searchBusinesses',
      operation: 'businessLists.read',
      summary: 'List businesses by name, e-mail or id, newest first, without stores',
      query: BusinessesQuery,
      answers: { 200: BusinessListAnswer },
      subject: ({ query, principal }) => organizationOf(principal, query.organizationId),
      async handle({ query, principal, db }) {
        const slice = parseSlice(query)
        if (isRejection(slice)) return slice
        const { q, type } = query
        const filter = { ...organizationOf(principal, query.organizationId), ...given({ type, q }) }
        const page = await pageOfBusinesses({ db }, filter, slice)
        if (isRejection(page)) return page
        const links = nextLinks(`${settings.baseUrl}/businesses/search`, filter, slice, page.next)
        return answer(200, { businesses: page.items.map(businessSummaryToJson), links })
      },
    }),
  ]
}
