import { Type } from 'typebox'
import { parseSlice } from '../../core/page.ts'
import { organizationOf } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import { BusinessSummary, businessSummaryToJson, MERCHANT_TYPES } from '../../merchants/businesses/schema.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { Link, listFields, Uuid } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { pageOfBusinesses } from './list.ts'

const BusinessesQuery = Type.Object({
  organizationId: Type.Optional(Uuid),
  type: Type.Optional(Type.Enum(MERCHANT_TYPES)),
  ...listFields,
})

const BusinessListAnswer = Type.Object({ businesses: Type.Array(BusinessSummary), links: Type.Array(Link) })

/** `GET /businesses` is the interface's lookup by terminal, so the list has a path of its own. */
export function businessListRoutes({ settings }: Pick<Ports, 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/businesses/search',
      name: 'searchBusinesses',
      operation: 'businessLists.read',
      summary: 'List businesses by name, e-mail or id, newest first, without their stores',
      query: BusinessesQuery,
      answers: { 200: BusinessListAnswer },
      subject: ({ query, principal }) => organizationOf(principal, query.organizationId),
      async handle({ query, principal, db }) {
        const slice = parseSlice(query)
        if (isRejection(slice)) return slice
        const { q, type } = query
        const exact = { ...organizationOf(principal, query.organizationId), ...(type && { type }) }
        const filter = { ...exact, ...(q !== undefined && { q }) }
        const page = await pageOfBusinesses({ db }, filter, slice)
        if (isRejection(page)) return page
        const links = nextLinks(`${settings.baseUrl}/businesses/search`, filter, slice, page.next)
        return answer(200, { businesses: page.items.map(businessSummaryToJson), links })
      },
    }),
  ]
}
