import { spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../src/platform/db/embedded/postmaster.ts'

/** PgBouncer in transaction mode in front of a database. */
export interface Pooler {
  /** Of the same database, through the pooler. */
  readonly url: string
  close(): Promise<void>
}

/** PgBouncer refuses to run as root. */
const NOBODY = 65_534
const READY_WITHIN_MS = 60_000

export async function openPooler(databaseUrl: string, poolSize: number): Promise<Pooler> {
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-pgbouncer-'))
  const port = await freePort('127.0.0.1')
  const database = pathname.slice(1)
  const login = `user=${decodeURIComponent(username)}${password && ` password=${decodeURIComponent(password)}`}`
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${database} = host=${hostname} port=${databasePort} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
`,
  )
  const isRoot = process.getuid?.() === 0
  if (isRoot) await Promise.all([folder, file].map(path => chown(path, NOBODY, NOBODY)))
  await chmod(file, 0o600)
  // Debian puts the program where only root's path leads.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn('pgbouncer', [file], { env, stdio: 'ignore', ...(isRoot && { uid: NOBODY, gid: NOBODY }) })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const died = ended.then(() => Promise.reject(new Error('PgBouncer ended')))
  for (const one of [failed, died]) one.catch(() => {})
  await Promise.race([isListening(port), failed, died])
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    close: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isListening(port: number): Promise<void> {
  for (const end = Date.now() + READY_WITHIN_MS; Date.now() < end; await wait(20)) {
    const isOpen = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
  }
  throw new Error('PgBouncer does not listen')
}
