import { isRejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { nextLinks } from '../http/next-link.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import { listAudit } from './list.ts'
import { AuditListJson, AuditQuery, entryToJson } from './schema.ts'

export function auditRoutes({ db, settings }: Pick<Ports, 'db' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/audit',
      name: 'listAudit',
      operation: 'operations.read',
      summary: 'List the changes made by requests, with the values before and after, newest first',
      query: AuditQuery,
      answers: { 200: AuditListJson },
      handle: async ({ query }) => {
        const page = await listAudit({ db }, query)
        if (isRejection(page)) return page
        const { limit = '10', after: _, ...filter } = query
        const links = nextLinks(`${settings.baseUrl}/audit`, filter, { limit: Number(limit) }, page.next)
        return answer(200, { entries: page.items.map(entryToJson), links })
      },
    }),
  ]
}
