import postgres from 'postgres'
import { assert } from '../../core/assert.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { createPools, type Pools, type PoolsState, type Taken } from './pool.ts'
import { ARRAY_TYPES } from './sql.ts'
import { isConnectionLost, TransactionOver } from './unavailable.ts'

/** Sends one statement: a tagged template whose values travel apart from the text. */
export type Sql = postgres.ISql<{ bigint: number }>

/** The database that a use case receives. */
export interface Db {
  readonly sql: Sql
  /**
   * Commits all of `work` or nothing. A nested call joins the outer transaction, so use cases compose. `work` may run again after a
   * deadlock: it may run SQL and nothing else.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export interface Tx extends Db {
  /** Runs once the outermost transaction has committed, and never when it has not. Must not throw. */
  afterCommit(action: () => void): void
}

export interface Database extends Db {
  close(): Promise<void>
  state(): PoolsState
}

/** Rows that one statement of a purge deletes: the statement holds its locks for milliseconds. */
export const PURGED_AT_ONCE = 1_000

/** The rest of a use case after its rights check: SQL only, in the caller's transaction. */
export type Ready<T> = (db: Db) => Promise<T | Rejection>

/** Runs the rest of a use case at once, for a caller without a transaction of its own. */
export async function completed<T>(db: Db, checked: Promise<Ready<T> | Rejection>): Promise<T | Rejection> {
  const ready = await checked
  return isRejection(ready) ? ready : ready(db)
}

interface DatabaseOptions {
  readonly url: string
  readonly maxConnections?: number
  readonly applicationName?: string
  /** A slower answer counts as an unavailable database. */
  readonly answerWithinMs?: number
  /** A database that takes longer to let a connection in counts as away. */
  readonly connectWithinMs?: number
  /**
   * The URL leads through a pooler that gives each transaction any session: statements are prepared without a name, and the timeouts are
   * those of the role (docs/operating.md).
   */
  readonly isPooled?: boolean
}

/** Longer than any statement of ours takes on a million rows, and shorter than an operator needs to react. */
export const ANSWER_WITHIN_MS = 20_000

/** A deadlock or a failed serialization says "again", and three times is enough to tell load from a bug. */
const TRANSACTION_TRIES = 3
const TRY_AGAIN = new Set(['40P01', '40001'])

export function openDatabase({
  url,
  maxConnections = 12,
  applicationName = 'tillhook',
  answerWithinMs = ANSWER_WITHIN_MS,
  connectWithinMs = 2_000,
  isPooled = false,
}: DatabaseOptions): Database {
  const pools = createPools(url, {
    max: maxConnections,
    connect_timeout: connectWithinMs / 1_000,
    answerWithinMs,
    prepare: !isPooled,
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      // Transactions run nothing but SQL, so an idle transaction has lost its process and must not keep its locks.
      ...(!isPooled && { statement_timeout: answerWithinMs, idle_in_transaction_session_timeout: 2 * answerWithinMs }),
    },
    onnotice: () => {},
    // A statement on a dropped connection fails at once; the pool connects again at the next statement.
    backoff: attempt => Math.min(2, 0.05 * 2 ** attempt),
    fetch_types: false,
    types: { ...ARRAY_TYPES, bigint: { to: 20, from: [20], parse: parseBigint, serialize: String } },
  })
  return {
    sql: follow(() => {
      const { driver } = pools.current()
      return { driver, ask: (go, refuse) => pools.take(({ pool, free }) => go(pool.driver, free), refuse) }
    }),
    transaction: work => transaction(pools, work),
    close: pools.close,
    state: pools.state,
  }
}

/** One connection for one task. */
export function connectOnce(url: string, options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  return postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {}, ...options })
}

async function transaction<T>(pools: Pools, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const actions: (() => void)[] = []
    try {
      const result = await begin(pools, sql => work(joined(sql, actions)))
      for (const action of actions) action()
      return result
    } catch (error) {
      if (attempt === TRANSACTION_TRIES || !TRY_AGAIN.has(codeOf(error))) throw error
    }
  }
}

