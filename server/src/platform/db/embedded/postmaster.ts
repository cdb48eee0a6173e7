import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { commandFor, EmbeddedDatabaseError, type Log, type Site } from './site.ts'

type Postmaster = { pid: number; port: number }

/**
 * Crash recovery replays at most max_wal_size: seconds, or minutes on a busy machine. Giving up a start restarts recovery from the
 * beginning.
 */
const READY_WITHIN_MS = 300_000
/** Obstacles that disappear within seconds: a port that was taken after we chose it, the last processes of a killed server or start. */
const PASSING = /Address already in use|pre-existing shared memory block|lock file .* already exists/
const PASSING_WITHIN_MS = 10_000

/** The server of this cluster once it accepts connections. A stopping server is awaited. Null: no server runs. */
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

/** Starts a server and waits until it accepts connections. Call only after findPostmaster found none. */
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
 * PostgreSQL itself removes a `postmaster.pid` whose process is gone, and refuses to start while a process with the noted number exists. In
 * containers, where numbers are low, another program may have taken the number since. This function removes such a file, because no server has
 * that number. PostgreSQL's second guard, the shared memory of a living server, still applies.
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
    // Attach the listener before any await: a server that cannot start ends within milliseconds and emits one event.
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
  // Check once more after the deadline: this process may have been paused for the whole wait.
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

/** PostgreSQL cannot choose a free port, and a base URL names its port. Another program may take the port first. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
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

const LOOK_EVERY_MS = 500
/** The pause between two failed starts: a full disk needs time. */
const AFTER_FAILURE_MS = 5_000

export type Watch = {
  /** The current server. */
  postmaster(): Postmaster
  stop(): Promise<void>
}

/**
 * Brings PostgreSQL back when it dies under the service (killed, out of memory): on the same port, so that pools find it again
 * by themselves. Until then requests are answered 503.
 */
export function keepRunning(
  first: Postmaster,
  { site, logPath, settings, log }: { site: Site; logPath: string; settings: Settings; log: Log },
): Watch {
  const stopped = new AbortController()
  let postmaster = first

  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      const rested = await rest(LOOK_EVERY_MS)
      if (!rested || (await isPostmaster(postmaster.pid, site.cluster))) continue
      log.error({ postgresPid: postmaster.pid }, 'PostgreSQL has died; starting it again')
      try {
        postmaster = (await findPostmaster(site)) ?? (await startPostmaster(site, logPath, settings, postmaster.port))
        log.info({ postgresPid: postmaster.pid, port: postmaster.port }, 'PostgreSQL is back')
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL does not start; trying again')
        await rest(AFTER_FAILURE_MS)
      }
    }
  }

  /** Waits. Returns false if the stop cut the wait short. */
  async function rest(ms: number): Promise<boolean> {
    return await wait(ms, true, { signal: stopped.signal, ref: false }).catch(() => false)
  }

  const ended = watch()
  return {
    postmaster: () => postmaster,
    stop: async () => {
      stopped.abort()
      await ended
    },
  }
}

/** The limit of one file. One older file stays beside it, so disk use is at most about twice this. */
const MAX_BYTES = 8 * 1024 * 1024

/** Runs `use` with a descriptor that appends to the log, for a child's output. */
async function withLogFile<T>(path: string, use: (fd: number, size: number) => T): Promise<T> {
  const file = await open(path, 'a', 0o600)
  try {
    return use(file.fd, (await file.stat()).size)
  } finally {
    await file.close()
  }
}

/** Copies and truncates a long log. PostgreSQL appends by its open descriptor, so truncation is safe while the server runs. */
export async function boundLog(path: string): Promise<void> {
  const size = await sizeOf(path)
  if (size < MAX_BYTES) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

/** The last lines written at or after the byte `from`, for an error message. */
export async function logTail(path: string, from = 0, lines = 8): Promise<string> {
  const text = await readFile(path).catch(() => Buffer.alloc(0))
  const all = text.subarray(from).toString('utf8').trimEnd().split('\n')
  return all
    .slice(-lines)
    .map(line => line.slice(0, 400))
    .join('\n')
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    found => found.size,
    () => 0,
  )
}

/** The command line of a running process; null when there is none (a dead one not yet reaped has lost its own). */
export async function commandOf(pid: number): Promise<string | null> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return (process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid)) || null
}

async function fromProc(pid: number): Promise<string> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return words.replaceAll('\0', ' ').trim()
}

async function fromPs(pid: number): Promise<string> {
  const ps = promisify(execFile)
  const listed = await ps('ps', ['-p', String(pid), '-ww', '-o', 'command=']).catch(() => ({ stdout: '' }))
  return listed.stdout.trim()
}

/** PostgreSQL settings, as `-c name=value`. */
export type Settings = Readonly<Record<string, string>>

export const SETTINGS: Settings = {
  // A Unix socket was no faster here (35,000 queries/s either way, within the noise), postgres.js takes none in a URL,
  // and its path may have 107 bytes at most. Other local users meet scram-sha-256 and a password of 192 random bits.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // An acknowledged write is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Two pools of ours with room for psql. Each idle connection costs a few MB.
  max_connections: '60',
  shared_buffers: '256MB',
  max_wal_size: '512MB',
  wal_compression: 'on',
  // Containers often promise huge pages and kill the process that takes them, and have a /dev/shm too small for parallel queries.
  huge_pages: 'off',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // Compiling short statements costs more than the compilation saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The service receives and logs the errors of statements. Here the errors would only fill the file, with data in them.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}
