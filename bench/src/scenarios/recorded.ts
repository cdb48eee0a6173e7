import { setTimeout as wait } from 'node:timers/promises'
import { monotonicMs } from '../monotonic.ts'
import type { Recording } from '../recording.ts'
import type { Row } from '../row.ts'
import type { Scenario, World } from '../world.ts'
import { measureConstant, meter, QUIET_MS, rowOfStream, withReasons } from './record.ts'

/** Events per transaction, like a run of renewals with few due subscriptions. */
const IN_ONE = 10
/** Events per transaction at saturation. */
const IN_ONE_AT_MOST = 100
const RECORDERS = 4
/** The limit of undelivered notifications. Without it the queue would grow without end, and the rate would be the rate of inserts. */
const OUTSTANDING_AT_MOST = 4_000

export const appsOf = ({ apps: { well, unwell } }: Recording): readonly string[] => [...well, ...unwell]

/** Records events for 40 hooks at a constant rate. */
export function recordedAt(perSecond: number): Scenario {
  const name = `inserted without HTTP, at ${perSecond.toLocaleString('en')}/s`
  return constant(name, recording => ({ appIds: appsOf(recording), factsPerSecond: perSecond, inOne: IN_ONE }))
}

/** The pause is long enough to save the previous delivery, and short enough for 300 events, so that the p99 is not the maximum. */
export const idleToFirst = constant('one event every 20 ms', recording => ({
  appIds: appsOf(recording),
  factsPerSecond: 50,
  inOne: 1,
}))

/** Eight per second over 40 hooks: each hook rests five seconds, in which its connection may close. */
export const restedToFirst = constant('one event per hook every 5 s', recording => ({
  appIds: appsOf(recording),
  factsPerSecond: 8,
  inOne: 1,
}))

/** Events of one app with several listening hooks. */
export const fanOutTen = constant('fan-out ×10, 1,000/s', ({ apps }) => ({
  appIds: [apps.ofTenHooks],
  factsPerSecond: 100,
  inOne: 1,
  hooks: 10,
}))

export const fanOutHundred = constant('fan-out ×100, 1,000/s', ({ apps }) => ({
  appIds: [apps.ofHundredHooks],
  factsPerSecond: 10,
  inOne: 1,
  hooks: 100,
}))

export const manyHooks = constant('10,000 hooks, 1,000/s', ({ apps }) => ({
  appIds: apps.many,
  factsPerSecond: 1_000,
  inOne: IN_ONE,
}))

/** Events of one app, with one hook per merchant. */
export const manyMerchants = constant('3,000 merchants of an app, 1,000/s', ({ apps: { ofMerchants } }) => ({
  appIds: [ofMerchants.appId],
  businessIds: ofMerchants.businessIds,
  factsPerSecond: 1_000,
  inOne: IN_ONE,
}))

/** The open transaction keeps every dead row of the queue. `--seconds 600` shows ten minutes, one row each. */
export const besideTransaction: Scenario = {
  name: 'with an open transaction, 1,000/s',
  run: async world => {
    const recording = await world.openRecording()
    const held = await recording.sql.reserve()
    await held`begin isolation level repeatable read`
    await held`select count(*) from deliveries`
    const minutes = Math.max(1, Math.floor(world.seconds / 60))
    const rows: Row[] = []
    try {
      for (let minute = 1; minute <= minutes; minute++) {
        const name = minutes === 1 ? besideTransaction.name : `${besideTransaction.name}, minute ${minute}`
        const pace = { appIds: appsOf(recording), factsPerSecond: 1_000, inOne: IN_ONE }
        rows.push(
          ...(await measureConstant({ ...world, seconds: world.seconds / minutes }, recording, { name, ...pace })),
        )
      }
      return rows
    } finally {
      await held`rollback`
      held.release()
    }
  },
}

/** Records events as fast as the service delivers notifications. The rate is the result; the latency is mostly waiting time. */
export const recordedSaturated: Scenario = {
  name: 'inserted without HTTP, at saturation',
  run: async world => {
    const { inbox, seconds, signal } = world
    const recording = await world.openRecording()
    using stream = inbox.openStream()
    const { beganAt, beganAtMs, used } = meter(recording)
    const appIds = appsOf(recording)
    const until = beganAtMs + seconds * 1_000
    let recorded = 0
    const record = async () => {
      while (monotonicMs() < until) {
        signal.throwIfAborted()
        if (recorded - stream.latenciesMs.length > OUTSTANDING_AT_MOST) {
          await wait(2)
          continue
        }
        const atMs = monotonicMs()
        const first = recorded
        recorded += IN_ONE_AT_MOST
        const facts = Array.from({ length: IN_ONE_AT_MOST }, (_, n) => {
          return [appIds[(first + n) % appIds.length] ?? '', stream.newId(atMs)] as const
        })
        await recording.record(facts)
      }
    }
    await Promise.all(Array.from({ length: RECORDERS }, record))
    await stream.arrived(recorded, { quietMs: QUIET_MS, signal })
    const row = rowOfStream(`${recordedSaturated.name}: delivered`, stream, { expected: recorded, sinceMs: beganAtMs })
    return [await withReasons({ ...row, ...used(recorded) }, recording, beganAt)]
  },
}

function constant(
  name: string,
  planOf: (recording: Recording) => Omit<Parameters<typeof measureConstant>[2], 'name'>,
): Scenario {
  return {
    name,
    run: async (world: World): Promise<Row[]> => {
      const recording = await world.openRecording()
      return measureConstant(world, recording, { name, ...planOf(recording) })
    },
  }
}
