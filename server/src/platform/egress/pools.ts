import { Pool } from 'undici'

export interface Pools {
  /** The pool of this sharer for this origin. Throws for an invalid origin. */
  of(sharer: string, origin: string): Pool
  /** Replaces a pool whose connections may all be dead. The old pool finishes its requests and receives no new ones. */
  anew(sharer: string, origin: string, dead: Pool): Pool
  state(): PoolsState
  destroy(): Promise<void>
}

/**
 * The connections opened since the start, the open connections, and the pools. Reused connections keep the first number below the number of
 * requests.
 */
export interface PoolsState {
  readonly connectionsOpened: number
  readonly connectionsOpen: number
  readonly pools: number
}

export interface PoolsOptions {
  /** The limit of connections and pools. Above the limit the least recently used idle ones are closed; busy ones are never closed. */
  readonly atMost: number
  readonly ofEach: Pool.Options
}

/**
 * Keep-alive connections per sharer: no sharer waits for a connection of another, even for one origin. A pool lives while it has a
 * connection or a request.
 */
export function createPools({ atMost, ofEach }: PoolsOptions): Pools {
  /** Least recently used first. */
  const pools = new Map<string, Pool>()
  let opened = 0
  let open = 0

  function create(key: string, origin: string): Pool {
    const pool = new Pool(origin, ofEach)
    const forgetUnused = () => {
      const { connected, size } = pool.stats
      if (pools.get(key) === pool && connected === 0 && size === 0) remove(key, pool)
    }
    pool.on('connect', () => {
      opened++
      open++
      spare()
    })
    pool.on('disconnect', () => {
      open--
      forgetUnused()
    })
    pool.on('connectionError', forgetUnused)
    return pool
  }

  function spare(): void {
    let tooMany = open - atMost
    for (const [key, pool] of pools) {
      if (tooMany <= 0 && pools.size <= atMost) return
      const { size, connected } = pool.stats
      if (size > 0) continue
      tooMany -= connected
      remove(key, pool)
    }
  }

  function remove(key: string, pool: Pool): void {
    pools.delete(key)
    if (!pool.destroyed) void pool.close()
  }

  function of(sharer: string, origin: string): Pool {
    const key = keyOf(sharer, origin)
    const pool = pools.get(key) ?? create(key, origin)
    pools.delete(key)
    pools.set(key, pool)
    if (pools.size > atMost) spare()
    return pool
  }

  return {
    of,
    anew: (sharer, origin, dead) => {
      const key = keyOf(sharer, origin)
      if (pools.get(key) === dead) remove(key, dead)
      return of(sharer, origin)
    },
    state: () => ({ connectionsOpened: opened, connectionsOpen: open, pools: pools.size }),
    destroy: async () => {
      await Promise.all([...pools.values()].map(pool => pool.destroy()))
    },
  }
}

function keyOf(sharer: string, origin: string): string {
  return `${sharer} ${origin}`
}
