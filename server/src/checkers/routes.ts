import { Type } from 'typebox'
import { toTimestamp } from '../core/calendar.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import { Timestamp } from '../http/wire.ts'
import type { Ports } from '../ports.ts'
import { check } from './check.ts'
import { CHECKER_NAMES } from './checkers.ts'

const ChecksQuery = Type.Object({ checker: Type.Optional(Type.Enum([...CHECKER_NAMES])) })

const ChecksJson = Type.Object({
  checkedAt: Timestamp,
  checks: Type.Array(
    Type.Object({
      checker: Type.Enum([...CHECKER_NAMES]),
      holds: Type.String(),
      status: Type.Enum(['HOLDS', 'VIOLATED', 'UNKNOWN']),
      violations: Type.Array(Type.Object({ id: Type.String(), problem: Type.String() })),
    }),
  ),
})

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
        return answer(200, { checkedAt, checks: await check(ports, query.checker) })
      },
    }),
  ]
}
