import type { CheckResult } from './check.ts'

/** What the last round of this process found: metrics are scraped more often than books are looked through. */
export interface LatestChecks {
  results(): readonly CheckResult[]
  keep(results: readonly CheckResult[]): void
}

export function createLatestChecks(): LatestChecks {
  let kept: readonly CheckResult[] = []
  return {
    results: () => kept,
    keep: results => {
      kept = results
    },
  }
}
