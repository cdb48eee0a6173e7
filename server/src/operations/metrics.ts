import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { LatestChecks } from '../checkers/latest.ts'
import type { Clock } from '../core/clock.ts'
import type { Db } from '../db/db.ts'
import { type Gauges, readGauges } from './gauges.ts'

export interface Metrics {
  /** Prometheus text. Without the database the gauges are left out: the process still shows itself. */
  print(): Promise<{ type: string; content: string }>
  requestDone(route: string, method: string, status: number, seconds: number): void
}

const GAUGES: Readonly<Record<keyof Gauges, string>> = {
  deliveriesDue: 'Deliveries that are due now (counted up to 10000)',
  oldestDeliverySeconds: 'Age of the oldest delivery that is due, in seconds',
  chargesUnsettled: 'Charges whose outcome is awaited',
  chargesUnknown: 'Charges whose outcome the gateway could not tell yet',
  refundsUnsettled: 'Refunds whose outcome is awaited',
  subscriptionsDue: 'Subscriptions whose next action is due now (counted up to 10000)',
  setAside: 'Rows whose handling failed and that stand aside',
}

export function createMetrics({
  db,
  clock,
  latestChecks,
}: {
  db: Db
  clock: Clock
  latestChecks: LatestChecks
}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'tillhook_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
    registers: [registry],
  })
  const up = new Gauge({ name: 'tillhook_database_up', help: '1 while the database answers', registers: [registry] })
  const checks = new Gauge({
    name: 'tillhook_check_violations',
    help: 'What the last hourly look through the books found to break a rule (counted up to 20); -1: it did not finish',
    labelNames: ['checker'],
    registers: [registry],
  })
  const gauges = Object.entries(GAUGES).map(([key, help]) => ({
    key: key as keyof Gauges,
    gauge: new Gauge({ name: `tillhook_${snake(key)}`, help, registers: [registry] }),
  }))
  return {
    print: async () => {
      const read = await readGauges(db.sql, clock.now()).catch(() => null)
      up.set(read === null ? 0 : 1)
      for (const { key, gauge } of gauges) {
        if (read === null) gauge.reset()
        else gauge.set(read[key])
      }
      for (const { checker, status, violations } of latestChecks.results()) {
        checks.set({ checker }, status === 'UNKNOWN' ? -1 : violations.length)
      }
      return { type: registry.contentType, content: await registry.metrics() }
    },
    requestDone: (route, method, status, seconds) =>
      requests.observe({ route, method, status: String(status) }, seconds),
  }
}

function snake(camel: string): string {
  return camel.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
