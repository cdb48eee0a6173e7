import { Gauge, type Registry } from 'prom-client'
import type { LatestChecks } from '../../../money/invariant-checks/run.ts'

/** The results of the last hourly run. Returns the update. */
export function checkMetrics(registry: Registry, latestChecks: LatestChecks): () => void {
  const checks = new Gauge({
    name: 'tillhook_check_violations',
    help: 'Violations found by the last hourly run of an invariant check (counted up to 20); -1: the check did not finish',
    labelNames: ['check'],
    registers: [registry],
  })
  return () => {
    for (const { check, status, violations } of latestChecks.results()) {
      checks.set({ check }, status === 'UNKNOWN' ? -1 : violations.length)
    }
  }
}
