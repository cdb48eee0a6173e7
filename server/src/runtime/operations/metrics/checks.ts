import { Gauge, type Registry } from 'prom-client'
import type { LatestChecks } from '../../../money/invariant-checks/latest.ts'

/** What the checkers found. Returns what brings it up to date. */
export function checkMetrics(registry: Registry, latestChecks: LatestChecks): () => void {
  const checks = new Gauge({
    name: 'tillhook_check_violations',
    help: 'What the last hourly look through the books found to break a rule (counted up to 20); -1: it did not finish',
    labelNames: ['checker'],
    registers: [registry],
  })
  return () => {
    for (const { checker, status, violations } of latestChecks.results()) {
      checks.set({ checker }, status === 'UNKNOWN' ? -1 : violations.length)
    }
  }
}
