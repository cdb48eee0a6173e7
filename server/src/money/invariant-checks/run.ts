import type { Database, Db, Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { INVARIANT_CHECK_NAMES, INVARIANT_CHECKS, type InvariantCheckName, type Violation } from './checks.ts'

export interface CheckResult {
  readonly check: InvariantCheckName
  readonly rule: string
  /** `UNKNOWN`: the check took too long or failed. */
  readonly status: 'PASSED' | 'VIOLATED' | 'UNKNOWN'
  /** The first few. */
  readonly violations: readonly Violation[]
}

export interface CheckOptions {
  readonly only?: InvariantCheckName
  /** Time limit per check. Default: as long as a caller may wait. */
  readonly maxMs?: number
  /** True: stop, and cancel the running statement. */
  readonly isStopped?: () => boolean
}

const DEFAULT_MAX_MS = 5_000
const SAMPLE = 20
const STOP_WITHIN_MS = 250
/** Background jobs run several times a second; the longest pause after failures is a minute. */
const OVERDUE_MS = 5 * 60_000

/** Runs all checks or one, each in a read-only transaction with a time limit. */
export async function runChecks(
  { db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>,
  { only, maxMs = DEFAULT_MAX_MS, isStopped = () => false }: CheckOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of only === undefined ? INVARIANT_CHECK_NAMES : [only]) {
    if (isStopped()) break
    const { rule, find } = INVARIANT_CHECKS[check]
    const bounds = { limit: SAMPLE, now: clock.now(), overdueMs: OVERDUE_MS }
    try {
      const violations = await reading(db, { maxMs, isStopped }, sql => find(sql, bounds))
      results.push({ check, rule, status: violations.length === 0 ? 'PASSED' : 'VIOLATED', violations })
      if (violations.length > 0) log.error({ check, violations }, 'an invariant check found violations')
    } catch (error) {
      log.warn({ err: error, check }, 'an invariant check did not finish')
      results.push({ check, rule, status: 'UNKNOWN', violations: [] })
    }
  }
  return results
}

type ReadOptions = Required<Pick<CheckOptions, 'maxMs' | 'isStopped'>>

function reading<T>(db: Db, { maxMs, isStopped }: ReadOptions, work: (sql: Sql) => Promise<T>): Promise<T> {
  return db.transaction(async ({ sql }) => {
    const [own] = await sql<{ pid: number }[]>`
      select pg_backend_pid() as pid, set_config('transaction_read_only', 'on', true),
        set_config('statement_timeout', ${String(maxMs)}, true)`
    const watching = setInterval(() => {
      if (isStopped()) db.sql`select pg_cancel_backend(${own?.pid ?? 0})`.catch(() => {})
    }, STOP_WITHIN_MS)
    try {
      return await work(sql)
    } finally {
      clearInterval(watching)
    }
  })
}

/**
 * Time limit per check of the hourly run: the checks that read every notification need minutes for millions. A longer snapshot would keep
 * vacuum from removing dead rows.
 */
export const HOURLY_MAX_MS = 5 * 60_000

/** Results of the last hourly run in this process, for metrics. */
export interface LatestChecks {
  results: readonly CheckResult[]
}

export interface HourlyOptions {
  readonly latestChecks: LatestChecks
  /** A database whose statements may take HOURLY_MAX_MS. */
  openDatabase(): Database
}

/** Runs all checks and keeps the results. A stopped run keeps nothing. */
export async function runHourlyChecks(
  ports: Pick<Ports, 'clock' | 'log'>,
  { latestChecks, openDatabase }: HourlyOptions,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const db = openDatabase()
  try {
    const results = await runChecks({ ...ports, db }, { maxMs: HOURLY_MAX_MS, isStopped })
    if (!isStopped()) latestChecks.results = results
  } finally {
    await db.close()
  }
  return 0
}
