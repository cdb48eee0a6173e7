import assert from 'node:assert/strict'
import { pino } from 'pino'
import { type App, createApp } from '../../src/app.ts'
import { type Gateway, type GatewayName, GatewayUnreachable } from '../../src/money/gateway/gateway.ts'
import { eventSecretOf } from '../../src/money/gateway/sandbox/sandbox.ts'
import { type Database, openDatabase } from '../../src/platform/db/db.ts'
import { parseNetworks } from '../../src/platform/egress/addresses.ts'
import type { Ports } from '../../src/ports.ts'
import type { WorkRate } from '../../src/runtime/jobs/rate.ts'
import { noteExercised } from '../support/exercised.ts'
import { MASTER_KEY, OPERATOR_KEY } from '../support/world.ts'
import type { AtGateway } from './at-gateway.ts'
import { atSandbox } from './at-sandbox.ts'
import { atStripe } from './at-stripe.ts'
import { EMPTY } from './empty.ts'
import type { Wire } from './faulty-gateway.ts'
import { makePlatform, type Platform } from './platform.ts'
import { createRandom, idsOf, type Random } from './random.ts'
import { type Rewrite, scheduledDb } from './scheduled-db.ts'
import { createScheduler, type Life, type Scheduler } from './scheduler.ts'

/** A lock removed from the service, to show that the simulation notices. */
export interface NegativeControl {
  /** The gateway, if not the sandbox. */
  readonly at?: 'stripe'
  /** Changes the schema once. */
  readonly ddl?: string
  readonly rewrite?: Rewrite
  gateway?(gateway: Gateway, random: Random): Gateway
}

/** A database, virtual time, and two processes that can crash. */
export interface Stage {
  readonly db: Database
  readonly clock: { now(): Date; set(at: Date): void }
  newId(): string
  readonly wire: Wire
  /** The gateway of the run. */
  readonly there: AtGateway
  readonly scheduler: Scheduler
  /**
   * The operator disables the app and decides about backlogs. False beside a negative control: held charges would hide a
   * missing lock for longer.
   */
  readonly hasOperator: boolean
  readonly workers: readonly [Worker, Worker]
  /** Error lines of the log, and other forbidden results. */
  readonly errors: string[]
  platform: Platform
  /** Empties the tables and restarts the random sequence. */
  begin(seed: string): Promise<Random>
  /** Ends all tasks of the run. */
  end(): Promise<void>
  close(): Promise<void>
}

/** Background jobs about money and purchases. */
export const JOBS = [
  ...(['renewals', 'charges', 'refunds', 'gatewayEvents'] as const),
  ...(['reconciliation', 'ledgerTotals', 'revenueSums', 'purchases', 'testClocks', 'standingTestClocks'] as const),
] as const
export type JobName = (typeof JOBS)[number] | 'appEndings'

export interface Worker {
  readonly name: string
  life: Life
  /** One request, as a task. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  runJob(name: JobName): Promise<number>
  /** Ports of the life, for people on screens. */
  ports(): Ports
  /** Crashes the process between two steps, with its connections. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Resets the numbering of lives, so that equal seeds print equal text. */
  begin(): void
}

export interface Answer {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers as a client reads them.
  readonly body: any
}

/** Longer than the service's interval: thirty polls instead of 1,500 before a late response. */
const REST_MS = 1_000

/** The day of all ids: virtual time never reaches the day when its partitions are dropped. */
const ID_DAY = new Date('2040-01-01T00:00:00Z')
export const START = new Date('2026-01-01T00:00:00Z')

/** Real timeouts must not matter: a paused process blocks others for a time that depends on the machine. */
const PATIENT = { answerWithinMs: 15 * 60_000, connectWithinMs: 90_000 }

/** Fixed plans and tables, so that rows without an order repeat in a replay. */
const HOLD_STILL = `
  do $$ declare t record; begin
    for t in select oid::regclass as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = false)', t.name);
    end loop;
    execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database());
    execute format('alter database %I set jit = off', current_database());
  end $$`

