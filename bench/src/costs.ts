import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import type { AloneOptions } from './alone.ts'
import { cpuPerRequest, readCpu } from './cpu.ts'
import { AUDIENCE, openInstallation } from './installation.ts'
import { monotonicMs } from './monotonic.ts'
import { fillDue } from './scenarios/billing-fill.ts'
import { busy, openOrders } from './scenarios/orders.ts'
import { seed } from './seed.ts'
import { printCells } from './table.ts'
import type { World } from './world.ts'

/** No checkpoint and no vacuum runs during a measurement: they would add full-page images and the work of earlier rows to the cost of a row. */
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '16GB',
}
const REST_MS = 10_000
const WITHIN_SECONDS = 600
/** The wait after the last notification. Billing that has been silent for this long has stopped. */
const QUIET_MS = 30_000
/** Time for writing the subscriptions before they are due. */
const FILL_MS = 15_000

/** A group of orders with the same way of sending. */
interface Orders {
  readonly name: string
  readonly count: number
  readonly callers: number
  readonly isKeyed?: boolean
  /** Orders in one bulk request. Absent: one request per order. */
  readonly items?: number
}

const WITH_LISTENER: readonly Orders[] = [
  { name: 'order, one at a time', count: 1_000, callers: 1 },
  { name: 'order, one at a time, with a key', count: 1_000, callers: 1, isKeyed: true },
  { name: 'order, 64 at once', count: 10_000, callers: 64 },
  { name: 'order, 64 at once, with a key', count: 10_000, callers: 64, isKeyed: true },
  { name: 'order, in bulk, 100 a request on 4 connections', count: 20_000, callers: 4, items: 100 },
  { name: 'order, in bulk, 1,000 a request on 2 connections', count: 20_000, callers: 2, items: 1_000 },
]
const WITHOUT_LISTENER: readonly Orders[] = [
  { name: 'order without a hook, 64 at once', count: 10_000, callers: 64 },
  { name: 'order without a hook, 64 at once, with a key', count: 10_000, callers: 64, isKeyed: true },
]
/** Renewals that are due at one instant. Each creates an invoice, a charge, bookings and the delivery of its PAYMENT_SUCCESS. */
const RENEWALS = 2_000

/**
 * The cost of one order, of its notification with its delivery, and of one renewal: statements, WAL, disk and processor time. The cost of
 * the background jobs alone is measured first and subtracted.
 */
export async function measureCosts({ print, report, signal: stopped }: AloneOptions): Promise<void> {
  await using installation = await openInstallation({ signal: stopped, report, settings: SETTINGS })
  const { databaseUrl, postgresPid, operatorKey, inbox, signal } = installation
  await using service = await installation.start()
  const { baseUrl, pid } = service
  const seeded = await seed({ baseUrl, audience: AUDIENCE, operatorKey, listenerUrl: inbox.url, signal })
  const processes = { service: pid, postgres: postgresPid }
  const world = { baseUrl, operatorKey, databaseUrl, seeded, inbox, signal }
  await using sql = disposable(postgres(databaseUrl, { max: 1, onnotice: () => {} }))
  await sql`create extension pg_stat_statements`

  const meter = createMeter(sql, processes)
  report('Warming up …')
  for (const orders of [...WITH_LISTENER, ...WITH_LISTENER]) await openAll(world, orders)
  await untilDelivered(world, await fillSubscriptions(world))
  await sql`vacuum (analyze)`
  report('rest …')
  const rest = await meter.begin()
  await wait(REST_MS, undefined, { signal })
  const perSecond = await rest.end(REST_MS / 1_000)
  const rows: [string, Cost][] = []
  const measureOrders = async (orders: Orders, isNotified: boolean) => {
    report(`${orders.name} …`)
    await sql`vacuum`
    const counted = await meter.begin()
    const orderIds = await openAll(world, orders)
    if (isNotified) await untilDelivered(world, orderIds)
    rows.push([orders.name, await counted.end(orders.count, perSecond)])
  }
  for (const orders of WITH_LISTENER) await measureOrders(orders, true)
  const name = `renewal, ${RENEWALS.toLocaleString('en')} due at once`
  report(`${name} …`)
  await sql`vacuum`
  const subscriptionIds = await fillSubscriptions(world)
  const counted = await meter.begin()
  await untilDelivered(world, subscriptionIds)
  rows.push([name, await counted.end(RENEWALS, perSecond)])
  await unsubscribeHooks(world, sql)
  for (const orders of WITHOUT_LISTENER) await measureOrders(orders, false)
  print([installation.machine, '', printCosts(rows), '', printRest(perSecond)].join('\n'))
}

/** Per order or renewal. */
interface Cost {
  readonly statements: number
  readonly walBytes: number
  readonly diskBytes: number
  readonly serviceMs: number | undefined
  readonly postgresMs: number | undefined
}

