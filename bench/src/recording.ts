import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type App, type AppOptions, createApp } from '../../server/src/app.ts'
import type { Event } from '../../server/src/core/event.ts'
import { openDatabase } from '../../server/src/db/db.ts'
import { startEmbedded } from '../../server/src/db/embedded/start.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { parseNetworks } from '../../server/src/egress/addresses.ts'
import { sealSecret } from '../../server/src/hooks/secret.ts'
import { recordNotifications } from '../../server/src/notifications/record.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { monotonicMs } from './monotonic.ts'
import { percentile } from './percentile.ts'

/*
 * The path of a notification without the interface before it: facts recorded in batches, as billing does, and delivered to a
 * listener on this machine. `node bench/src/recording.ts [idle|rate|most|hang|retries|long] [seconds]`; without a name, all but
 * `long`. The sender runs in this process, PostgreSQL and the listener in theirs; fsync on, bodies of about 600 bytes.
 */

const HOOKS = 40
const AT_MOST_OUTSTANDING = 4_000
/** Of /proc. */
const TICK_MS = 10
const [only, secondsText = '10'] = process.argv.slice(2)
const seconds = Number(secondsText)

const quiet = () => {}
const folder = await mkdtemp(join(tmpdir(), 'tillhook-recording-'))
const embedded = await startEmbedded({ dataDir: join(folder, 'data'), log: { info: quiet, warn: quiet, error: quiet } })
const inbox = await openInbox()
const hanging = createServer(quiet).listen(0, '127.0.0.1')
await migrate({ url: embedded.url })
const app = await createApp({
  databaseUrl: embedded.url,
  masterKey: randomBytes(32),
  settings: {
    baseUrl: 'http://bench.test',
    billingUrl: 'http://bench.test',
    allowedNetworks: parseNetworks('127.0.0.0/8'),
    requireHttps: false,
    operatorShare: 2_000,
  },
  limits: {},
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet } as unknown as AppOptions['log'],
})
app.onWake({ deliveries: () => app.sender.wake() })
try {
  const world = { app, inbox, apps: await fill(app, inbox.url) }
  app.sender.start()
  await most(world, 'warm-up', 2)
  const scenarios: Record<string, () => Promise<void>> = {
    idle: () => idle(world),
    rate: () => atRates(world),
    most: () => most(world, 'recorded and delivered, batches of 100', seconds),
    hang: () => hang(world),
    retries: () => retries(world),
    long: () => beside(world),
  }
  for (const [name, run] of Object.entries(scenarios)) {
    if (only === undefined || only === 'all' ? name !== 'long' : name === only) await run()
  }
  process.stdout.write(
    `${JSON.stringify(app.sender.state())}, rss ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB\n`,
  )
} finally {
  hanging.close()
  await app.close()
  await inbox[Symbol.asyncDispose]()
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}

interface World {
  readonly app: App
  readonly inbox: Inbox
  /** Each with one hook, all to the one listener. */
  readonly apps: readonly string[]
}

async function idle(world: World): Promise<void> {
  const tally = follow(world)
  for (let n = 0; n < 40; n++) {
    await wait(150)
    await tally.record(1)
  }
  await tally.print('one after a pause, from its commit')
}

async function atRates(world: World): Promise<void> {
  for (const perSecond of [1_000, 2_000]) await atRate(world, `${perSecond}/s, batches of 10`, perSecond)
}

async function atRate(world: World, name: string, perSecond: number): Promise<void> {
  const tally = follow(world)
  const from = monotonicMs()
  const recording: Promise<void>[] = []
  for (let n = 0; n < (perSecond * seconds) / 10; n++) {
    const dueAt = from + (n * 10_000) / perSecond
    if (dueAt > monotonicMs()) await wait(dueAt - monotonicMs())
    recording.push(tally.record(10))
  }
  await Promise.all(recording)
  await tally.print(`${name}, from its commit`)
}

async function most(world: World, name: string, forSeconds: number): Promise<void> {
  const tally = follow(world)
  const until = monotonicMs() + forSeconds * 1_000
  const recorder = async () => {
    while (monotonicMs() < until) {
      if ((await tally.outstanding()) > AT_MOST_OUTSTANDING) await wait(5)
      else await tally.record(100)
    }
  }
  await Promise.all(Array.from({ length: 4 }, recorder))
  await tally.print(name)
}

/** A fifth of the hooks accept a connection and never answer. */
async function hang(world: World): Promise<void> {
  await atRate(world, 'before some hang: 500/s', 500)
  const address = hanging.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const bad = world.apps.slice(0, HOOKS / 5)
  const { sql } = world.app.ports.db
  await sql`update hooks set delivery_url = ${`http://127.0.0.1:${port}/`} where app_id = any(${bad}::uuid[])`
  const events = bad.map(appId => eventOf(world.app.ports.newId, appId))
  for (let n = 0; n < 200; n++) await record(world.app, events)
  await atRate({ ...world, apps: world.apps.slice(HOOKS / 5) }, 'while 20 % hang, each with 200 due: 500/s', 500)
  await sql`update hooks set delivery_url = ${inbox.url} where app_id = any(${bad}::uuid[])`
  await sql`delete from deliveries`
  await sql`delete from hook_health`
}

