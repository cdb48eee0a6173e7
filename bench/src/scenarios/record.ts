import { constantRate, keepSchedule } from '../arrivals.ts'
import { type Cpu, cpuPerRequest, readCpu } from '../cpu.ts'
import { memoryMiBOf } from '../memory.ts'
import { monotonicMs } from '../monotonic.ts'
import type { Recording } from '../recording.ts'
import { type Row, rowOf } from '../row.ts'
import type { Stream } from '../stream.ts'
import { createTally, type Tally } from '../tally.ts'
import type { World } from '../world.ts'

/** The wait after the last notification: the first retry of a delivery is 5 s ± 20 % later. */
export const QUIET_MS = 10_000

/** An app's events and the notifications that follow. */
export interface Source {
  readonly appId: string
  /** One merchant of the app. Absent: another merchant for each event. */
  readonly businessId?: string
  readonly stream: Stream
}

export interface Pace {
  readonly factsPerSecond: number
  /** Events per transaction, all scheduled at the same instant. */
  readonly inOne: number
  readonly seconds: number
  readonly signal: AbortSignal
}

/** Records events of each source in turn, at scheduled instants. Returns the times from the scheduled instants to the commits. */
export async function recordAt(
  recording: Recording,
  sources: readonly Source[],
  { factsPerSecond, inOne, seconds, signal }: Pace,
): Promise<Tally> {
  const accepted = createTally()
  const underWay: Promise<void>[] = []
  let turn = 0
  const start = (dueAtMs: number) => {
    const facts = Array.from({ length: inOne }, () => {
      const source = sources[turn++ % sources.length]
      if (source === undefined) throw new Error('There must be an app.')
      return [source.appId, source.stream.newId(dueAtMs), source.businessId ?? null] as const
    })
    const committed = recording.record(facts).then(
      () => {
        const tookMs = monotonicMs() - dueAtMs
        for (const _ of facts) accepted.succeeded(tookMs)
      },
      () => accepted.failed('not recorded', facts.length),
    )
    underWay.push(committed)
  }
  await keepSchedule(constantRate(factsPerSecond / inOne, seconds), start, signal)
  await Promise.all(underWay)
  return accepted
}

/** Measures processor time per notification since the call, and current memory. */
export function meter({ processes }: Recording) {
  const beganAtMs = monotonicMs()
  const before = readCpu(processes)
  return {
    beganAt: new Date(),
    beganAtMs,
    used: (notifications: number): { cpu?: Cpu; memoryMiB?: number } => {
      const cpu = cpuPerRequest(before, readCpu(processes), notifications)
      const memoryMiB = memoryMiBOf(processes.service)
      return { ...(cpu && { cpu }), ...(memoryMiB !== undefined && { memoryMiB }) }
    },
  }
}

/** The result of a stream against the expected count. A duplicate without a crash counts as an error. */
export function rowOfStream(
  name: string,
  { latenciesMs, repeated, lastAtMs }: Stream,
  { expected, sinceMs }: { expected: number; sinceMs: number },
): Row {
  const tally = createTally()
  for (const latencyMs of latenciesMs) tally.succeeded(latencyMs)
  tally.failed('missing', expected - latenciesMs.length)
  tally.failed('came again', repeated)
  return rowOf(name, tally, (lastAtMs - sinceMs) / 1_000)
}

/** Adds the reasons of failed attempts to the row's errors: a listener that gets no processor time for 2 s opens breakers, too. */
export async function withReasons(row: Row, { sql }: Recording, since: Date): Promise<Row> {
  if (row.errors === 0) return row
  const reasons = await sql<{ word: string; times: number }[]>`
    select 'attempts: ' || coalesce(reason, http_status::text) as word, count(*)::integer as times
    from attempts where http_status is distinct from 200 and attempted_at >= ${since} group by 1`
  return {
    ...row,
    failures: { ...row.failures, ...Object.fromEntries(reasons.map(({ word, times }) => [word, times])) },
  }
}

export interface Constant extends Pick<Pace, 'factsPerSecond' | 'inOne'> {
  readonly name: string
  readonly appIds: readonly string[]
  /** Merchants per app, in turn. Absent: an unknown merchant for each event. */
  readonly businessIds?: readonly string[]
  /** Hooks of each app. */
  readonly hooks?: number
}

/** Two rows, from the scheduled instants to the commits and to the deliveries. */
export async function measureConstant(
  { inbox, seconds, signal }: World,
  recording: Recording,
  { name, appIds, businessIds, hooks = 1, ...pace }: Constant,
): Promise<Row[]> {
  using stream = inbox.openStream()
  const { beganAt, beganAtMs, used } = meter(recording)
  const sources = appIds.flatMap((appId): Source[] =>
    businessIds === undefined ? [{ appId, stream }] : businessIds.map(businessId => ({ appId, businessId, stream })),
  )
  const accepted = await recordAt(recording, sources, { ...pace, seconds, signal })
  const lastAtMs = monotonicMs()
  const expected = accepted.latenciesMs.length * hooks
  await stream.arrived(expected, { quietMs: QUIET_MS, signal })
  const row = rowOfStream(`${name}: delivered`, stream, { expected, sinceMs: beganAtMs })
  return [
    rowOf(`${name}: accepted`, accepted, (lastAtMs - beganAtMs) / 1_000),
    await withReasons({ ...row, ...used(expected) }, recording, beganAt),
  ]
}