const NOTHING: Cost = { statements: 0, walBytes: 0, diskBytes: 0, serviceMs: 0, postgresMs: 0 }

function createMeter(sql: postgres.Sql, processes: World['processes']) {
  const count = async () => {
    const [row] = await sql<{ statements: number; disk: number; wal: number }[]>`
      select sum(calls)::float8 as statements, pg_database_size(current_database())::float8 as disk,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal
      from pg_stat_statements(false) where userid <> (select oid from pg_roles where rolname = current_user)`
    if (row === undefined) throw new Error('PostgreSQL counted nothing.')
    return { ...row, cpu: readCpu(processes), atMs: monotonicMs() }
  }
  return {
    begin: async () => {
      const before = await count()
      return {
        /** `perSecond`: the background jobs alone. */
        end: async (units: number, perSecond: Cost = NOTHING): Promise<Cost> => {
          const after = await count()
          const seconds = (after.atMs - before.atMs) / 1_000
          const cpu = cpuPerRequest(before.cpu, after.cpu, units)
          const net = (each: number, ofRest: number | undefined) => each - ((ofRest ?? 0) * seconds) / units
          return {
            statements: net((after.statements - before.statements) / units, perSecond.statements),
            walBytes: net((after.wal - before.wal) / units, perSecond.walBytes),
            diskBytes: (after.disk - before.disk) / units,
            serviceMs: cpu && net(cpu.serviceMs, perSecond.serviceMs),
            postgresMs: cpu && net(cpu.postgresMs, perSecond.postgresMs),
          }
        },
      }
    },
  }
}

/** Opens orders and returns their ids. Throws if one fails. */
async function openAll(world: CostWorld, { count, callers, isKeyed = false, items }: Orders): Promise<string[]> {
  const way = { pace: busy(callers, count / (items ?? 1)), isKeyed, ...(items === undefined ? {} : { items }) }
  const { orders } = await openOrders(world, way, WITHIN_SECONDS)
  if (orders.size !== count) throw new Error(`Only ${orders.size} of ${count} orders were accepted.`)
  return [...orders.keys()]
}

type CostWorld = Pick<World, 'baseUrl' | 'operatorKey' | 'databaseUrl' | 'seeded' | 'inbox' | 'signal'>

/** Subscriptions that fall due in a moment. */
async function fillSubscriptions(world: CostWorld): Promise<readonly string[]> {
  const dueAt = new Date(Date.now() + FILL_MS)
  const { subscriptionIds } = await fillDue(world, { subscriptions: RENEWALS, dueAt: () => dueAt })
  if (Date.now() > dueAt.getTime()) throw new Error('The machine was too slow to fill the database in time.')
  return subscriptionIds
}

async function untilDelivered({ inbox, signal }: CostWorld, resourceIds: readonly string[]): Promise<void> {
  const received = await inbox.arrivalsOf(resourceIds, { quietMs: QUIET_MS, signal })
  const missing = resourceIds.filter(id => !received.has(id)).length
  if (missing > 0) throw new Error(`${missing} notifications are missing.`)
}

/** Unsubscribes all hooks from opened orders. */
async function unsubscribeHooks({ baseUrl, operatorKey }: CostWorld, sql: postgres.Sql): Promise<void> {
  const hooks = await sql<{ id: string }[]>`
    select hook_id as id from hooks where event_types && array['ORDER_OPENED'::text]`
  for (const { id } of hooks) {
    const { status } = await fetch(`${baseUrl}/hooks/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ eventTypes: ['ORDER_CANCELLED'] }),
    })
    if (status !== 200) throw new Error(`The hook ${id} could not be changed: ${status}.`)
  }
}

function printCosts(rows: readonly (readonly [string, Cost])[]): string {
  const head = ['each', 'statements', 'WAL bytes', 'disk bytes', 'service µs', 'PostgreSQL µs']
  const lines = rows.map(([name, cost]) => [
    name,
    cost.statements.toFixed(2),
    cost.walBytes.toFixed(0),
    cost.diskBytes.toFixed(0),
    toMicroseconds(cost.serviceMs),
    toMicroseconds(cost.postgresMs),
  ])
  return printCells([head, ...lines])
}

function printRest({ statements, walBytes, serviceMs, postgresMs }: Cost): string {
  const times = `${toMicroseconds(serviceMs)} + ${toMicroseconds(postgresMs)} µs of service and PostgreSQL`
  return `A second of rest, subtracted: ${statements.toFixed(0)} statements, ${walBytes.toFixed(0)} bytes of WAL, ${times}.`
}

function toMicroseconds(ms: number | undefined): string {
  return ms === undefined ? '–' : (ms * 1_000).toFixed(0)
}

function disposable(sql: postgres.Sql): postgres.Sql & AsyncDisposable {
  return Object.assign(sql, { [Symbol.asyncDispose]: () => sql.end({ timeout: 1 }) })
}
