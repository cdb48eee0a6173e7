import type { Logger } from 'pino'
import type { BillingEvent } from '../../../src/core/event.ts'
import type { Database } from '../../../src/platform/db/db.ts'
import { openDatabase } from '../../../src/platform/db/db.ts'
import { recordNotifications } from '../../../src/webhooks/notifications/record.ts'
import { newHook, newListening, openWebhooks, START } from '../../support/webhooks.ts'
import { createRandom, idsOf, type Random } from '../random.ts'
import { type Rewrite, scheduledDb } from '../scheduled-db.ts'
import { createScheduler, type Life, type Scheduler } from '../scheduler.ts'
import { BEHAVIOURS, createEndpoints, type Endpoints } from './endpoints.ts'
import { createBus, type Sending, startSending } from './sending.ts'

/** One run: seeded faults over three processes on one database, then rest, then the guarantees are checked. */
export interface RunResult {
  readonly seed: number
  readonly violations: readonly string[]
  readonly recorded: number
  readonly received: number
  readonly crashes: number
  readonly pauses: number
}

/** A process of the service: it records events and sends webhooks, with a clock of its own. */
export interface Process {
  readonly life: Life
  readonly db: Database
  readonly skewMs: number
  readonly sending: Sending
}

export interface World {
  readonly scheduler: Scheduler
  readonly endpoints: Endpoints
  now(): Date
  pass(ms: number): void
  random(): Random
}

const PROCESSES = 3
const HOOKS = 6
const RESOURCES = 4
const ACTIONS = 120
const TURNS_PER_ACTION = 12
const START_AT = new Date('2026-03-02T00:00:00Z')
/** Decisions 10: processes run with clocks up to 5 s wrong. */
const SKEWS_MS = [-5_000, 0, 5_000]
const PATIENT = { answerWithinMs: 15 * 60_000, connectWithinMs: 90_000 }
const REST_ROUNDS = 400

/** Only the owner of a shard may write the progress of its deliveries. A process is known by the name of its connections. */
const WATCH = `
  create table worker_names (worker_id uuid primary key, name text not null);
  create table foreign_writes (notification_id uuid not null);
  create function note_worker() returns trigger language plpgsql as $$ begin
    insert into worker_names values (new.worker_id, current_setting('application_name')) on conflict do nothing;
    return null;
  end $$;
  create trigger workers_named after insert on delivery_workers for each row execute function note_worker();
  create function note_foreign_write() returns trigger language plpgsql as $$ begin
    insert into foreign_writes select old.notification_id
    from delivery_shards as s join worker_names as w on w.worker_id = s.owner
    where s.shard = old.shard and w.name <> current_setting('application_name');
    return null;
  end $$;
  create trigger deliveries_written_by_owner after update or delete on deliveries
    for each row execute function note_foreign_write()`

const EMPTY = `
  truncate notifications, deliveries, attempts, outcomes, hook_health, foreign_writes, delivery_workers, worker_names;
  update delivery_shards set owner = null, epoch = 0, leased_until = null;
  update hooks set active = true, disabled_reason = null`

