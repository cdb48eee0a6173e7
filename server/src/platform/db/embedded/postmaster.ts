import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { logTail, withLogFile } from './log-file.ts'
import { commandOf } from './process-table.ts'
import { commandFor } from './program.ts'
import type { Settings } from './settings.ts'
import { SETTINGS } from './settings.ts'
import type { Site } from './unprivileged.ts'

export type Postmaster = { pid: number; port: number }

/** Crash recovery replays at most max_wal_size: seconds, and minutes on a busy machine. Who gives up a start begins it anew. */
const READY_WITHIN_MS = 300_000
/** Gone by itself within seconds: a port taken since we chose it, the last processes of a killed server or start. */
const PASSING = /Address already in use|pre-existing shared memory block|lock file .* already exists/
const PASSING_WITHIN_MS = 10_000

/** The server running on this cluster, once it accepts connections; one that is stopping is awaited. Null: none runs. */
export async function findPostmaster(site: Site): Promise<Postmaster | null> {
  const giveUpAt = performance.now() + READY_WITHIN_MS
  for (;;) {
    const noted = await readNote(site.cluster)
    if (noted === null || !(await isPostmaster(noted.pid, site.cluster))) return null
    if (noted.status === 'ready') return { pid: noted.pid, port: noted.port }
    if (performance.now() > giveUpAt) throw failure(site, `(process ${noted.pid}) is not ready in time`, '')
    await wait(10)
  }
}

/** False from the moment on which the server is asked to stop, which is before it ends any session. */
export async function isReady({ pid }: Postmaster, cluster: string): Promise<boolean> {
  const noted = await readNote(cluster)
  return noted?.pid === pid && noted.status === 'ready'
}

/** Whether the process that we know is still there, ready or not. */
export function isRunning({ pid }: Postmaster, cluster: string): Promise<boolean> {
  return isPostmaster(pid, cluster)
}

/** Starts a server and waits until it accepts connections. Call it only when findPostmaster found none. */
export async function startPostmaster(
  site: Site,
  logPath: string,
  settings: Settings,
  port?: number,
): Promise<Postmaster> {
  const giveUpAt = performance.now() + PASSING_WITHIN_MS
  for (;;) {
    await dropReusedNote(site.cluster)
    const started = await tryStart(site, logPath, { ...settings, port: String(port ?? (await freePort())) })
    if ('pid' in started) return started
    if (!PASSING.test(started.reason) || performance.now() > giveUpAt) throw failure(site, 'ended', started.reason)
    await wait(250)
    const other = await findPostmaster(site)
    if (other) return other
  }
}

/** Fast shutdown: sessions end, everything is written. Returns when the process is gone. */
export async function stopPostmaster({ pid }: { pid: number }, cluster: string, withinMs = 30_000): Promise<void> {
  if (await signalAndWait(pid, cluster, 'SIGINT', withinMs)) return
  if (await signalAndWait(pid, cluster, 'SIGQUIT', 5_000)) return
  throw new EmbeddedDatabaseError(`PostgreSQL (process ${pid}) does not stop. Kill it by hand; its data is safe.`)
}

async function readNote(cluster: string): Promise<(Postmaster & { status: string }) | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  const lines = text.split('\n').map(line => line.trim())
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7] ?? '' }
}

/** A process number alone proves nothing: after a crash of the machine any program may have it. */
async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  return (await commandOf(pid))?.includes(`/postgres -D ${cluster} -c `) ?? false
}

/**
 * PostgreSQL itself clears a note whose process is gone. It refuses one whose number some program of ours has taken
 * since, as happens in containers, where numbers are low. No server wrote that note's number, so it may go;
 * PostgreSQL's second guard, the shared memory of a living server, still stands.
 */
async function dropReusedNote(cluster: string): Promise<void> {
  const noted = await readNote(cluster)
  if (noted === null || (await commandOf(noted.pid)) === null || (await isPostmaster(noted.pid, cluster))) return
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}

async function tryStart(site: Site, logPath: string, overrides: Settings): Promise<Postmaster | { reason: string }> {
  const settings = { ...SETTINGS, ...overrides }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, options } = commandFor(site, site.binaries.postgres, ['-D', site.cluster, ...words])
  let end = ''
  const { child, logStart } = await withLogFile(logPath, (fd, logStart) => {
    // Detached: ctrl-C in a terminal must reach only the service, which drains first and then stops PostgreSQL.
    const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', fd, fd] })
    // Here, before anything is awaited: one that cannot start has ended within milliseconds, and tells it once.
    child.once('error', error => {
      end = String(error)
    })
    child.once('exit', (code, signal) => {
      end = `exit ${code ?? signal}`
    })
    child.unref()
    return { child, logStart }
  })
  const giveUpAt = performance.now() + READY_WITHIN_MS
  // Looks once more when the time is over: all of it may have passed while this process stood still.
  for (let isLast = false; end === '' && !isLast; ) {
    isLast = performance.now() > giveUpAt
    const noted = await readNote(site.cluster)
    // Neither a user namespace nor another account changes the number: what we spawned becomes the postmaster.
    if (noted?.pid === child.pid && noted?.status === 'ready') return { pid: noted.pid, port: noted.port }
    await wait(10)
  }
  if (end === '') child.kill('SIGINT')
  return { reason: `${end || 'not ready in time'}\n${await logTail(logPath, logStart)}` }
}

/** PostgreSQL cannot be asked to choose one. If somebody takes it in between, the start is tried again. */
async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    probe.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0))
  })
  return promise
}

async function signalAndWait(pid: number, cluster: string, signal: NodeJS.Signals, withinMs: number) {
  const giveUpAt = performance.now() + withinMs
  if (await isPostmaster(pid, cluster)) process.kill(pid, signal)
  while (await isPostmaster(pid, cluster)) {
    if (performance.now() > giveUpAt) return false
    await wait(10)
  }
  return true
}

function failure(site: Site, what: string, reason: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `PostgreSQL on ${site.cluster} ${what}. Mend what its log (${site.dataDir}/postgres.log) says and start again; ` +
      `the data is kept.\n${reason}`,
  )
}