function begin<T>(pools: Pools, work: (sql: Sql) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    pools.take(taken => resolve(beginOn(taken, pools, work)), reject)
  })
}

/**
 * A lost connection ends its transaction. The driver never learns the end of `work`, because the driver would send the commit or rollback
 * to the connection's next user; later statements of `work` are rejected here. The result of `work` bypasses the driver, which would keep
 * the result until the connection's next transaction.
 */
function beginOn<T>({ pool, ...taken }: Taken, pools: Pools, work: (sql: Sql) => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let isOver = false
  const fail = (error: unknown) => {
    isOver = true
    reject(error)
  }
  const succeed = () => {
    isOver = true
    assert(done, 'a transaction that was committed before its work was done')
    resolve(done.result)
  }
  const sqlOf = (driver: Sql) =>
    follow(() => {
      if (isOver) throw new TransactionOver()
      return { driver, ask: go => go(driver, pools.expectAnswer(pool)) }
    })
  // The driver itself sends the begin and the end. Each statement of the work is tracked separately.
  let { answered } = taken
  let done: { result: T } | undefined
  const untilItsEnd = (driver: Sql) => {
    answered()
    return new Promise<void>((commit, rollBack) => {
      work(sqlOf(driver)).then(
        result => {
          if (isOver) return
          answered = pools.expectAnswer(pool)
          done = { result }
          commit()
        },
        error => {
          if (isOver) return
          if (!isConnectionLost(error)) {
            answered = pools.expectAnswer(pool)
            return rollBack(error)
          }
          pools.leave(pool)
          fail(error)
        },
      )
    })
  }
  pool.driver
    .begin(untilItsEnd)
    .then(succeed, fail)
    .finally(() => {
      answered()
      taken.free()
    })
  return promise
}

function joined(sql: Sql, actions: (() => void)[]): Tx {
  const tx: Tx = {
    sql,
    transaction: work => work(tx),
    afterCommit: action => {
      actions.push(action)
    },
  }
  return tx
}

/** int8 arrives as text. Every amount and count fits a double exactly; a larger value is a bug. */
function parseBigint(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), `int8 out of range: ${text}`)
  return value
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

/** Sends the statements of a tag. */
interface Sender {
  readonly driver: Sql
  /** Asks for a connection and calls `go` with its driver; `go` calls `answered` once the answer is there. */
  ask(go: (driver: Sql, answered: () => void) => void, reject: (error: unknown) => void): void
}

/** A template tag whose statements ask the current sender for a connection when they are awaited. */
function follow(current: () => Sender): Sql {
  return new Proxy((() => {}) as unknown as Sql, {
    apply: (_target, _self, [strings, ...args]) => {
      const sender = current()
      const query = make(sender.driver, strings, args)
      if (query instanceof Promise) sendBy(query as Query, sender)
      return query
    },
    get: (_target, name) => Reflect.get(current().driver, name),
  })
}

/** The driver's lazy promise of a statement: awaiting it calls `handler`. A part of another statement is never awaited. */
interface Query extends Promise<unknown> {
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  handler: (query: Query) => void
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
}

function make(driver: Sql, strings: unknown, args: readonly unknown[]): unknown {
  return Reflect.apply(driver, undefined, [strings, ...args])
}

function sendBy(query: Query, sender: Sender): void {
  const send = query.handler
  query.handler = () => {
    const go = (driver: Sql, answered: () => void) => {
      // The promise's own `then`: a caller may have replaced that of the query, as the simulation does.
      Promise.prototype.then.call(query, answered, answered)
      // The pool may have been replaced while the statement waited for its turn.
      if (driver === sender.driver) send(query)
      else (make(driver, query.strings, query.args) as Query).then(query.resolve, query.reject)
    }
    sender.ask(go, query.reject)
  }
}
