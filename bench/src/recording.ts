import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import type { Processes } from './cpu.ts'
import type { Inbox } from './inbox.ts'
import { monotonicMs } from './monotonic.ts'
import { flagsOfStart } from './node-flags.ts'
import type { AppToMake, Fact, WorkerAnswer, WorkerRequest } from './worker.ts'

/** The path of a notification without the API: a process that records and delivers events, with its own database. */
export interface Recording extends AsyncDisposable {
  readonly processes: Processes
  /** A connection to the recording's database, for preparing states that would otherwise take days. */
  readonly sql: postgres.Sql
  readonly apps: RecordedApps
  /** Records the facts in one transaction. Resolves after the commit. */
  record(facts: readonly Fact[]): Promise<void>
}

export interface RecordedApps {
  /** 40 apps with one hook each. The listener of a fifth of them may fail. */
  readonly well: readonly string[]
  readonly unwell: readonly string[]
  readonly ofTenHooks: string
  readonly ofHundredHooks: string
  /** One app with a hook for each of 3,000 merchants, and no hook for all merchants. */
  readonly ofMerchants: { readonly appId: string; readonly businessIds: readonly string[] }
  /** 10,000 apps with one hook each. */
  readonly many: readonly string[]
}

interface Options {
  /** The run of the bench. Each run has its own database. */
  readonly run: number
  /** The service's database. The recording creates another one in the same PostgreSQL. */
  readonly database: { readonly url: string; readonly pid: number }
  readonly inbox: Inbox
  readonly signal: AbortSignal
  /** A folder for a CPU profile. */
  readonly profile?: string
}

const WELL = 32
const UNWELL = 8
const MANY = 10_000
const MERCHANTS = 3_000
/** Enough batches of 40 that V8 has compiled most of the code. With fewer, compiling took up to a third of the service's processor time. */
const WARM_UP_BATCHES = 500
const WARM_WITHIN_MS = 10_000

/** Starts the recording at its first use, so that only suites that need it pay for it. */
export function lazyRecording(options: Options): AsyncDisposable & { open(): Promise<Recording> } {
  let opened: Promise<Recording> | undefined
  return {
    open: () => {
      opened ??= openRecording(options)
      return opened
    },
    [Symbol.asyncDispose]: async () => {
      const recording = await opened?.catch(() => undefined)
      await recording?.[Symbol.asyncDispose]()
    },
  }
}

async function openRecording(options: Options): Promise<Recording> {
  const { database, inbox, profile } = options
  const name = `recording_${options.run}`
  const url = await makeDatabase(database.url, name)
  // Detached, as the listener is.
  const worker = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), {
    detached: true,
    execArgv: [...flagsOfStart(), ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`])],
    env: { ...process.env, WORKER_DATABASE_URL: url },
  })
  const ended = once(worker, 'exit')
  const waiting = new Map<number, PromiseWithResolvers<void>>()
  const made = Promise.withResolvers<readonly string[]>()
  const ready = Promise.withResolvers<void>()
  worker.on('message', (answer: WorkerAnswer) => {
    if ('isReady' in answer) return ready.resolve()
    if ('made' in answer) return made.resolve(answer.made)
    const recorded = waiting.get(answer.batch)
    waiting.delete(answer.batch)
    if ('error' in answer) recorded?.reject(new Error(answer.error))
    else recorded?.resolve()
  })
  worker.once('exit', code => {
    const error = new Error(`The recording process ended with code ${code}.`)
    for (const { reject } of [ready, made, ...waiting.values()]) reject(error)
  })
  const ask = (request: WorkerRequest) => worker.send(request)
  let batches = 0
  const askFor = (toDo: { readonly facts: readonly Fact[] }) => {
    const done = Promise.withResolvers<void>()
    const batch = ++batches
    waiting.set(batch, done)
    ask({ batch, ...toDo })
    return done.promise
  }
  const sql = postgres(url, { max: 2, onnotice: () => {} })
  const stop = async () => {
    await sql.end({ timeout: 1 })
    if (worker.exitCode === null && worker.signalCode === null) worker.kill()
    await ended
    await dropDatabase(database.url, name)
  }
  // The promise may reject before anything awaits it.
  made.promise.catch(() => {})
  try {
    await ready.promise
    const businessIds = Array.from({ length: MERCHANTS }, () => randomUUID())
    ask({ make: appsToMake(inbox, businessIds) })
    const apps = named(await made.promise, businessIds)
    await sql`vacuum (analyze)`
    const recording: Recording = {
      processes: { service: worker.pid ?? 0, postgres: database.pid },
      sql,
      apps,
      record: facts => askFor({ facts }),
      [Symbol.asyncDispose]: stop,
    }
    await warmUp(recording, options)
    return recording
  } catch (error) {
    await stop()
    throw error
  }
}

/** Opens connections and lets V8 compile the code before the measurement. The results are discarded. */
async function warmUp({ record, apps }: Recording, { inbox, signal }: Options): Promise<void> {
  using stream = inbox.openStream()
  for (let n = 0; n < WARM_UP_BATCHES; n++) {
    await record([...apps.well, ...apps.unwell].map(appId => [appId, stream.newId(monotonicMs())]))
  }
  const many = WARM_UP_BATCHES * (WELL + UNWELL)
  await stream.arrived(many, { quietMs: WARM_WITHIN_MS, signal })
}

async function makeDatabase(databaseUrl: string, name: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`create database ${sql(name)}`
  await sql.end({ timeout: 1 })
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Drops the database of a run, so that it does not slow the next run. */
async function dropDatabase(databaseUrl: string, name: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`drop database ${sql(name)} with (force)`
  await sql.end({ timeout: 1 })
}

function appsToMake({ timedUrl, unwellUrl }: Inbox, businessIds: readonly string[]): AppToMake[] {
  const times = <T>(many: number, value: T) => Array.from({ length: many }, () => value)
  const [timed, unwell] = [{ deliveryUrl: timedUrl }, { deliveryUrl: unwellUrl }]
  return [
    ...times(WELL, [timed]),
    ...times(UNWELL, [unwell]),
    times(10, timed),
    times(100, timed),
    businessIds.map(businessId => ({ ...timed, businessId })),
    ...times(MANY, [timed]),
  ]
}

function named(appIds: readonly string[], businessIds: readonly string[]): RecordedApps {
  const [ofTenHooks = '', ofHundredHooks = '', appId = '', ...many] = appIds.slice(WELL + UNWELL)
  return {
    ...{ well: appIds.slice(0, WELL), unwell: appIds.slice(WELL, WELL + UNWELL), ofTenHooks, ofHundredHooks, many },
    ofMerchants: { appId, businessIds },
  }
}
