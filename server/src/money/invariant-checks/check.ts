import type { Db, Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import type { Violation } from './checker.ts'
import { CHECKER_NAMES, CHECKERS, type CheckerName } from './checkers.ts'

export interface CheckResult {
  readonly checker: CheckerName
  readonly holds: string
  /** `UNKNOWN`: it took longer than it may, or failed. */
  readonly status: 'HOLDS' | 'VIOLATED' | 'UNKNOWN'
  /** The first of them. */
  readonly violations: readonly Violation[]
}

export interface CheckOptions {
  readonly only?: CheckerName
  /** Of each checker: it gives up after that. Default: what somebody may wait for. */
  readonly mostMs?: number
  /** Asked now and then; once it was, nothing more is looked at. */
  readonly isStopped?: () => boolean
}

/** A look at the books must not weigh on the work. */
const MOST_MS = 5_000
const SAMPLE = 20
const STOPS_WITHIN_MS = 250

/** The loops look several times a second; the slowest rest of one after failures is a minute. */
const OVERDUE_MS = 5 * 60_000

/** Runs the checkers, or the one that is named, each in a reading transaction that ends in time. Nothing is changed. */
export async function check(
  { db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>,
  { only, mostMs = MOST_MS, isStopped = () => false }: CheckOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const checker of only === undefined ? CHECKER_NAMES : [only]) {
    if (isStopped()) break
    const { holds, find } = CHECKERS[checker]
    const bounds = { limit: SAMPLE, now: clock.now(), overdueMs: OVERDUE_MS }
    try {
      const violations = await reading(db, { mostMs, isStopped }, sql => find(sql, bounds))
      results.push({ checker, holds, status: violations.length === 0 ? 'HOLDS' : 'VIOLATED', violations })
      if (violations.length > 0) log.error({ checker, violations }, 'the books break a rule that must always hold')
    } catch (error) {
      log.warn({ err: error, checker }, 'a checker did not finish')
      results.push({ checker, holds, status: 'UNKNOWN', violations: [] })
    }
  }
  return results
}

type ReadOptions = Required<Pick<CheckOptions, 'mostMs' | 'isStopped'>>

function reading<T>(db: Db, { mostMs, isStopped }: ReadOptions, work: (sql: Sql) => Promise<T>): Promise<T> {
  return db.transaction(async ({ sql }) => {
    const [own] = await sql<{ pid: number }[]>`
      select pg_backend_pid() as pid, set_config('transaction_read_only', 'on', true),
        set_config('statement_timeout', ${String(mostMs)}, true)`
    // PostgreSQL would go on for whoever has left.
    const watching = setInterval(() => {
      if (isStopped()) db.sql`select pg_cancel_backend(${own?.pid ?? 0})`.catch(() => {})
    }, STOPS_WITHIN_MS)
    try {
      return await work(sql)
    } finally {
      clearInterval(watching)
    }
  })
}
