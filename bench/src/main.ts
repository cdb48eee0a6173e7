import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ALONE, type AloneName } from './alone.ts'
import { currentCommit } from './commit.ts'
import { findDatabase, removeDatabase, settleDatabase } from './database.ts'
import { openInbox } from './inbox.ts'
import { currentLoad, describeMachine, printMachine } from './machine.ts'
import { type Options, readOptions } from './options.ts'
import { printRatios } from './ratios.ts'
import { lazyRecording } from './recording.ts'
import { mediansOf, type Row } from './row.ts'
import { type Results, saveResults } from './save.ts'
import { seed } from './seed.ts'
import { dataDirIn, logTail, startService } from './service.ts'
import { SUITES, type SuiteName } from './suites.ts'
import { printTable } from './table.ts'
import { printTargets } from './targets.ts'
import type { Scenario, World } from './world.ts'

/** Aborted by Ctrl-C, by a reader of the output that goes away, or when the service ends. The cleanup is then the same as at the normal end. */
const stopping = new AbortController()
const INTERRUPTED = new Error('Stopped.')
process.on('SIGINT', () => stopping.abort(INTERRUPTED))
process.on('SIGTERM', () => stopping.abort(INTERRUPTED))
process.stdout.on('error', () => stopping.abort(INTERRUPTED))
process.stderr.on('error', () => stopping.abort(INTERRUPTED))

try {
  await main(process.argv.slice(2))
} catch (error) {
  // An error after the stop is a consequence of the stop.
  const reason = stopping.signal.aborted ? stopping.signal.reason : error
  report(reason instanceof Error ? reason.message : String(reason))
  process.exitCode = reason === INTERRUPTED ? 130 : 1
}

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const { suite } = options
  if (suite !== undefined && suite in ALONE) {
    return ALONE[suite as AloneName]({ print, report, signal: stopping.signal, scale: options.scale })
  }
  const suites = suite === undefined ? [SUITES.api, SUITES.deliveries] : [SUITES[suite as SuiteName]]
  const { only = [''] } = options
  const scenarios = suites.flat().filter(({ name }) => only.some(text => name.includes(text)))
  if (scenarios.length === 0) throw new Error(`No scenario has a name with "${only.join('" or "')}".`)
  const results = await measure(scenarios, options)
  const rows = mediansOf(results.runs)
  print(['', printMachine(results.machine), '', printTable(rows), '', printRatios(rows), printTargets(rows)].join('\n'))
  if (options.save) report(`Saved as ${await saveResults(results)}`)
}

async function measure(scenarios: readonly Scenario[], options: Options): Promise<Results> {
  const startedAt = new Date()
  const commit = await currentCommit()
  const loadBefore = currentLoad()
  const { signal } = stopping
  const profile = options.profile === undefined ? {} : { profile: resolve(options.profile) }
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  stack.defer(() => removeDatabase(dataDirIn(folder)))
  stack.defer(async () => {
    const logged = await logTail(folder)
    if (logged !== '') report(`Last log lines of the service:\n${logged}`)
  })
  const inbox = stack.use(await openInbox())
  const operatorKey = randomBytes(24).toString('base64url')
  report('Starting the service …')
  const { baseUrl, pid } = stack.use(
    await startService({
      folder,
      operatorKey,
      gatewayDelayMs: options.gatewayDelayMs,
      ...profile,
      onEnd: error => stopping.abort(error),
    }),
  )
  signal.throwIfAborted()
  const machine = await describeMachine(dataDirIn(folder), loadBefore)
  report('Filling the database …')
  const seeded = await seed({ baseUrl, operatorKey, listenerUrl: inbox.url, signal })
  await settleDatabase(dataDirIn(folder))
  const database = await findDatabase(dataDirIn(folder))
  const world: Omit<World, 'openRecording'> = {
    baseUrl,
    operatorKey,
    processes: { service: pid, postgres: database.pid },
    databaseUrl: database.url,
    seeded,
    inbox,
    seconds: options.seconds,
    gatewayDelayMs: options.gatewayDelayMs,
    notifications: options.notifications,
    ...(options.keep === undefined ? {} : { keep: resolve(options.keep) }),
    signal,
  }
  const runs: Row[][] = []
  for (let run = 1; run <= options.runs; run++) {
    // Each run has a new process and a new database, so earlier runs do not affect its memory and tables.
    await using recording = lazyRecording({ run, database, inbox, signal, ...profile })
    const whole = { ...world, openRecording: recording.open }
    runs.push(await runAll(scenarios, whole, `${run}/${options.runs}`))
  }
  const note = options.note === undefined ? {} : { note: options.note }
  return { suite: savedAs(options), startedAt, commit, machine, seconds: options.seconds, ...note, runs }
}

async function runAll(scenarios: readonly Scenario[], world: World, run: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const scenario of scenarios) {
    world.signal.throwIfAborted()
    report(`Run ${run}: ${scenario.name} …`)
    const measured = await scenario.run(world)
    for (const { name, perSecond, p50Ms, p99Ms, errors } of measured) {
      report(`  ${name}: ${Math.round(perSecond)}/s, p50 ${p50Ms}, p99 ${p99Ms} ms, ${errors} errors`)
    }
    rows.push(...measured)
  }
  return rows
}

/** The file name of the results. A part of a suite, or another gateway delay, has another name than the whole suite. */
function savedAs({ suite, only = [], gatewayDelayMs }: Options): string {
  const words = [suite ?? 'all', ...only, ...(gatewayDelayMs === 0 ? [] : [`gateway ${gatewayDelayMs}`])]
  return words
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Progress goes to stderr, so that stdout holds the table only. */
function report(line: string): void {
  process.stderr.write(`${line}\n`)
}
