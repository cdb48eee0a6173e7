import { given } from '../../core/given.ts'
import { parseSlice } from '../../core/page.ts'
import { locationOfCaller, organizationOf, type Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { appUrn, uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { pageOfTerminals } from './list.ts'
import { TerminalListJson, TerminalsQuery, terminalToJson } from './schema.ts'

export function terminalListRoutes({ db, settings }: Pick<Ports, 'db' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/terminals',
      name: 'searchTerminals',
      operation: 'terminals.read',
      summary:
        'List terminals by name, serial number or id, newest first. An app sees the terminals where it is installed.',
      query: TerminalsQuery,
      answers: { 200: TerminalListJson },
      rejections: ['APPLICATION_NOT_FOUND', 'BUSINESS_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => ofCaller(principal, query),
      async handle({ query, principal }) {
        const slice = parseSlice(query)
        if (isRejection(slice)) return slice
        const { q, status, merchantType, storeId } = query
        const { appId, ...exact } = {
          ...{ ...ofCaller(principal, query), ...given({ storeId: storeId?.toLowerCase() }) },
          ...{ ...locationOfCaller(principal), ...given({ status, merchantType, q }) },
        }
        const app = principal.kind === 'app' ? principal.appId : appId
        const page = await pageOfTerminals({ db }, { ...exact, ...(app && { appId: app }) }, slice)
        if (isRejection(page)) return page
        const filter = { ...exact, ...(appId && { appId: appUrn(appId) }) }
        const links = nextLinks(`${settings.baseUrl}/terminals`, filter, slice, page.next)
        return answer(200, { terminals: page.items.map(terminalToJson), links })
      },
    }),
  ]
}

interface Owner {
  readonly organizationId?: string
  /** URN. */
  readonly appId?: string
  readonly businessId?: string
}

/** The query's organization, app and business. The caller's own stand in for absent ones. */
function ofCaller(principal: Principal, query: Owner): Owner {
  const own = 'businessId' in principal ? principal.businessId : undefined
  const businessId = query.businessId?.toLowerCase() ?? own
  return {
    ...organizationOf(principal, query.organizationId),
    ...(query.appId !== undefined && { appId: uuidOfUrn(query.appId) }),
    ...(businessId !== undefined && { businessId }),
  }
}
