import postgres from 'postgres'
import { NoConnectionInTime } from './unavailable.ts'

type Driver = postgres.Sql<{ bigint: number }>

/** A driver with its connections, until one of them is lost. */
export interface Pool {
  readonly driver: Driver
}

/** And how many of them are taken. */
interface Used extends Pool {
  inUse: number
}

/**
 * The pool to use now. One that lost a connection is left for a new one: the driver takes up a lost connection again with
 * what remained of it (an unsent statement, an old error, a caller that waits), and sends on it also what a transaction
 * of the old one still sends. In a pool that is left nothing is taken up again. Whoever has it goes on for a
 * moment, and is then refused as by a database that is away.
 * Source: github.com/porsager/postgres, issues 1186, 1204 and 1216.
 */
export interface Pools {
  current(): Pool
  /**
   * Asks for a connection that nobody else uses. `go` is called with it: at once where one is free, else in turn, in the pool of that moment. Left to
   * itself the driver sends on a busy one, behind whatever that waits for, though others are free sooner. An answer is expected from now on.
   */
  take(go: (taken: Taken) => void, refuse: (error: unknown) => void): void
  leave(pool: Pool): void
  /**
   * Something was asked of this pool: call what this returns when it is answered. A database that accepts and then says
   * nothing ends no connection, so that nobody would ever be told: where an answer takes too long, the pool is left.
   */
  expectAnswer(pool: Pool): () => void
  close(): Promise<void>
  state(): PoolsState
}

export interface Taken {
  readonly pool: Pool
  /** The first answer is there. */
  answered(): void
  /** And nothing more is sent on it. */
  free(): void
}

/** For gauges. */
export interface PoolsState {
  /** Statements that were asked and not answered; more than there are connections: some wait for one. */
  readonly awaited: number
  /** Pools that were left since the start, for a lost connection or for silence. */
  readonly left: number
}

/** So that each end of a connection is a loss. */
const KEPT_OPEN = { idle_timeout: 0, max_lifetime: null }

/**
 * The last statement of a full pipeline, where it is a `begin`, gets no connection of its own (porsager/postgres#1189). Many may go together at a
 * close, and within a transaction.
 */
const NEVER_FULL = { max_pipeline: Number.MAX_SAFE_INTEGER }

/** Longer than most statements take, short against what a caller waits. */
const LEFT_WITHIN_SECONDS = 2
const CLOSE_WITHIN_SECONDS = 5

/** Past the time after which the server itself gives a statement up: it must have had its chance to say so. */
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
        // Called when the first connection is there. One that never was has left nothing behind.
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

  /** Once it is closed the driver has all of it, and says what becomes of it. */
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
      // Anew: how long it waited for others says nothing of this connection.
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
