import { createHash, timingSafeEqual } from 'node:crypto'
import { type Rejection, reject } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { readGauges, type Waiting } from './gauges.ts'
import { inOne, type Metrics } from './metrics.ts'
import { HealthJson, ReadyJson } from './schema.ts'

interface OperationOptions {
  readonly metrics: Metrics
  readonly version: string
  readonly isOperatorKey: (key: string) => boolean
  /** TILLHOOK_METRICS_TOKEN. Absent: `/metrics` accepts the operator key alone. */
  readonly metricsToken?: string
}

export function operationRoutes(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { metrics, version, isOperatorKey, metricsToken }: OperationOptions,
): AnyRoute[] {
  const isMetricsToken = (token: string) => metricsToken !== undefined && isEqual(token, metricsToken)
  const readWaiting = inOne(() => readGauges(db, clock.now()))
  return [
    route({
      method: 'GET',
      path: '/healthz',
      name: 'getHealth',
      operation: 'public',
      summary: 'Get the health of the process: queued and quarantined work',
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
      summary: 'Check whether the process is ready for requests',
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
      summary: 'Get Prometheus metrics, with the operator key or the token of TILLHOOK_METRICS_TOKEN',
      contentType: 'text/plain',
      answers: { 200: null },
      rejections: ['INVALID_ACCESS_TOKEN', 'TOO_MANY_REQUESTS'],
      // Wrong tokens are throttled by address, correct tokens are not.
      signed: true,
      handle: async ({ headers }) => {
        const token = /^bearer +(\S+) *$/i.exec(String(headers.authorization))?.[1] ?? ''
        if (!isMetricsToken(token) && !isOperatorKey(token)) return noMetrics()
        return { status: 200, text: await metrics.print() }
      },
    }),
  ]
}

function noMetrics(): Rejection {
  return reject(
    'INVALID_ACCESS_TOKEN',
    'Send Authorization: Bearer with the operator key, or with the token of TILLHOOK_METRICS_TOKEN.',
  )
}

/** The hashes have the same length, so the time of the comparison tells nothing. */
function isEqual(one: string, other: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hashOf(one), hashOf(other))
}

function healthOf(waiting: Waiting | null, version: string) {
  if (waiting === null) return { status: 'degraded', version, database: 'down' }
  return { status: waiting.quarantined > 0 ? 'degraded' : 'ok', version, database: 'up', waiting }
}
