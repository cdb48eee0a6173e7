import { hash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { createCluster } from './cluster.ts'
import { prepareDatabase } from './connect.ts'
import { exists, openDataFolder, passwordIn } from './data-folder.ts'

import { lockData } from './data-lock.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Log } from './embedded-log.ts'
import { keepRunning } from './keep-running.ts'
import { boundLog } from './log-file.ts'
import { findPostmaster, isReady, startPostmaster, stopPostmaster } from './postmaster.ts'
import type { Settings } from './settings.ts'
import { lockStart } from './start-lock.ts'
import type { RunAs, Site } from './unprivileged.ts'
import { chooseSite, noteSite } from './unprivileged.ts'

export type EmbeddedOptions = {
  dataDir: string
  log: Log
  /** How root runs PostgreSQL; `nobody` skips the try with a user namespace. */
  runAs?: RunAs
  /** Holds the clusters run as `nobody`. */
  places?: string
  /** PostgreSQL settings to change; tests turn fsync off. */
  settings?: Settings
}

export type Embedded = {
  /** Of the service's role, which owns its database and nothing else. */
  url: string
  /** Of the administrator, a superuser: for tests and tools alone. */
  adminUrl: string
  pid: number
  /** Ends all sessions and the server. Call it last, after the pools are closed. */
  stop(): Promise<void>
}

const ADMIN = 'tillhook_admin'
const USER = 'tillhook'
const DATABASE = 'tillhook'
const HOST = '127.0.0.1'
/** A first start on a slow disk, or a recovery, by the one before us. */
const START_LOCK_WITHIN_MS = 360_000
const BOUND_LOG_EVERY_MS = 10 * 60_000

/**
 * The service's own PostgreSQL on `dataDir`: made on the first start, taken over when a killed service left it running.
 * Throws EmbeddedDatabaseError, also when another service runs on the same data, whose server is then left alone.
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
    log.info({ cluster: site.cluster }, 'making the database, once')
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

/** A server that we find may be about to stop under the service before us: then it is our turn to start one. */
async function occupy(site: Site, input: Occupation) {
  const { dataDir, log, password, logPath, settings } = input
  // The service never holds the administrator's password: its own derives from that one, and not the other way round.
  const service = { user: USER, database: DATABASE, password: hash('sha256', `service ${password}`, 'base64url') }
  for (let tries = 1; ; tries += 1) {
    const found = await findPostmaster(site)
    const postmaster = found ?? (await startPostmaster(site, logPath, settings))
    const at = `${HOST}:${postmaster.port}`
    const url = `postgres://${USER}:${service.password}@${at}/${DATABASE}`
    const adminUrl = `postgres://${ADMIN}:${password}@${at}/${DATABASE}`
    try {
      await prepareDatabase(adminUrl, site.cluster, service)
      const lock = await lockData({ url, dataDir, log })
      if (!(await isReady(postmaster, site.cluster))) {
        // The lock was free because the sessions of a stopping server end one by one, ours last.
        await lock.release(async () => {})
        throw new Error('PostgreSQL was stopped while this service started on it')
      }
      log.info({ postgresPid: postmaster.pid, port: postmaster.port, adopted: found !== null }, 'PostgreSQL is ready')
      return { postmaster, lock, url, adminUrl }
    } catch (error) {
      if (found === null) await stopPostmaster(postmaster, site.cluster)
      if (found === null || error instanceof EmbeddedDatabaseError || tries === 3) throw error
      await wait(100)
    }
  }
}
