import type { Db } from '../db/db.ts'
import type { Ports } from '../ports.ts'
import type { Checker, Violation } from './checker.ts'
import { CHECKER_NAMES, CHECKERS, type CheckerName } from './checkers.ts'

export interface CheckResult {
  readonly checker: CheckerName
  readonly holds: string
  /** `UNKNOWN`: it took longer than it may, or failed. */
  readonly status: 'HOLDS' | 'VIOLATED' | 'UNKNOWN'
  /** The first of them. */
  readonly violations: readonly Violation[]
}

/** A look at the books must not weigh on the work: of each checker, this is enough on millions of rows, or it gives up. */
const MOST_MS = 5_000
const SAMPLE = 20

/** The loops look several times a second; the slowest rest of one after failures is a minute. */
const OVERDUE_MS = 5 * 60_000

/** Runs the checkers, or the one that is named, each in a reading transaction that ends in time. Nothing is changed. */
export async function check(
  { db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>,
  only?: CheckerName,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const checker of only === undefined ? CHECKER_NAMES : [only]) {
    const { holds, find } = CHECKERS[checker]
    const bounds = { limit: SAMPLE, now: clock.now(), overdueMs: OVERDUE_MS }
    try {
      const violations = await reading(db, sql => find(sql, bounds))
      results.push({ checker, holds, status: violations.length === 0 ? 'HOLDS' : 'VIOLATED', violations })
      if (violations.length > 0) log.error({ checker, violations }, 'the books break a rule that must always hold')
    } catch (error) {
      log.warn({ err: error, checker }, 'a checker did not finish')
      results.push({ checker, holds, status: 'UNKNOWN', violations: [] })
    }
  }
  return results
}

function reading<T>(db: Db, work: (sql: Parameters<Checker['find']>[0]) => Promise<T>): Promise<T> {
  return db.transaction(async ({ sql }) => {
    await sql`
      select set_config('transaction_read_only', 'on', true), set_config('statement_timeout', ${String(MOST_MS)}, true)`
    return await work(sql)
  })
}