/** Runs seeds on one database, one after the other. `rewrite` takes a guard out of the statements: a negative control. */
export async function openRuns(rewrite?: Rewrite, log?: Logger) {
  const webhooks = await openWebhooks(log)
  const { db, ports } = webhooks
  const listening = await newListening(webhooks)
  const hookIds: string[] = []
  for (let n = 0; n < HOOKS; n++) {
    const hook = { applicationId: listening.appId, deliveryUrl: `http://127.0.0.1:9/${n}`, eventTypes: [START] }
    const hookId = await newHook(webhooks, listening.developer, hook)
    // Fixed ids, spread over the shards: a seed replays.
    const fixed = `00000000-0000-7000-8000-0000000000${(40 * n).toString(16).padStart(2, '0')}`
    await db.sql`update hooks set hook_id = ${fixed} where hook_id = ${hookId}`
    hookIds.push(fixed)
  }
  await db.sql.unsafe(WATCH)
  const { url } = webhooks

  async function run(seed: number): Promise<RunResult> {
    await db.sql.unsafe(EMPTY)
    const random = createRandom(`deliveries ${seed}`)
    // Every third run has no faults of processes: there nothing may arrive twice.
    const isCalm = seed % 3 === 0
    const rates = isCalm ? { crash: 0, pause: 0 } : { crash: random.pick([0.02, 0.05]), pause: random.pick([0, 0.1]) }
    let now = START_AT
    const newId = idsOf(createRandom(`deliveries ids ${seed}`), START_AT)
    const endpoints = createEndpoints(() => random)
    const scheduler = createScheduler({ countBlocked: () => countBlocked(db) })
    const world: World = {
      scheduler,
      endpoints,
      now: () => now,
      pass: ms => {
        now = new Date(now.getTime() + ms)
      },
      random: () => random,
    }
    const closing: Promise<unknown>[] = []
    const bus = createBus(random)
    let crashes = 0
    let pauses = 0
    let lives = 0

    const start = (): Process => {
      const life: Life = { name: `process ${++lives}`, isDead: false, isStarting: false }
      const own = openDatabase({ url, maxConnections: 40, applicationName: `sim ${life.name}`, ...PATIENT })
      const skewMs = random.pick(SKEWS_MS)
      const scheduled = scheduledDb(own, { life, scheduler, onDeadlock() {}, ...(rewrite && { rewrite }) })
      const ownPorts = {
        ...ports,
        db: scheduled,
        newId,
        clock: { now: () => new Date(now.getTime() + skewMs) },
        post: async (request: Parameters<typeof ports.post>[0]) => {
          const outcome = await scheduler.step(life, 'post', async () => endpoints.answer(request, life.name))
          return await scheduler.step(life, 'answer', async () => outcome)
        },
      }
      const sending = startSending(ownPorts, { life, world, bus })
      return { life, db: own, skewMs, sending }
    }
    const processes = Array.from({ length: PROCESSES }, start)

    const crash = async (index: number) => {
      const { life, db: own } = processes[index] as Process
      scheduler.kill(life)
      await db.sql`
        select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and application_name = ${`sim ${life.name}`}`
      closing.push(own.close())
      processes[index] = start()
      crashes++
    }

    /** The next free number of each resource. A crash while recording leaves the number unknown: the resource is given up. */
    const resources = Array.from({ length: RESOURCES }, () => ({ id: newId(), seq: 0, isBusy: false }))
    const record = () => {
      const { life, sending } = random.pick(processes)
      const resource = random.pick(resources.filter(({ isBusy }) => !isBusy))
      if (resource === undefined) return
      resource.isBusy = true
      const events = Array.from({ length: 1 + random.below(3) }, () => eventOf(resource.id, ++resource.seq))
      const task = scheduler.spawn(life, 'record', async () => {
        await sending.ports.db.transaction(tx => recordNotifications(tx, sending.ports, events))
        resource.isBusy = false
      })
      onLost.push(() => {
        if (task.state === 'lost' && resource.isBusy) Object.assign(resource, { id: newId(), seq: 0, isBusy: false })
      })
    }
    const onLost: (() => void)[] = []
    const eventOf = (resourceId: string, resourceSeq: number): BillingEvent => ({
      eventType: START,
      merchantType: 'MERCHANT',
      appId: listening.uuid,
      businessId: listening.businessId,
      resourceId,
      resourceSeq,
      occurredAt: now,
    })

    const turn = async (turns: number) => {
      for (let n = 0; n < turns; n++) {
        world.pass(random.below(isCalm ? 3 : 20))
        for (const { sending } of processes) sending.fireTimers()
        if (!(await scheduler.turn(random))) world.pass(random.below(isCalm ? 100 : 400))
      }
    }
    for (let action = 0; action < ACTIONS; action++) {
      for (const check of onLost) check()
      if (random.chance(0.3)) record()
      if (random.chance(0.1)) endpoints.behaviours.set(random.pick(hookIds), random.pick(BEHAVIOURS))
      if (random.chance(rates.crash)) await crash(random.below(PROCESSES))
      if (random.chance(rates.pause)) {
        const { life } = random.pick(processes)
        life.isPaused = random.chance(0.6)
        if (life.isPaused) pauses++
      }
      if (random.chance(0.1)) world.pass(random.below(isCalm ? 200 : 40_000))
      await turn(random.below(TURNS_PER_ACTION))
    }

    // The faults end, and all that is recorded arrives.
    endpoints.behaviours.clear()
    for (const { life } of processes) life.isPaused = false
    for (let round = 0; round < REST_ROUNDS; round++) {
      await turn(200)
      const [left] = await db.sql<{ many: number }[]>`select count(*) as many from deliveries`
      const isRecording = scheduler.running().some(({ name }) => name === 'record')
      if (left?.many === 0 && !isRecording) break
      world.pass(isCalm ? 300 : 2_000)
    }
    const violations = await findViolations(db, { endpoints, mayRepeat: crashes + pauses > 0 })
    const [recorded] = await db.sql<{ many: number }[]>`select count(*) as many from notifications`
    for (const { life } of processes) scheduler.kill(life)
    await db.sql`
      select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and application_name like 'sim %'`
    await Promise.all([...closing, ...processes.map(({ db: own }) => own.close())])
    const received = endpoints.receipts.length
    return { seed, violations, recorded: recorded?.many ?? 0, received, crashes, pauses }
  }

  return { run, close: () => webhooks[Symbol.asyncDispose]() }
}

