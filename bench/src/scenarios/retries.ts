import { monotonicMs } from '../monotonic.ts'
import type { Recording } from '../recording.ts'
import type { Row } from '../row.ts'
import type { Scenario } from '../world.ts'
import { pause, resume } from './paused.ts'
import { meter, QUIET_MS, recordAt, rowOfStream, withReasons } from './record.ts'
import { appsOf } from './recorded.ts'

const RETRIES = 50_000
const IN_ONE = 500
/** First attempts meanwhile: as many as in the row that they are compared with. */
export const PACE = { factsPerSecond: 250, inOne: 10 }
/** A twentieth of the rate that is asked for, and the measurement ends all the same. */
export const DRAINED_WITHIN_MS = 500_000

/** As after an outage: all due at once, of 40 hooks that are well again. */
export const retriesDue: Scenario = {
  name: `${RETRIES.toLocaleString('en')} retries due`,
  run: async world => {
    const { inbox, signal } = world
    const recording = await world.openRecording()
    using retried = inbox.openStream()
    using first = inbox.openStream()
    await makeRetries(recording, () => retried.newId(0))
    const { beganAt, beganAtMs, used } = meter(recording)
    await resume(recording.sql, appsOf(recording))
    const sources = appsOf(recording).map(appId => ({ appId, stream: first }))
    let facts = 0
    while (retried.latenciesMs.length < RETRIES && monotonicMs() - beganAtMs < DRAINED_WITHIN_MS) {
      const { latenciesMs } = await recordAt(recording, sources, { ...PACE, seconds: 1, signal })
      facts += latenciesMs.length
    }
    await first.arrived(facts, { quietMs: QUIET_MS, signal })
    const own = used(RETRIES + facts)
    const firstName = `${retriesDue.name}: first attempts at 250/s`
    const firstRow = rowOfStream(firstName, first, { expected: facts, sinceMs: beganAtMs })
    return [
      await withReasons(firstRow, recording, beganAt),
      {
        ...sinceDue(rowOfStream(`${retriesDue.name}: they themselves`, retried, drained(beganAtMs)), beganAtMs),
        ...own,
      },
    ]
  },
}

const drained = (sinceMs: number) => ({ expected: RETRIES, sinceMs })

/** The service records the notifications while sending is off; then the state that takes days to reach is written directly. */
async function makeRetries({ sql, record, ...recording }: Recording, newId: () => string): Promise<void> {
  const appIds = appsOf({ sql, record, ...recording })
  await pause(sql, appIds)
  for (let made = 0; made < RETRIES; made += IN_ONE) {
    await record(Array.from({ length: IN_ONE }, (_, n) => [appIds[(made + n) % appIds.length] ?? '', newId()]))
  }
  // Other rows leave deliveries behind that are being saved.
  await sql`
    update deliveries set priority = 'RETRY', attempts = 1
    where hook_id in (select hook_id from hooks where app_id = any(${appIds as string[]}::uuid[]))`
  await sql`vacuum (analyze) deliveries`
}

/** They count from when they were due: their ids tell of no instant. */
export function sinceDue(row: Row, dueAtMs: number): Row {
  const since = (ms: number) => Math.round((ms - dueAtMs) * 100) / 100
  return { ...row, p50Ms: since(row.p50Ms), p99Ms: since(row.p99Ms), mostMs: since(row.mostMs) }
}
