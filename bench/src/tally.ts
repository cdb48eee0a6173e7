export type Failures = Readonly<Record<string, number>>

/** The results of one measurement. A failed request counts as a failure and has no latency. */
export interface Tally {
  readonly latenciesMs: readonly number[]
  readonly failures: Failures
  succeeded(latencyMs: number): void
  failed(word: string, times?: number): void
}

export function createTally(): Tally {
  const latenciesMs: number[] = []
  const failures: Record<string, number> = {}
  return {
    latenciesMs,
    failures,
    succeeded: latencyMs => {
      latenciesMs.push(latencyMs)
    },
    failed: (word, times = 1) => {
      if (times > 0) failures[word] = (failures[word] ?? 0) + times
    },
  }
}
