import postgres from 'postgres'
import { NoConnectionInTime } from './unavailable.ts'

type Driver = postgres.Sql<{ bigint: number }>

/** A driver with its connections, until a connection is lost. */
export interface Pool {
  readonly driver: Driver
}

/** A pool and its number of connections in use. */
interface Used extends Pool {
  inUse: number
}

/**
 * The current pool. After a lost connection a new pool replaces the old one, because the driver reuses a lost connection together with its
 * unsent statement, old error or waiting caller, and also sends the rest of an old transaction on it. A replaced pool accepts nothing new.
 * Source: github.com/porsager/postgres, issues 1186, 1204 and 1216.
 */
export interface Pools {
  current(): Pool
  /**
   * Requests an exclusive connection of the current pool and calls `go` with it, at once or in turn. Without this the driver would queue
   * statements on a busy connection although another becomes free sooner. The time limit of the first answer begins with `go`.
   */
  take(go: (taken: Taken) => void, refuse: (error: unknown) => void): void
  leave(pool: Pool): void
  /**
   * Records a query on this pool; call the result when the answer arrives. A silent database ends no connection, so a late answer replaces
   * the pool.
   */
  expectAnswer(pool: Pool): () => void
  close(): Promise<void>
  state(): PoolsState
}

export interface Taken {
  readonly pool: Pool
  /** The first answer is there. */
  answered(): void
  /** Returns the connection. Send nothing more on it. */
  free(): void
}

/** For gauges. */
export interface PoolsState {
  /** Statements that were asked and not answered; more than there are connections: some wait for one. */
  readonly awaited: number
  /** Pools that were left since the start, for a lost connection or for silence. */
  readonly left: number
}

/** Connections never end on our side, so every end of a connection is a loss. */
const KEPT_OPEN = { idle_timeout: 0, max_lifetime: null }

/**
 * If the last statement of a full pipeline is a `begin`, the driver gives it no separate connection (porsager/postgres#1189). A
 * connection gets several statements at once when the pools close, and within a transaction.
 */
const NEVER_FULL = { max_pipeline: Number.MAX_SAFE_INTEGER }

/** Longer than most statements take, and shorter than a caller waits. */
const LEFT_WITHIN_SECONDS = 2
const CLOSE_WITHIN_SECONDS = 5

/** The factor exceeds 1, because the server's own statement timeout must have had its chance to answer. */
const SILENT_AFTER_FACTOR = 1.25

export function createPools(
  url: string,
  {
    answerWithinMs,
    ...options
  }: postgres.Options<{ bigint: postgres.PostgresType<number> }> & { max: number; answerWithinMs: number },
): Pools {
  let isClosed = false
  let awaited = 0
  let countLeft = 0
  let current = open()
  const waiting: ((pool: Used) => void)[] = []
  const leaving = new Set<Promise<void>>()

  function open(): Used {
    let wasUp = false
    const pool: Used = {
      inUse: 0,
      driver: postgres(url, {
        ...options,
        ...KEPT_OPEN,
        ...NEVER_FULL,
        // Called for the first connection. A failed connection leaves nothing behind.
        onparameter: () => {
          wasUp = true
        },
        onclose: () => {
          if (wasUp) leave(pool)
        },
      }),
    }
    return pool
  }

  function leave(pool: Pool): void {
    if (isClosed || pool !== current) return
    current = open()
    countLeft++
    const left = pool.driver.end({ timeout: LEFT_WITHIN_SECONDS }).finally(() => leaving.delete(left))
    leaving.add(left)
    serve()
  }

  /** Gives free connections to waiting callers, in turn. At a close all callers get one: the driver reports the outcomes. */
  function serve(): void {
    while (waiting.length > 0 && (current.inUse < options.max || isClosed)) waiting.shift()?.(current)
  }

  function take(go: (taken: Taken) => void, refuse: (error: unknown) => void): void {
    const served = expectAnswer(() => {
      waiting.splice(waiting.indexOf(begin), 1)
      served()
      refuse(new NoConnectionInTime())
    })
    const begin = (pool: Used) => {
      served()
      // Restart the clock: the time in the queue says nothing about this connection.
      const answered = expectAnswer(() => leave(pool))
      pool.inUse++
      const free = () => {
        answered()
        pool.inUse--
        serve()
      }
      go({ pool, answered, free })
    }
    waiting.push(begin)
    serve()
  }

  function expectAnswer(onSilence: () => void): () => void {
    const timer = setTimeout(onSilence, answerWithinMs * SILENT_AFTER_FACTOR)
    awaited++
    let isAnswered = false
    return () => {
      clearTimeout(timer)
      if (!isAnswered) awaited--
      isAnswered = true
    }
  }

  return {
    current: () => current,
    leave,
    take,
    expectAnswer: pool => expectAnswer(() => leave(pool)),
    state: () => ({ awaited, left: countLeft }),
    close: async () => {
      isClosed = true
      serve()
      await Promise.all([current.driver.end({ timeout: CLOSE_WITHIN_SECONDS }), ...leaving])
    },
  }
}
