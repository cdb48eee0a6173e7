import { setTimeout as wait } from 'node:timers/promises'
import type { Illness } from '../listener.ts'
import type { Recording } from '../recording.ts'
import type { Scenario, World } from '../world.ts'
import { meter, QUIET_MS, recordAt, rowOfStream, type Source } from './record.ts'

/** The rate of all events; a fifth of the events go to failing hooks. */
const PACE = { factsPerSecond: 1_000, inOne: 10 }
/** Deliveries that are due for each failing hook at the start. */
const DUE_OF_EACH = 200
/** Maximum executions of a statement that ends in a deadlock. */
const ATTEMPTS = 5
/** Time for the attempts in progress to time out after 2 s and to be saved. */
const ATTEMPTS_END_MS = 3_000
/** Longer than the second pause of a breaker, and than the second step of a retry. */
const RECOVERED_WITHIN_MS = 45_000

/** A fifth of the hooks fail all the time. Their results are ignored. */
export function someAre(illness: Illness, verb: string): Scenario {
  const name = `20 % ${verb}, 1,000/s`
  return {
    name,
    run: async world => {
      const { inbox, seconds, signal } = world
      const recording = await world.openRecording()
      using well = inbox.openStream()
      using unwell = inbox.openStream()
      const { unwell: unwellIds } = recording.apps
      inbox.command({ unwell: illness })
      for (let n = 0; n < DUE_OF_EACH; n++) await recording.record(unwellIds.map(appId => [appId, unwell.newId(0)]))
      const { beganAtMs, used } = meter(recording)
      const sources = sourcesOf(recording, { well, unwell })
      const { latenciesMs } = await recordAt(recording, sources, { ...PACE, seconds, signal })
      const expected = shareOf(latenciesMs.length, recording).well
      await well.arrived(expected, { quietMs: QUIET_MS, signal })
      const row = rowOfStream(`${name}: the healthy hooks`, well, { expected, sinceMs: beganAtMs })
      const rows = [{ ...row, ...used(expected) }]
      await forget(world, recording)
      return rows
    },
  }
}

/** A fifth of the hooks answer 500 for half of the time and recover. No notification may be missing at the end. */
export const someFail: Scenario = {
  name: '20 % fail, then recover, 1,000/s',
  run: async world => {
    const { inbox, seconds, signal } = world
    const recording = await world.openRecording()
    using well = inbox.openStream()
    using unwell = inbox.openStream()
    const { beganAtMs, used } = meter(recording)
    inbox.command({ unwell: 'fails' })
    const recovers = wait(seconds * 500, undefined, { signal }).then(() => inbox.command({ unwell: 'well' }))
    const sources = sourcesOf(recording, { well, unwell })
    const { latenciesMs } = await recordAt(recording, sources, { ...PACE, seconds, signal })
    await recovers
    const expected = shareOf(latenciesMs.length, recording)
    await well.arrived(expected.well, { quietMs: QUIET_MS, signal })
    const row = rowOfStream(`${someFail.name}: the healthy hooks`, well, {
      expected: expected.well,
      sinceMs: beganAtMs,
    })
    const others = { ...row, ...used(expected.well) }
    await unwell.arrived(expected.unwell, { quietMs: RECOVERED_WITHIN_MS, signal })
    const own = { expected: expected.unwell, sinceMs: beganAtMs }
    return [others, rowOfStream(`${someFail.name}: the failing hooks`, unwell, own)]
  },
}

/** One failing source after every four healthy ones. */
function sourcesOf(
  { apps }: Recording,
  { well, unwell }: { well: Source['stream']; unwell: Source['stream'] },
): Source[] {
  const each = apps.well.length / apps.unwell.length
  return apps.unwell.flatMap((appId, n) => [
    ...apps.well.slice(n * each, (n + 1) * each).map(wellId => ({ appId: wellId, stream: well })),
    { appId, stream: unwell },
  ])
}

/** Splits events that were recorded in turn, healthy sources first. */
function shareOf(facts: number, { apps }: Recording): { well: number; unwell: number } {
  const round = (apps.well.length + apps.unwell.length) / apps.unwell.length
  const unwell = Math.floor(facts / round)
  return { well: facts - unwell, unwell }
}

/** Resets the failing hooks and their queues, so the next scenario starts clean. */
async function forget({ inbox, signal }: World, { sql }: Recording): Promise<void> {
  inbox.command({ unwell: 'well' })
  await wait(ATTEMPTS_END_MS, undefined, { signal })
  await again(() => sql`delete from deliveries`)
  await again(() => sql`delete from hook_health`)
}

/** Repeats work after a deadlock, because the service locks the same rows in another order. */
async function again(work: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await work()
      return
    } catch (error) {
      if (attempts === ATTEMPTS || !(error instanceof Error) || !error.message.includes('deadlock')) throw error
    }
  }
}
