import { toTimestamp } from '../../core/calendar.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { check } from './check.ts'
import { ChecksJson, ChecksQuery } from './schema.ts'

export function checkRoutes(ports: Pick<Ports, 'db' | 'clock' | 'log'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/operations/checks',
      name: 'checkBooks',
      operation: 'operations.read',
      summary: 'Looks through the books for what must never be: up to 20 violations of each rule, in bounded time.',
      query: ChecksQuery,
      answers: { 200: ChecksJson },
      handle: async ({ query }) => {
        const checkedAt = toTimestamp(ports.clock.now())
        return answer(200, { checkedAt, checks: await check(ports, { ...(query.checker && { only: query.checker }) }) })
      },
    }),
  ]
}
