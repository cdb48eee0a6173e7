import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { connectOnce } from './connect.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Log } from './embedded-log.ts'

/** "TILL" in ASCII: the first half of the advisory locks on a whole database. */
const CLASS = 0x54494c4c
/** The kernel closes the connection of a killed holder at once; its backend notices soon after. */
const HELD_WITHIN_MS = 3_000

export type DataLock = {
  /** Runs `last` while the lock is still held, so that nobody begins on a server which is about to stop. */
  release(last: () => Promise<void>): Promise<void>
}

/**
 * One service at a time on this data: a session lock on a connection that lives as long as the service. If PostgreSQL
 * loses the connection, the lock is taken again. Throws EmbeddedDatabaseError when another service holds it.
 */
export async function lockData({ url, dataDir, log, key = 1 }: LockInput): Promise<DataLock> {
  let holding = false
  const sql = connectOnce(url, {
    idle_timeout: 0,
    max_lifetime: null,
    connection: { application_name: `tillhook ${process.pid}` },
    onclose: () => {
      if (holding) void retake()
    },
  })
  const retake = async () => {
    holding = false
    while (!released) {
      const taken = await tryWithin(sql, key, HELD_WITHIN_MS).catch(() => null)
      if (released) return
      if (taken === true) {
        holding = true
        return
      }
      if (taken === false) log.error({ dataDir }, 'another Tillhook has taken the data while PostgreSQL restarted')
      await wait(250, undefined, { ref: false })
    }
  }
  let released = false
  try {
    if (!(await tryWithin(sql, key, HELD_WITHIN_MS))) throw heldBy(await findHolder(sql, key), dataDir)
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw error
  }
  holding = true
  return {
    release: async last => {
      released = true
      holding = false
      await last().finally(() => sql.end({ timeout: 0 }))
    },
  }
}

type LockInput = { url: string; dataDir: string; log: Log; key?: number }

async function tryWithin(sql: Sql, key: number, withinMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${CLASS}::int, ${key}::int) as taken`
    if (row?.taken) return true
    if (performance.now() > giveUpAt) return false
    await wait(50)
  }
}

async function findHolder(sql: Sql, key: number): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    select a.application_name as name
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.classid = ${CLASS}::int::oid and l.objid = ${key}::int::oid
  `
  return row?.name ?? null
}

function heldBy(name: string | null, dataDir: string): EmbeddedDatabaseError {
  const process = name?.replace('tillhook ', '') ?? 'unknown'
  return new EmbeddedDatabaseError(
    `Another Tillhook is running on ${dataDir} (process ${process}). Stop it, or give this one another TILLHOOK_DATA_DIR.`,
  )
}
