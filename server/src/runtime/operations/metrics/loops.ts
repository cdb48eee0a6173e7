import { Counter, Gauge, type Registry } from 'prom-client'
import type { WatchRun } from '../../../platform/loop.ts'
import { fromZero } from './from-zero.ts'

/** What runs by itself in this process. */
export function loopMetrics(registry: Registry): WatchRun {
  const [labelNames, registers] = [['loop'], [registry]]
  const runs = new Counter({ name: 'tillhook_loop_runs_total', help: 'Runs of a loop', labelNames, registers })
  const failures = new Counter({
    name: 'tillhook_loop_failures_total',
    help: 'Runs of a loop that threw; each is tried again after a second',
    labelNames,
    registers,
  })
  const found = new Counter({
    name: 'tillhook_loop_found_total',
    help: 'What runs of a loop found to do',
    labelNames,
    registers,
  })
  const seconds = new Counter({
    name: 'tillhook_loop_seconds_total',
    help: 'Time that runs of a loop took',
    labelNames,
    registers,
  })
  const endedAt = new Gauge({
    name: 'tillhook_loop_succeeded_timestamp_seconds',
    help: 'When a run of a loop last ended well, in Unix time',
    labelNames,
    registers,
  })
  return async (loop, run) => {
    const from = performance.now()
    fromZero(failures, 'loop', [loop])
    try {
      const count = await run()
      found.inc({ loop }, count)
      endedAt.setToCurrentTime({ loop })
      return count
    } catch (error) {
      failures.inc({ loop })
      throw error
    } finally {
      runs.inc({ loop })
      seconds.inc({ loop }, (performance.now() - from) / 1_000)
    }
  }
}
