import { hash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { connectOnce } from '../db.ts'
import { boundLog, findPostmaster, keepRunning, type Settings, startPostmaster, stopPostmaster } from './postmaster.ts'
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
const BOUND_LOG_EVERY_MS = 10 * 60_000

/**
 * The service's own PostgreSQL on `dataDir`: created on the first start, and taken over if a killed service left the server running. Throws
 * EmbeddedDatabaseError, also if another service runs on the same data; that service keeps its server.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = await openDataFolder(options.dataDir)
  let lock: FolderLock | undefined
  try {
    lock = await lockFolder(dataDir)
    const embedded = await startLocked({ ...options, dataDir }, lock)
    await lock.name()
    return embedded
  } catch (cause) {
    lock?.release()
    if (cause instanceof EmbeddedDatabaseError) throw cause
    throw new EmbeddedDatabaseError(`The database in ${dataDir} could not be started: ${String(cause)}`, { cause })
  }
}

async function startLocked(
  { dataDir, log, runAs, places, settings = {} }: EmbeddedOptions,
  lock: FolderLock,
): Promise<Embedded> {
  const site = await chooseSite(dataDir, findBinaries(), runAs ?? 'detect', places ?? '/var/lib/tillhook')
  const isFirstStart = !(await exists(site.cluster))
  const password = await passwordIn(dataDir, isFirstStart)
  if (isFirstStart) {
    log.info({ cluster: site.cluster }, 'creating the database')
    await createCluster(site, ADMIN, password, settings)
  }
  await noteSite(site)
  const logPath = join(dataDir, 'postgres.log')
  await boundLog(logPath)
  const { postmaster, url, adminUrl } = await occupy(site, { log, password, logPath, settings })
  const timer = setInterval(() => {
    boundLog(logPath).catch(error => log.warn({ err: error }, 'the log of PostgreSQL could not be shortened'))
  }, BOUND_LOG_EVERY_MS).unref()
  const watch = keepRunning(postmaster, { site, logPath, settings, log })
  return {
    url,
    adminUrl,
    pid: postmaster.pid,
    stop: async () => {
      clearInterval(timer)
      await watch.stop()
      await lock.forgetName()
      await stopPostmaster(watch.postmaster(), site.cluster).finally(lock.release)
    },
  }
}

type Occupation = { log: Log; password: string; logPath: string; settings: Settings }

/** The server of a killed service is taken over. If that server is stopping, a new one is started. */
async function occupy(site: Site, { log, password, logPath, settings }: Occupation) {
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
      log.info({ postgresPid: postmaster.pid, port: postmaster.port, adopted: found !== null }, 'PostgreSQL is ready')
      return { postmaster, url, adminUrl }
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

const WRONG_PASSWORD = '28P01'

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

/** A service that stops may need this long. */
const HELD_WITHIN_MS = 3_000
/** The time that another start may need on a slow disk, or for a recovery. */
const STARTED_WITHIN_MS = 360_000

type FolderLock = {
  /** Records the process number of the running service, for the error of another service. */
  name(): Promise<void>
  /** The service is stopping: another start waits for the end. */
  forgetName(): Promise<void>
  release(): void
}

/**
 * One service at a time in a data folder, from the beginning of its start to the end of its server. The lock is SQLite's, because Node offers
 * kernel file locks only through SQLite. The kernel releases such a lock the moment its holder dies, so no process number can be stale or
 * reused. The file stays empty and is never deleted.
 */
async function lockFolder(dataDir: string): Promise<FolderLock> {
  const nameFile = join(dataDir, 'service.pid')
  const file = new DatabaseSync(join(dataDir, 'service.lock'), { timeout: 0 })
  const giveUpAt = performance.now() + STARTED_WITHIN_MS
  let rejectAt = giveUpAt
  while (!tryLock(file)) {
    const holder = await readFile(nameFile, 'utf8').catch(() => null)
    const now = performance.now()
    rejectAt = holder === null ? giveUpAt : Math.min(rejectAt, now + HELD_WITHIN_MS)
    if (now > rejectAt) {
      file.close()
      throw new EmbeddedDatabaseError(
        `Another Tillhook is running on ${dataDir} (process ${holder?.trim() ?? 'unknown'}). Stop it, or give this one another TILLHOOK_DATA_DIR.`,
      )
    }
    await wait(25)
  }
  const forgetName = () => rm(nameFile, { force: true })
  // A killed service has left its number.
  await forgetName()
  return { name: () => writeFile(nameFile, `${process.pid}\n`), forgetName, release: () => file.close() }
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
