import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase, type Sql } from '../../../server/src/platform/db/db.ts'
import { type Cpu, cpuPerRequest, readCpu } from '../cpu.ts'
import { monotonicMs } from '../monotonic.ts'
import { type Row, rowOf } from '../row.ts'
import { createTally } from '../tally.ts'
import type { Scenario, World } from '../world.ts'
import { FILL_WITHIN_MS, type Filled, fillDue } from './billing-fill.ts'
import { readOne } from './reads.ts'

/** The wait after the last notification. Billing that has been silent for this long has stopped. */
const QUIET_MS = 30_000
/** Time for writing a subscription with its merchant and card before the due instant, on a busy machine. */
const FILL_MS_EACH = 1
const WARM_UP = 2_000
const FILL_MS_AT_LEAST = 10_000
/** Enough renewals that the p99 is not the maximum. */
const LONE = 120
/** A minute includes every job that runs each minute, and a run of PostgreSQL's autovacuum. */
const REST_SECONDS = 60

/** Subscriptions that are all due at one instant. The latencies count from the due instant. */
export function billingOf(subscriptions: number): Scenario {
  const name = `${subscriptions.toLocaleString('en')} due at once`
  return {
    name,
    run: async world => {
      await warmUp(world)
      const dueAt = inMs(fillMsOf(subscriptions))
      const filled = await fillDue(world, { subscriptions, dueAt: () => dueAt })
      await untilTime(world, dueAt)
      const before = readCpu(world.processes)
      const received = await deliveriesOf(world, filled)
      const cpu = cpuPerRequest(before, readCpu(world.processes), subscriptions)
      return await rowsOf(world, nameWith(world, name), filled, { dueAt: () => dueAt, received, ...(cpu && { cpu }) })
    },
  }
}

/** One renewal per second on an idle service: measures the delay without any queue. */
export const billingIdle: Scenario = {
  name: 'one due each second',
  run: async world => {
    await warmUp(world)
    const from = inMs(FILL_MS_AT_LEAST)
    const dueAt = (n: number) => new Date(from.getTime() + n * 1_000)
    const filled = await fillDue(world, { subscriptions: LONE, dueAt })
    await untilTime(world, dueAt(LONE))
    const received = await deliveriesOf(world, filled)
    return await rowsOf(world, nameWith(world, billingIdle.name), filled, { dueAt, received })
  },
}

/** The rate of reading one subscription, first on an idle service and then during many renewals. */
export function readWhileBilling(subscriptions: number): Scenario {
  const name = `while ${subscriptions.toLocaleString('en')} are billed`
  return {
    name,
    run: async world => {
      await warmUp(world)
      const dueAt = inMs(fillMsOf(subscriptions))
      const filled = await fillDue(world, { subscriptions, dueAt: () => dueAt })
      const alone = await readOne.run(world)
      await untilTime(world, dueAt)
      const rows = await readOne.run(world)
      const billed = await withDatabase(world, sql => countPaid(sql, filled.appId))
      await deliveriesOf(world, filled)
      return [
        ...alone.map(row => ({ ...row, name: `${row.name}, nothing due` })),
        ...rows.map(row => ({ ...row, name: `${row.name} ${name} (${billed.toLocaleString('en')} paid by its end)` })),
      ]
    },
  }
}

/** Measures the idle processor time of the service and PostgreSQL, first without and then with subscriptions that are not due. */
export function billingNotDue(subscriptions: number): Scenario {
  const name = `idle with ${subscriptions.toLocaleString('en')} not due`
  return {
    name,
    run: async world => {
      const before = await rest(world, 'idle, per second')
      await fillDue(world, { subscriptions, dueAt: n => inMs(86_400_000 + (n % 86_400) * 1_000) })
      while (await withDatabase(world, sql => hasUnfolded(sql))) await wait(1_000, undefined, world)
      return [before, await rest(world, `${name}, per second`)]
    },
  }
}

/**
 * Renews some subscriptions before the measurement, so that V8 compiles the code and the tables have rows. PostgreSQL would otherwise
 * keep its plans for empty tables for up to a minute. The next fill analyzes the tables.
 */
async function warmUp(world: World): Promise<void> {
  const dueAt = inMs(1_000)
  await deliveriesOf(world, await fillDue(world, { subscriptions: WARM_UP, dueAt: () => dueAt }))
}

