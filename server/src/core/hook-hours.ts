/** Upper bounds of the counted durations, in milliseconds. Longer ones are in a last bucket; attempts end after 2 s. */
const BOUNDS_MS = [5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000] as const
const LONGEST_MS = 2_500

/** The outcome of attempts that the hook acknowledged. */
export const ACKNOWLEDGED = 'ACKNOWLEDGED'

interface CountedAttempt {
  readonly hookId: string
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly acknowledged: boolean
  readonly httpStatus?: number
  readonly reason?: string
}

/** The attempts of a hook in one hour (UTC) with the same outcome. */
export interface HourCount {
  readonly hookId: string
  readonly hour: Date
  /** ACKNOWLEDGED, an HTTP status or a reason word. */
  readonly outcome: string
  readonly attempts: number
  /** Attempts by duration, in the order of the bounds. */
  readonly durations: readonly number[]
}

/** Counts attempts by hook, hour and outcome, in one order for all processes. */
export function countByHour(attempts: readonly CountedAttempt[]): HourCount[] {
  const counts = new Map<string, HourCount & { attempts: number; readonly durations: number[] }>()
  for (const attempt of attempts) {
    const hour = new Date(Math.floor(attempt.attemptedAt.getTime() / HOUR_MS) * HOUR_MS)
    const outcome = outcomeOf(attempt)
    const key = `${attempt.hookId} ${hour.getTime()} ${outcome}`
    const count = counts.get(key) ?? { hookId: attempt.hookId, hour, outcome, attempts: 0, durations: noDurations() }
    const bucket = bucketOf(attempt.durationMs)
    count.attempts++
    count.durations[bucket] = (count.durations[bucket] ?? 0) + 1
    counts.set(key, count)
  }
  return [...counts.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count)
}

const HOUR_MS = 3_600_000

export const noDurations = (): number[] => Array(BOUNDS_MS.length + 1).fill(0)

export function addDurations(one: readonly number[], other: readonly number[]): number[] {
  return noDurations().map((_, bucket) => (one[bucket] ?? 0) + (other[bucket] ?? 0))
}

/**
 * The duration that a share (0 to 1) of the attempts does not exceed, in whole milliseconds: exact to the width of a bucket, within which
 * durations count as evenly spread. Null without attempts.
 */
export function percentileMs(durations: readonly number[], share: number): number | null {
  const total = durations.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let below = 0
  for (const [bucket, count] of durations.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = BOUNDS_MS[bucket - 1] ?? 0
      const to = BOUNDS_MS[bucket] ?? LONGEST_MS
      return Math.round(from + ((to - from) * (rank - below)) / count)
    }
    below += count
  }
  return LONGEST_MS
}

function outcomeOf({ acknowledged, reason, httpStatus }: CountedAttempt): string {
  return acknowledged ? ACKNOWLEDGED : (reason ?? String(httpStatus))
}

function bucketOf(durationMs: number): number {
  const bucket = BOUNDS_MS.findIndex(bound => durationMs <= bound)
  return bucket === -1 ? BOUNDS_MS.length : bucket
}
