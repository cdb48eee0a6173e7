import type { ChildProcess, ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Sql } from 'postgres'
import { connectOnce } from '../db.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './start.ts'

const ignore = () => {}

/** Starts embedded PostgreSQL in this process with quick settings. */
export function start(options: Omit<EmbeddedOptions, 'log'>): Promise<Embedded> {
  return startEmbedded({ log: { info: ignore, warn: ignore, error: ignore }, ...QUICK, ...options })
}

/** Most tests are about processes and files. Only tests of settings start without this. */
export const QUICK = { settings: { fsync: 'off' } }

/** A data folder with a finished cluster. Creating a cluster takes a second and starting one takes 60 ms, so tests share a cluster. */
export async function makeCluster(folder: string): Promise<string> {
  const dataDir = join(folder, 'data')
  const { stop } = await start({ dataDir })
  await stop()
  return dataDir
}

type Options = Omit<EmbeddedOptions, 'log'> & { uid?: number }
type Said = { pid: number; url: string } | { refused: string }
export type Child = {
  process: ChildProcessByStdio<Writable, Readable, null>
  said: Promise<Said>
  stop(): Promise<void>
}

/** Embedded PostgreSQL with its own service process, for tests to kill. */
export function spawnService(options: Options): Child {
  const fixture = fileURLToPath(new URL('service.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [fixture, JSON.stringify({ ...QUICK, ...options })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  spawned.push(child)
  const lines = createInterface(child.stdout)
  const said = Promise.race([
    once(lines, 'line').then(([line]) => JSON.parse(line) as Said),
    ended.then(([code, signal]) => ({ refused: `ended: ${code ?? signal}` })),
  ])
  return {
    process: child,
    said,
    stop: async () => {
      child.stdin.end('stop\n')
      await ended
    },
  }
}

const spawned: ChildProcess[] = []

/** Call in `after`: services left by a failed test would keep this process alive. */
export function killServices(): void {
  for (const child of spawned) child.kill('SIGKILL')
}

/** Kills a service as a crash would. Its PostgreSQL stays. */
export async function kill(child: Child): Promise<void> {
  const ended = once(child.process, 'exit')
  child.process.kill('SIGKILL')
  await ended
}

export async function running(child: Child): Promise<{ pid: number; url: string }> {
  const said = await child.said
  if ('refused' in said) throw new Error(said.refused)
  return said
}

export async function rejection(child: Child): Promise<string> {
  const said = await child.said
  return 'refused' in said ? said.refused : `none: it runs as ${said.pid}`
}

export async function query<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connectOnce(url)
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

export const isRoot = process.geteuid?.() === 0
export const NOBODY = 65_534
