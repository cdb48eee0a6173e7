import type { Clock } from '../../core/clock.ts'
import type { ObserveRun } from '../../platform/loop.ts'

/** The latest run of a background job in this process. */
export interface LatestRun {
  readonly job: string
  readonly endedAt: Date
  readonly isFailed: boolean
}

export interface LatestRuns {
  readonly observe: ObserveRun
  /** By name of the job. */
  list(): readonly LatestRun[]
}

/** Remembers the latest run of each background job, for the page about the system. */
export function createLatestRuns({ now }: Clock): LatestRuns {
  const runs = new Map<string, LatestRun>()
  return {
    async observe(job, run) {
      let isFailed = true
      try {
        const done = await run()
        isFailed = false
        return done
      } finally {
        runs.set(job, { job, endedAt: now(), isFailed })
      }
    },
    list: () => [...runs.values()].sort((one, other) => one.job.localeCompare(other.job)),
  }
}