async function retries(world: World): Promise<void> {
  const { sql } = world.app.ports.db
  await atRate(world, 'before retries are due: 200/s', 200)
  const many = 50_000
  const events = Array.from({ length: 500 }, (_, n) =>
    eventOf(world.app.ports.newId, world.apps[n % world.apps.length] ?? ''),
  )
  await sql`update hooks set active = false`
  await sql`update hooks set disabled_reason = 'bench'`
  for (let n = 0; n < many; n += events.length) await record(world.app, events)
  await sql`update deliveries set lane = 'RETRY', attempts = 1`
  const from = monotonicMs()
  await sql`update hooks set active = true, disabled_reason = null`
  let drainedAtMs = 0
  const watching = (async () => {
    for (;;) {
      const [row] = await sql<
        { left: boolean }[]
      >`select exists (select 1 from deliveries where lane = 'RETRY') as left`
      if (row?.left === false) break
      await wait(100)
    }
    drainedAtMs = monotonicMs() - from
  })()
  await atRate(world, `while ${many} retries are due: 200/s`, 200)
  await watching
  process.stdout.write(`${many} retries drained at ${Math.round((many / drainedAtMs) * 1_000)}/s\n`)
}

/** A transaction that stays open keeps every dead row of the queue. */
async function beside(world: World): Promise<void> {
  const other = openDatabase({ url: embedded.url, maxConnections: 1 })
  const opened = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const held = other.transaction(async ({ sql }) => {
    await sql`set transaction isolation level repeatable read`
    await sql`select count(*) from deliveries`
    opened.resolve()
    await over.promise
  })
  await opened.promise
  const pieces = Math.ceil(seconds / 60)
  for (let piece = 1; piece <= pieces; piece++) await most(world, `minute ${piece} beside an open transaction`, 60)
  over.resolve()
  await held
  await other.close()
}

/** Records, and remembers when each was committed. */
function follow({ app, inbox, apps }: World) {
  const committedAt = new Map<string, number>()
  const beganAtMs = monotonicMs()
  const cpuBefore = cpuOf(app)
  const signal = new AbortController().signal
  let turn = 0
  return {
    record: async (many: number) => {
      const events = Array.from({ length: many }, () => eventOf(app.ports.newId, apps[turn++ % apps.length] ?? ''))
      await record(app, events)
      const atMs = monotonicMs()
      for (const { resourceId } of events) committedAt.set(resourceId, atMs)
    },
    outstanding: async () => {
      const received = await inbox.arrivalsOf([], { quietMs: 0, signal })
      let missing = 0
      // The newest are those that may be missing.
      for (const id of [...committedAt.keys()].slice(-2 * AT_MOST_OUTSTANDING)) if (!received.has(id)) missing++
      return missing
    },
    print: async (name: string) => {
      const received = await inbox.arrivalsOf([...committedAt.keys()], { quietMs: 10_000, signal })
      const [before, after] = [await cpuBefore, await cpuOf(app)]
      const waits: number[] = []
      let lastAtMs = beganAtMs
      for (const [id, atMs] of committedAt) {
        const receivedAtMs = received.get(id)
        if (receivedAtMs === undefined) continue
        lastAtMs = Math.max(lastAtMs, receivedAtMs)
        waits.push(receivedAtMs - atMs)
      }
      const perSecond = Math.round(waits.length / ((lastAtMs - beganAtMs) / 1_000))
      const show = (share: number) => percentile(waits, share).toFixed(1)
      const missing = committedAt.size - waits.length
      const each = (cpu: keyof Cpu) => ((after[cpu] - before[cpu]) / Math.max(1, waits.length)).toFixed(2)
      process.stdout.write(
        `${name.padEnd(48)} ${perSecond}/s, p50 ${show(0.5)}, p99 ${show(0.99)}, most ${show(1)} ms; missing ${missing}; CPU of each: ${each('serviceMs')} + ${each('databaseMs')} ms\n`,
      )
    },
  }
}

interface Cpu {
  readonly serviceMs: number
  /** Of the sessions that are there. */
  readonly databaseMs: number
}

/** The rate depends on who else uses the machine; this hardly does. */
async function cpuOf({ ports }: App): Promise<Cpu> {
  const { user, system } = process.cpuUsage()
  const rows = await ports.db.sql<{ pid: number }[]>`select pid from pg_stat_activity`
  const ticks = await Promise.all(rows.map(({ pid }) => ticksOf(pid)))
  return { serviceMs: (user + system) / 1_000, databaseMs: ticks.reduce((sum, each) => sum + each, 0) * TICK_MS }
}

async function ticksOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, , , , , , , , , , , user = '0', system = '0'] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return Number(user) + Number(system)
}

async function record({ ports }: App, events: readonly Event[]): Promise<void> {
  await ports.db.transaction(tx => recordNotifications(tx, ports, events))
}

function eventOf(newId: () => string, appId: string): Event {
  return {
    eventType: 'APPLICATION_SUBSCRIPTION_START',
    merchantType: 'MERCHANT',
    appId,
    businessId: newId(),
    resourceId: newId(),
    resourceSeq: 1,
    occurredAt: new Date(),
  }
}

/** Written directly: nothing of it is measured. */
async function fill({ ports }: App, url: string): Promise<string[]> {
  const { db, newId } = ports
  const { sql } = db
  const at = new Date()
  const organizationId = newId()
  await sql`insert into organizations values (${organizationId}, 'Bench', 'bench@example.com', ${at}, ${at})`
  const apps: string[] = []
  for (let n = 0; n < HOOKS; n++) {
    const appId = newId()
    const secret = sealSecret(ports.vault, 'secret')
    await sql`
      insert into apps values (${appId}, ${organizationId}, 'Bench', ${`com.example.n${n}`}, '{}', 'ACTIVE', ${at}, ${at})`
    await sql`
      insert into hooks (hook_id, app_id, delivery_url, secret, event_types, fingerprint, active, created_at, updated_at)
      values (${newId()}, ${appId}, ${url}, ${secret}, ${['APPLICATION_SUBSCRIPTION_START']}::text[],
        ${randomBytes(32)}, true, ${at}, ${at})`
    apps.push(appId)
  }
  return apps
}