export async function openStage(
  url: string,
  control: NegativeControl = {},
  gateway: GatewayName = 'sandbox',
): Promise<Stage> {
  const hasOperator = Object.keys(control).length === 0
  // One connection, so that each check is planned once.
  const db = openDatabase({ url, maxConnections: 1, applicationName: 'simulation', ...PATIENT })
  const gatewayDb = openDatabase({
    url,
    maxConnections: 2,
    applicationName: 'simulated gateway',
    ...PATIENT,
  })
  let now = START
  const clock = {
    now: () => now,
    set: (at: Date) => {
      now = at
    },
  }
  const wire: { -readonly [K in keyof Wire]: Wire[K] } = {
    random: createRandom('wire'),
    faults: 0,
    downUntil: START,
    late: [],
    events: [],
  }
  const errors: string[] = []
  let newId = idsOf(createRandom('platform'), ID_DAY)
  let dice = createRandom('workRate')
  /** Random load: the real one depends on the machine's clock. */
  const workRate: WorkRate = {
    answered() {},
    step: work => work({ mayContinue: () => dice.chance(0.5), pause: () => new Promise(() => {}) }),
  }
  const scheduler = createScheduler({ countBlocked: () => countBlocked(db) })
  const sandbox = atSandbox({
    db: gatewayDb,
    clock,
    wire,
    eventSecret: eventSecretOf(MASTER_KEY),
    newId: () => newId(),
  })
  const there = (control.at ?? gateway) === 'stripe' ? atStripe({ clock, wire }) : sandbox
  const closing: Promise<unknown>[] = []
  let connections = 0
  const workerOf = (name: string): Worker => {
    let lives = 0
    let connectedAs = ''
    let app: App
    let own: Database
    const worker: Worker = {
      name,
      life: { name, isDead: true, isStarting: false },
      start: async () => {
        const life = { name: `${name}.${++lives}`, isDead: false, isStarting: true }
        worker.life = life
        connectedAs = `simulated ${name} ${++connections}`
        own = openDatabase({
          url,
          maxConnections: 40,
          applicationName: connectedAs,
          ...PATIENT,
        })
        const schedule = { life, scheduler }
        const onDeadlock = () => errors.push('two transactions waited for each other')
        app = await createApp({
          databaseUrl: url,
          databaseConnectsWithinMs: PATIENT.connectWithinMs,
          masterKey: MASTER_KEY,
          operatorKey: OPERATOR_KEY,
          settings: {
            baseUrl: 'http://127.0.0.1:8080',
            billingUrl: 'http://127.0.0.1:8080',
            allowedNetworks: parseNetworks('127.0.0.0/8'),
            requireHttps: false,
            operatorShare: 2_000,
            catchUpHours: hasOperator ? 4 : 0,
          },
          limits: { ratePerApp: 1e9, ratePerAddress: 1e9 },
          log: pino({ level: 'error' }, { write: line => void errors.push(line) }),
          checkAnswers: true,
          clock: { now: () => (life.isStarting ? ID_DAY : now) },
          workRate,
          ...(there.stripe && { stripe: there.stripe }),
          wrap: ports => {
            const scheduled = scheduledDb(own, { ...schedule, onDeadlock, ...(control.rewrite && { rewrite }) })
            const opened = there.open(scheduled, schedule)
            const gateway = control.gateway?.(opened, wire.random) ?? opened
            return {
              ...ports,
              newId: () => newId(),
              // A driver of a test clock waits for a charge: virtual time must advance.
              sleep: () => scheduler.step(life, 'rest', async () => clock.set(new Date(now.getTime() + REST_MS))),
              db: scheduled,
              gateways: {
                // The sandbox always exists and is reconciled.
                sandbox: { ...sandbox.open(scheduled, schedule), ...(there.name === 'sandbox' && gateway) },
                ...(there.name === 'stripe' && { stripe: gateway }),
              },
            }
          },
        })
        noteExercised(app.http)
        await app.http.ready()
        life.isStarting = false
      },
      ask: async (method, url, body, headers) => {
        const answer = await app.http.inject({
          method: method as 'POST',
          url,
          headers: { authorization: `Bearer ${OPERATOR_KEY}`, ...headers },
          ...(body === undefined ? {} : { payload: body as object }),
        })
        return { status: answer.statusCode, text: answer.body, body: answer.body === '' ? {} : answer.json() }
      },
      begin: () => {
        lives = 1
        worker.life.name = `${name}.1`
      },
      ports: () => app.ports,
      runJob: async name => {
        try {
          return await app.jobs[name].runOnce()
        } catch (error) {
          // The row stays due, as in production.
          if (error instanceof GatewayUnreachable) return 0
          throw error
        }
      },
      crash: async () => {
        scheduler.kill(worker.life)
        await endConnections(db, connectedAs)
        // Waiting tasks never end; close the connections of the start.
        closing.push(own.close(), app.close())
      },
    }
    return worker
  }
  const workers = [workerOf('A'), workerOf('B')] as const
  let hasRewritten = false
  const rewrite = (text: string) => {
    const changed = control.rewrite?.(text) ?? text
    hasRewritten ||= changed !== text
    return changed
  }
  await db.sql.unsafe(HOLD_STILL)
  if (control.ddl !== undefined) await db.sql.unsafe(control.ddl)
  for (const worker of workers) await worker.start()
  workers[0].life.isStarting = true
  const platform = await makePlatform(workers[0])
  workers[0].life.isStarting = false
  // Repeated, because the start created partitions.
  await db.sql.unsafe(HOLD_STILL)
  return {
    db,
    clock,
    newId: () => newId(),
    wire,
    there,
    scheduler,
    hasOperator,
    workers,
    errors,
    platform,
    begin: async seed => {
      await db.sql.unsafe(EMPTY)
      const random = createRandom(seed)
      newId = idsOf(createRandom(`${seed} ids`), new Date(ID_DAY.getTime() + 3_600_000))
      dice = createRandom(`${seed} workRate`)
      clock.set(START)
      Object.assign(wire, { random: createRandom(`${seed} wire`), faults: 0, downUntil: START })
      wire.late.length = wire.events.length = 0
      there.begin(seed)
      errors.length = 0
      scheduler.trace.length = 0
      for (const worker of workers) worker.begin()
      return random
    },
    end: async () => {
      for (const worker of workers) {
        const isBusy = scheduler.running().some(({ life }) => life === worker.life)
        if (isBusy) await worker.crash()
        if (worker.life.isDead) await worker.start()
      }
    },
    close: async () => {
      for (const worker of workers) await worker.crash()
      await Promise.all([...closing, db.close(), gatewayDb.close()])
      assert.ok(hasRewritten || !control.rewrite, 'no statement has what the control takes away')
    },
  }
}

async function countBlocked({ sql }: Database): Promise<number> {
  const [row] = await sql<{ blocked: number }[]>`
    select count(*) as blocked from pg_stat_activity
    where datname = current_database() and state = 'active' and wait_event_type = 'Lock'
      and cardinality(pg_blocking_pids(pid)) > 0`
  return row?.blocked ?? 0
}

/** Ends the connections and releases their locks. */
async function endConnections({ sql }: Database, applicationName: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and application_name = ${applicationName}`
}
