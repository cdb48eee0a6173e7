import { monotonicMs } from '../monotonic.ts'
import type { Recording } from '../recording.ts'
import type { Scenario } from '../world.ts'
import { pause, resume } from './paused.ts'
import { meter, QUIET_MS, recordAt, rowOfStream, withReasons } from './record.ts'
import { appsOf } from './recorded.ts'
import { DRAINED_WITHIN_MS, PACE, sinceDue } from './retries.ts'

const MANY = 100_000
/** The hooks of the app whose history is replayed. */
const HOOKS = 10
/** Facts in one transaction. */
const IN_ONE = 50

/** Replays a range of an app's delivered notifications to its ten hooks while 40 other hooks receive new ones. */
export const rangeAgain: Scenario = {
  name: `${MANY.toLocaleString('en')} sent again by a job`,
  run: async world => {
    const { inbox, signal } = world
    const recording = await world.openRecording()
    using again = inbox.openStream()
    using first = inbox.openStream()
    const startAt = new Date()
    await makeDelivered(recording, () => again.newId(0))
    const { beganAt, beganAtMs, used } = meter(recording)
    const queued = recording.sendAgain(recording.apps.ofTenHooks, startAt)
    const sources = appsOf(recording).map(appId => ({ appId, stream: first }))
    let facts = 0
    while (again.latenciesMs.length < MANY && monotonicMs() - beganAtMs < DRAINED_WITHIN_MS) {
      const { latenciesMs } = await recordAt(recording, sources, { ...PACE, seconds: 1, signal })
      facts += latenciesMs.length
    }
    await queued
    await first.arrived(facts, { quietMs: QUIET_MS, signal })
    const own = used(MANY + facts)
    const since = { sinceMs: beganAtMs }
    const firstRow = rowOfStream(`${rangeAgain.name}: first attempts at 250/s`, first, { expected: facts, ...since })
    const themselves = rowOfStream(`${rangeAgain.name}: they themselves`, again, { expected: MANY, ...since })
    return [
      await withReasons(firstRow, recording, beganAt),
      await withReasons({ ...sinceDue(themselves, beganAtMs), ...own }, recording, beganAt),
    ]
  },
}

/** Recorded by the service, while it may not send them. That they were delivered is then written. */
async function makeDelivered({ sql, record, apps }: Recording, newId: () => string): Promise<void> {
  const appId = apps.ofTenHooks
  await pause(sql, [appId])
  for (let made = 0; made < MANY; made += IN_ONE * HOOKS) {
    await record(Array.from({ length: IN_ONE }, () => [appId, newId()]))
  }
  await sql`
    with sent as (
      delete from deliveries where app_id = ${appId}
      returning recorded_day, notification_id, hook_id, app_id, business_id, recorded_at),
    tried as (
      insert into attempts (
        recorded_day, notification_id, attempt_id, attempt, attempted_at, duration_ms, http_status, answer)
      select recorded_day, notification_id, notification_id, 1, recorded_at, 1, 200, '' from sent)
    insert into outcomes (
      recorded_day, notification_id, hook_id, app_id, business_id, status, attempts, finished_at)
    select recorded_day, notification_id, hook_id, app_id, business_id, 'DELIVERED', 1, recorded_at from sent`
  await resume(sql, [appId])
  await sql`vacuum (analyze) deliveries, attempts, outcomes`
}
