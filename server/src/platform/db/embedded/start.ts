import { hash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import {
  boundLog,
  findPostmaster,
  isReady,
  keepRunning,
  type Settings,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts'
import {
  chooseSite,
  createCluster,
  EmbeddedDatabaseError,
  exists,
  findBinaries,
  type Log,
  noteSite,
  openDataFolder,
  passwordIn,
  type RunAs,
  type Site,
} from './site.ts'

export type EmbeddedOptions = {
  dataDir: string
  log: Log
  /** The way root runs PostgreSQL; `nobody` skips the attempt with a user namespace. */
  runAs?: RunAs
  /** The folder of clusters that run as `nobody`. */
  places?: string
  /** PostgreSQL settings to change; tests turn fsync off. */
  settings?: Settings
}

export type Embedded = {
  /** For the service role, which owns its database only. */
  url: string
  /** For the administrator, a superuser used by tests and tools. */
  adminUrl: string
  pid: number
  /** Ends all sessions and the server. Call it last, after the pools are closed. */
  stop(): Promise<void>
}

const ADMIN = 'tillhook_admin'
const USER = 'tillhook'
const DATABASE = 'tillhook'
const HOST = '127.0.0.1'
/** The time that another process may need for a first start on a slow disk, or for a recovery. */
const START_LOCK_WITHIN_MS = 360_000
const BOUND_LOG_EVERY_MS = 10 * 60_000

/**
 * The service's own PostgreSQL on `dataDir`: created on the first start, and taken over if a killed service left the server running. Throws
 * EmbeddedDatabaseError, also if another service runs on the same data; that service keeps its server.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = await openDataFolder(options.dataDir)
  try {
    const startLock = await lockStart(join(dataDir, 'start.lock'), START_LOCK_WITHIN_MS)
    return await startLocked({ ...options, dataDir }).finally(() => startLock.release())
  } catch (cause) {
    if (cause instanceof EmbeddedDatabaseError) throw cause
    throw new EmbeddedDatabaseError(`The database in ${dataDir} could not be started: ${String(cause)}`, { cause })
  }
}

async function startLocked({ dataDir, log, runAs, places, settings }: EmbeddedOptions): Promise<Embedded> {
  const site = await chooseSite(dataDir, findBinaries(), runAs ?? 'detect', places ?? '/var/lib/tillhook')
  const isFirstStart = !(await exists(site.cluster))
  const password = await passwordIn(dataDir, isFirstStart)
  if (isFirstStart) {
    log.info({ cluster: site.cluster }, 'creating the database')
    await createCluster(site, ADMIN, password, settings ?? {})
  }
  await noteSite(site)
  const logPath = join(dataDir, 'postgres.log')
  await boundLog(logPath)
  const { postmaster, lock, url, adminUrl } = await occupy(site, {
    dataDir,
    log,
    password,
    logPath,
    settings: settings ?? {},
  })
  const timer = setInterval(() => {
    boundLog(logPath).catch(error => log.warn({ err: error }, 'the log of PostgreSQL could not be shortened'))
  }, BOUND_LOG_EVERY_MS).unref()
  const watch = keepRunning(postmaster, { site, logPath, settings: settings ?? {}, log })
  return {
    url,
    adminUrl,
    pid: postmaster.pid,
    stop: async () => {
      clearInterval(timer)
      await watch.stop()
      await lock.release(() => stopPostmaster(watch.postmaster(), site.cluster))
    },
  }
}

type Occupation = { dataDir: string; log: Log; password: string; logPath: string; settings: Settings }

/** A running server may be stopping with the previous service. In that case wait and start a new server. */
async function occupy(site: Site, input: Occupation) {
  const { dataDir, log, password, logPath, settings } = input
  // The service never holds the administrator's password: the service's password derives from the administrator's, never the reverse.
  const service = { user: USER, database: DATABASE, password: hash('sha256', `service ${password}`, 'base64url') }
  for (let starts = 1; ; starts += 1) {
    const found = await findPostmaster(site)
    const postmaster = found ?? (await startPostmaster(site, logPath, settings))
    const at = `${HOST}:${postmaster.port}`
    const url = `postgres://${USER}:${service.password}@${at}/${DATABASE}`
    const adminUrl = `postgres://${ADMIN}:${password}@${at}/${DATABASE}`
    try {
      await prepareDatabase(adminUrl, site.cluster, service)
      const lock = await lockData({ url, dataDir, log })
      if (!(await isReady(postmaster, site.cluster))) {
        // A stopping server ends its sessions one by one, ours last, so the lock was free.
        await lock.release(async () => {})
        throw new Error('PostgreSQL was stopped while this service started on it')
      }
      log.info({ postgresPid: postmaster.pid, port: postmaster.port, adopted: found !== null }, 'PostgreSQL is ready')
      return { postmaster, lock, url, adminUrl }
    } catch (error) {
      if (found === null) await stopPostmaster(postmaster, site.cluster)
      if (found === null || error instanceof EmbeddedDatabaseError || starts === 3) throw error
      await wait(100)
    }
  }
}

/** The role and database of the service. */
interface ServiceAccess {
  readonly user: string
  readonly password: string
  readonly database: string
}

/**
 * Proves that the server is ours: the server accepts the administrator's password and serves our folder. Creates the service's role and
 * database if they are missing. The role owns its database and has no other right: a statement of the service can neither read files of the
 * server (`pg_read_file` would read the master key) nor start programs.
 */
async function prepareDatabase(adminUrl: string, cluster: string, service: ServiceAccess): Promise<void> {
  // The service's own database may not exist yet.
  const sql = connectOnce(adminUrl, { database: 'postgres' })
  try {
    const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`
    if (row?.folder !== cluster)
      throw new EmbeddedDatabaseError(`The running PostgreSQL serves ${row?.folder}, not ${cluster}.`)
    await createMissing(sql, service)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === WRONG_PASSWORD)) throw error
    throw new EmbeddedDatabaseError(
      `The PostgreSQL of ${cluster} rejects the password in postgres.password. Restore that file from a backup. Data of Tillhook 0.1.0 cannot be used: set another TILLHOOK_DATA_DIR.`,
      { cause: error },
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** One connection for one task. */
export function connectOnce(url: string, options: postgres.Options<Record<string, never>> = {}): Sql {
  return postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {}, ...options })
}

const WRONG_PASSWORD = '28P01'

/** The start lock lets one process at a time come here. */
async function createMissing(sql: Sql, { user, password, database }: ServiceAccess): Promise<void> {
  const [found] = await sql<{ hasRole: boolean; hasDatabase: boolean }[]>`
    select exists (select 1 from pg_roles where rolname = ${user}) as "hasRole",
      exists (select 1 from pg_database where datname = ${database}) as "hasDatabase"`
  if (!found?.hasRole) {
    // A utility statement takes no parameters: PostgreSQL itself quotes the values.
    const [made] = await sql<{ statement: string }[]>`
      select format('create role %I login nosuperuser nocreatedb nocreaterole password %L',
        ${user}::text, ${password}::text) as statement`
    await sql.unsafe(made?.statement ?? '')
  }
  if (!found?.hasDatabase) await sql`create database ${sql(database)} owner ${sql(user)}`
}

/** "TILL" in ASCII: the first half of the advisory locks on a whole database. */
const CLASS = 0x54494c4c
/** The kernel closes the connection of a killed holder at once; its backend notices soon after. */
const HELD_WITHIN_MS = 3_000

type DataLock = {
  /** Runs `last` under the lock, so that no other service starts on a stopping server. */
  release(last: () => Promise<void>): Promise<void>
}

/**
 * Allows one service per data folder by a session lock. The connection of the lock lives as long as the service. After a lost connection
 * the lock is taken again. Throws EmbeddedDatabaseError if another service holds the lock.
 */
async function lockData({ url, dataDir, log, key = 1 }: LockInput): Promise<DataLock> {
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

type StartLock = { release(): void }

/**
 * One start at a time in a data folder. The lock is SQLite's, because Node offers kernel file locks only through SQLite. The kernel releases such
 * a lock the moment its holder dies, so no process number can be stale or reused. The file stays empty and is never deleted.
 */
async function lockStart(path: string, withinMs: number): Promise<StartLock> {
  const giveUpAt = performance.now() + withinMs
  const file = new DatabaseSync(path, { timeout: 0 })
  while (!tryLock(file)) {
    if (performance.now() > giveUpAt) {
      file.close()
      throw new EmbeddedDatabaseError(`Another start holds ${path} for over ${withinMs / 1000} s. Stop that process.`)
    }
    await wait(25)
  }
  return { release: () => file.close() }
}

function tryLock(file: DatabaseSync): boolean {
  const busy = 5
  try {
    file.exec('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return false
    throw error
  }
}
