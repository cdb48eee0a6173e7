import { isRejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
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
        const links = page.next === undefined ? [] : [nextLink(settings.baseUrl, { ...query, after: page.next })]
        return answer(200, { entries: page.entries.map(entryToJson), links })
      },
    }),
  ]
}

function nextLink(baseUrl: string, query: Readonly<Record<string, string>>) {
  return { href: `${baseUrl}/audit?${new URLSearchParams(query)}`, rel: 'next', method: 'GET' }
}
