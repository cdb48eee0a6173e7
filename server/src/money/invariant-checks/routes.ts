import { toTimestamp } from '../../core/calendar.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { runChecks } from './run.ts'
import { ChecksJson, ChecksQuery } from './schema.ts'

export function checkRoutes(ports: Pick<Ports, 'db' | 'clock' | 'log'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/operations/checks',
      name: 'runInvariantChecks',
      operation: 'operations.read',
      summary: 'Run the invariant checks: up to 20 violations of each rule, within 5 seconds per check',
      query: ChecksQuery,
      answers: { 200: ChecksJson },
      handle: async ({ query }) => {
        const checkedAt = toTimestamp(ports.clock.now())
        return answer(200, { checkedAt, checks: await runChecks(ports, { ...(query.check && { only: query.check }) }) })
      },
    }),
  ]
}
