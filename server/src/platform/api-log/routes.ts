import { isRejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { nextLinks } from '../http/next-link.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import { uuidOfUrn } from '../http/wire.ts'
import { pageOfRequests } from './list.ts'
import { ApiRequestListJson, ApiRequestsQuery, apiRequestToJson, RequestsPath } from './schema.ts'

export function apiLogRoutes({ db, settings }: Pick<Ports, 'db' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/apps/:appId/requests',
      name: 'listAppRequests',
      operation: 'apps.read',
      summary: "List the requests of an app's tokens in the last 7 days, newest first",
      params: RequestsPath,
      query: ApiRequestsQuery,
      answers: { 200: ApiRequestListJson },
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, query }) {
        const page = await pageOfRequests({ db }, uuidOfUrn(params.appId), query)
        if (isRejection(page)) return page
        const { limit = '10', after: _, ...filter } = query
        const url = `${settings.baseUrl}/apps/${params.appId}/requests`
        const links = nextLinks(url, filter, { limit: Number(limit) }, page.next)
        return answer(200, { requests: page.items.map(apiRequestToJson), links })
      },
    }),
  ]
}
