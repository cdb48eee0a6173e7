import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { readGauges, type Waiting } from './gauges.ts'
import { inOne } from './in-one.ts'
import type { Metrics } from './metrics.ts'
import { HealthJson, ReadyJson } from './schema.ts'

export function operationRoutes(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { metrics, version }: { metrics: Metrics; version: string },
): AnyRoute[] {
  const readWaiting = inOne(() => readGauges(db, clock.now()))
  return [
    route({
      method: 'GET',
      path: '/healthz',
      name: 'getHealth',
      operation: 'public',
      summary: 'Does the process serve? What waits, and what stands aside?',
      answers: { 200: HealthJson },
      handle: async () => {
        const waiting = await readWaiting().catch(() => null)
        return answer(200, healthOf(waiting, version))
      },
    }),
    route({
      method: 'GET',
      path: '/readyz',
      name: 'getReadiness',
      operation: 'public',
      summary: 'May traffic be sent here?',
      answers: { 200: ReadyJson, 503: ReadyJson },
      handle: async () => {
        const up = await db.sql`select 1`.then(
          () => true,
          () => false,
        )
        return up ? answer(200, { status: 'ready' }) : answer(503, { status: 'database_down' }, { 'retry-after': '1' })
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      name: 'getMetrics',
      operation: 'public',
      summary: 'Prometheus metrics.',
      contentType: 'text/plain',
      answers: { 200: null },
      handle: async () => ({ status: 200, text: await metrics.print() }),
    }),
  ]
}

function healthOf(waiting: Waiting | null, version: string) {
  if (waiting === null) return { status: 'degraded', version, database: 'down' }
  return { status: waiting.quarantined > 0 ? 'degraded' : 'ok', version, database: 'up', waiting }
}