/** The guarantees of the slice `deliveries`, each against what the endpoints saw. */
async function findViolations(
  db: Database,
  { endpoints, mayRepeat }: { endpoints: Endpoints; mayRepeat: boolean },
): Promise<string[]> {
  const rows = await db.sql<
    { id: string; hookId: string; resourceId: string; resourceSeq: number; body: string; status: string | null }[]
  >`
    select n.notification_id as id, n.hook_id as "hookId", n.resource_id as "resourceId",
      n.resource_seq as "resourceSeq", n.body, o.status
    from notifications as n left join outcomes as o using (recorded_day, notification_id)
    order by n.hook_id, n.resource_id, n.resource_seq`
  const violations: string[] = []
  const firstAt = new Map<string, number>()
  endpoints.receipts.forEach(({ notificationId }, index) => {
    if (!firstAt.has(notificationId)) firstAt.set(notificationId, index)
  })
  const known = new Map(rows.map(row => [row.id, row]))
  for (const { notificationId, body } of endpoints.receipts) {
    if (!known.has(notificationId)) violations.push(`${notificationId} was sent and never recorded`)
    else if (known.get(notificationId)?.body !== body) violations.push(`${notificationId} was sent with another body`)
  }
  for (const { id, status } of rows) {
    const acknowledged = endpoints.receipts.filter(got => got.notificationId === id && got.acknowledged).length
    if (status !== 'DELIVERED') violations.push(`${id} ended as ${status}`)
    if (acknowledged === 0) violations.push(`${id} was recorded and never acknowledged`)
    if (acknowledged > 1 && !mayRepeat) violations.push(`${id} was acknowledged ${acknowledged} times without a fault`)
  }
  let last: (typeof rows)[number] | undefined
  for (const row of rows) {
    const isSame = last?.hookId === row.hookId && last.resourceId === row.resourceId
    const [before, after] = [last && firstAt.get(last.id), firstAt.get(row.id)]
    if (isSame && before !== undefined && after !== undefined && before > after) {
      violations.push(
        `${row.id} arrived before ${last?.id} of the same resource: ${JSON.stringify([before, after, row.resourceSeq, last?.resourceSeq, endpoints.receipts[before]?.process, endpoints.receipts[after]?.process, endpoints.receipts.filter(r => r.notificationId === row.id || r.notificationId === last?.id).map(r => r.process + (r.notificationId === row.id ? ' later ' : ' earlier ') + r.acknowledged)])}`,
      )
    }
    last = row
  }
  for (const { id } of await db.sql<{ id: string }[]>`select distinct notification_id as id from foreign_writes`) {
    violations.push(`${id} was written by a process that does not own its shard`)
  }
  return violations
}

async function countBlocked({ sql }: Database): Promise<number> {
  const [row] = await sql<{ blocked: number }[]>`
    select count(*) as blocked from pg_stat_activity
    where datname = current_database() and state = 'active' and wait_event_type = 'Lock'
      and cardinality(pg_blocking_pids(pid)) > 0`
  return row?.blocked ?? 0
}