/** Flushes and vacuums earlier writes; PostgreSQL would do this in the middle of the measurement. */
async function rest(world: World, name: string): Promise<Row> {
  await withDatabase(world, async sql => {
    await sql`vacuum (analyze)`
    await sql`checkpoint`
  })
  const before = readCpu(world.processes)
  await wait(REST_SECONDS * 1_000, undefined, world)
  const cpu = cpuPerRequest(before, readCpu(world.processes), REST_SECONDS)
  const tally = createTally()
  for (let n = 0; n < REST_SECONDS; n++) tally.succeeded(0)
  return rowOf(name, tally, REST_SECONDS, cpu)
}

const nameWith = ({ gatewayDelayMs }: World, name: string) =>
  gatewayDelayMs === 0 ? name : `${name}, gateway of ${gatewayDelayMs} ms`

const inMs = (ms: number) => new Date(Math.ceil((Date.now() + ms) / 1_000) * 1_000)
const fillMsOf = (subscriptions: number) => FILL_MS_AT_LEAST + subscriptions * FILL_MS_EACH

async function untilTime({ signal }: World, at: Date): Promise<void> {
  if (Date.now() > at.getTime()) throw new Error('The machine was too slow to fill the database in time.')
  await wait(at.getTime() - Date.now(), undefined, { signal })
}

function deliveriesOf({ inbox, signal }: World, { subscriptionIds }: Filled) {
  return inbox.arrivalsOf(subscriptionIds, { quietMs: QUIET_MS, signal })
}

interface Measured {
  dueAt(n: number): Date
  readonly received: ReadonlyMap<string, number>
  readonly cpu?: Cpu
}

async function rowsOf(world: World, name: string, filled: Filled, { dueAt, received, cpu }: Measured): Promise<Row[]> {
  const { subscriptionIds } = filled
  // Converts the listener's monotonic clock, which runs on the same machine.
  const aheadMs = Date.now() - monotonicMs()
  const made = await withDatabase(world, sql => readMade(sql, filled.appId))
  const lateness = (at: (id: string) => number | undefined) => {
    const tally = createTally()
    let mostMs = 0
    for (const [n, id] of subscriptionIds.entries()) {
      const atMs = at(id)
      if (atMs === undefined) tally.failed('missing')
      else {
        const lateMs = atMs - dueAt(n).getTime()
        tally.succeeded(lateMs)
        mostMs = Math.max(mostMs, atMs - dueAt(0).getTime())
      }
    }
    return { tally, seconds: mostMs / 1_000 }
  }
  const row = (what: string, at: (id: string) => number | undefined, taken?: Cpu) => {
    const { tally, seconds } = lateness(at)
    return rowOf(`${name}: ${what}`, tally, seconds, taken)
  }
  const delivered = (id: string) => {
    const atMs = received.get(id)
    return atMs === undefined ? undefined : atMs + aheadMs
  }
  const memoryMiB = await peakMemoryOf(world.processes.service)
  return [
    row('invoiced', id => made.get(id)?.invoicedAtMs),
    row('charged and notified', id => made.get(id)?.toldAtMs),
    { ...row('delivered', delivered, cpu), ...(memoryMiB === undefined ? {} : { memoryMiB }) },
  ]
}

interface Made {
  readonly subscriptionId: string
  readonly invoicedAtMs: number
  readonly toldAtMs: number
}

/** Reads the instants from the UUIDv7 ids, which are created just before the commit. */
async function readMade(sql: Sql, appId: string): Promise<Map<string, Made>> {
  const rows = await sql<{ subscriptionId: string; invoiceId: string; notificationId: string }[]>`
    select i.subscription_id as "subscriptionId", i.invoice_id as "invoiceId", n.notification_id as "notificationId"
    from invoices as i join notifications as n on n.resource_id = i.subscription_id
    where i.app_id = ${appId.slice('urn:aid:'.length)} and i.status = 'PAID'`
  return new Map(
    rows.map(({ subscriptionId, invoiceId, notificationId }) => [
      subscriptionId,
      { subscriptionId, invoicedAtMs: msOf(invoiceId), toldAtMs: msOf(notificationId) },
    ]),
  )
}

function msOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

async function countPaid(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql<{ paid: number }[]>`
    select count(*) as paid from invoices where app_id = ${appId.slice('urn:aid:'.length)} and status = 'PAID'`
  return row?.paid ?? 0
}

async function hasUnfolded(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`select exists (select 1 from subscription_count_changes) as has`
  return row?.has === true
}

async function withDatabase<T>({ databaseUrl }: World, work: (sql: Sql) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: databaseUrl, maxConnections: 1, answerWithinMs: FILL_WITHIN_MS })
  try {
    return await work(db.sql)
  } finally {
    await db.close()
  }
}

/** The peak memory of the process since its start; undefined without /proc. */
async function peakMemoryOf(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(text) ?? []
  return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
}
