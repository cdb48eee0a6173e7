import type { Database } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { check } from './check.ts'
import type { LatestChecks } from './latest.ts'

/**
 * Of each checker: nobody waits, and those that look at each notification need some minutes for millions. Meanwhile its
 * snapshot keeps dead rows from being cleared away, so not longer.
 */
export const CHECK_AT_MOST_MS = 5 * 60_000

export interface HourlyOptions {
  readonly latestChecks: LatestChecks
  /** One whose statements may take CHECK_AT_MOST_MS: in any other, who does not answer soon counts as away. */
  openDatabase(): Database
}

/** Looks through all of the books and keeps what it found, for metrics. One that is stopped keeps nothing. */
export async function checkHourly(
  ports: Pick<Ports, 'clock' | 'log'>,
  { latestChecks, openDatabase }: HourlyOptions,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const db = openDatabase()
  try {
    const results = await check({ ...ports, db }, { mostMs: CHECK_AT_MOST_MS, isStopped })
    if (!isStopped()) latestChecks.keep(results)
  } finally {
    await db.close()
  }
  return 0
}
