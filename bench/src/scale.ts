import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import type { AloneOptions } from './alone.ts'
import { readCpu } from './cpu.ts'
import { AUDIENCE, type Installation, openInstallation } from './installation.ts'
import { busy, follow } from './scenarios/orders.ts'
import { type Seeded, seed } from './seed.ts'
import { printCells } from './table.ts'
import { WARM_UP_SECONDS } from './world.ts'

const WORKERS = [1, 2, 4]
const SECONDS = 8
/** Settings of PostgreSQL: five processes open more connections than the embedded PostgreSQL allows by default. */
const SETTINGS = { max_connections: '200' }
const [ITEMS, CALLERS] = [100, 4]
const POLL_MS = 100

/**
 * Measures one API process with 1, 2 and 4 worker processes on one database. Orders are sent in bulk, and the workers deliver them. On few cores
 * the rate cannot grow with the workers; processor time per event shows what a further worker costs.
 */
export async function measureScale({ print, report, signal: stopped }: AloneOptions): Promise<void> {
  await using installation = await openInstallation({ signal: stopped, report, settings: SETTINGS })
  const { databaseUrl, operatorKey, inbox, signal } = installation
  await using api = await installation.start('api')
  const seeded = await seed({ baseUrl: api.baseUrl, audience: AUDIENCE, operatorKey, listenerUrl: inbox.url, signal })
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => sql.end({ timeout: 1 }))
  await sql`vacuum (analyze)`
  const lines: string[][] = []
  for (const workers of WORKERS) {
    report(`${workers} worker processes …`)
    lines.push(await measureWorkers(workers, { installation, api, seeded, sql }))
  }
  const head = ['worker processes', 'events a second', 'API µs', 'workers µs', 'PostgreSQL µs', 'all µs', 'idle %']
  print([installation.machine, '', printCells([head, ...lines])].join('\n'))
}

interface Running {
  readonly installation: Installation
  readonly api: { readonly baseUrl: string; readonly pid: number }
  readonly seeded: Seeded
  readonly sql: postgres.Sql
}

async function measureWorkers(many: number, { installation, api, seeded, sql }: Running): Promise<string[]> {
  const { postgresPid, operatorKey, inbox, signal } = installation
  await using stack = new AsyncDisposableStack()
  const pids: number[] = []
  for (let n = 0; n < many; n++) pids.push(stack.use(await installation.start('worker')).pid)
  while ((await countOwners(sql)) < many) await wait(POLL_MS, undefined, { signal })
  const world = { baseUrl: api.baseUrl, operatorKey, seeded, inbox, signal }
  const bulk = { pace: busy(CALLERS), items: ITEMS }
  await follow(world, bulk, WARM_UP_SECONDS)
  const read = () => [api.pid, ...pids].map(service => readCpu({ service, postgres: postgresPid }))
  const before = read()
  const { delivered, beganAtMs } = await follow(world, bulk, SECONDS)
  const after = read()
  const { latenciesMs } = delivered.tally
  const events = latenciesMs.length
  if (events === 0) throw new Error('Nothing was delivered.')
  const used = after.map((cpu, n) => {
    const since = before[n]
    if (cpu === undefined || since === undefined) throw new Error('Processor time is read from /proc: Linux only.')
    return { service: cpu.serviceMs - since.serviceMs, postgres: cpu.postgresMs - since.postgresMs, cpu, since }
  })
  const [first, ...workers] = used
  if (first === undefined) throw new Error('There must be an API process.')
  const ofWorkers = workers.reduce((sum, { service }) => sum + service, 0)
  const idle = (first.cpu.idleMs - first.since.idleMs) / (first.cpu.wholeMs - first.since.wholeMs)
  const microseconds = (ms: number) => ((ms * 1_000) / events).toFixed(0)
  return [
    String(many),
    ((events * 1_000) / (delivered.lastAtMs - beganAtMs)).toFixed(0),
    ...[first.service, ofWorkers, first.postgres, first.service + ofWorkers + first.postgres].map(microseconds),
    (idle * 100).toFixed(0),
  ]
}

async function countOwners(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ owners: number }[]>`
    select count(distinct owner)::int as owners from delivery_shards where owner is not null`
  return row?.owners ?? 0
}
