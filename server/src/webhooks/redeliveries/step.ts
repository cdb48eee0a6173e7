import { addDays } from '../../core/calendar.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type FoundIds, listIds } from '../notifications/history-store.ts'
import { HISTORY_DAYS } from '../notifications/scope.ts'
import type { Redelivery } from './redelivery.ts'
import { countDue, findFullHooks, type Room } from './store.ts'

const AT_ONCE = 500
/**
 * Of a hook: a few seconds of sending, and what may wait for its retries. One that is not well is sent a batch of it, which also finds out
 * whether it is well again.
 */
const ROOM: Room = { due: 2_000, waiting: 20_000, unwell: AT_ONCE }
/** Of all hooks that keep up: as of five that are busy. */
const DUE_IN_ALL = 10_000

/** What a job has looked at, to be queued or skipped; and the job then, but for what it counts. */
export interface Step {
  readonly found: FoundIds['found']
  readonly job: Redelivery
}

/** Null: there is no room, so it rests. */
export async function nextStep(sql: Sql, job: Redelivery, now: Date): Promise<Step | null> {
  if (job.hookId !== undefined) {
    const full = await findFullHooks(sql, [job.hookId], { now, upTo: ROOM })
    return full.size > 0 ? null : stepOfHook(sql, job, now)
  }
  if ((await countDue(sql, job, { now, each: ROOM.due })) >= DUE_IN_ALL) return null
  const batch = await nextBatch(sql, job, now)
  const hasLater = Object.keys(job.later).length > 0
  return batch.found.length === 0 && batch.next === undefined && hasLater
    ? stepOfLater(sql, job, now)
    : stepOfAll(sql, job, { batch, now })
}

async function stepOfHook(sql: Sql, job: Redelivery, now: Date): Promise<Step> {
  const batch = await nextBatch(sql, job, now)
  return { found: batch.found, job: after(job, batch) }
}

/** What is for hooks without room is left for the end: none of them holds up the others. */
async function stepOfAll(sql: Sql, job: Redelivery, { batch, now }: { batch: FoundIds; now: Date }): Promise<Step> {
  const full = await findFullHooks(sql, [...new Set(batch.found.map(({ hookId }) => hookId))], { now, upTo: ROOM })
  const left = Object.fromEntries([...full].map(hookId => [hookId, job.reachedId ?? null]))
  const later = { ...left, ...job.later }
  return { found: batch.found.filter(({ hookId }) => !(hookId in later)), job: after({ ...job, later }, batch) }
}

/** One of the hooks that were left for the end, from where it was left. */
async function stepOfLater(sql: Sql, job: Redelivery, now: Date): Promise<Step | null> {
  const full = await findFullHooks(sql, Object.keys(job.later), { now, upTo: ROOM })
  const [turn] = Object.entries(job.later).filter(([hookId]) => !full.has(hookId))
  if (turn === undefined) return null
  const [hookId, from] = turn
  const { reachedId, later, ...of } = job
  const { [hookId]: _, ...others } = later
  const { found, job: ofHook } = await stepOfHook(
    sql,
    { ...of, hookId, later: {}, ...(from === null ? {} : { reachedId: from }) },
    now,
  )
  const stillLater = ofHook.state === 'DONE' ? others : { ...later, [hookId]: ofHook.reachedId ?? null }
  return { found, job: after({ ...job, later: stillLater }, { found: [] }) }
}

function nextBatch(sql: Sql, job: Redelivery, now: Date): Promise<FoundIds> {
  const { appId, businessId, hookId, startAt, endAt, status, missedSince, reachedId } = job
  return listIds(
    sql,
    {
      appId,
      since: addDays(now, -HISTORY_DAYS),
      startAt,
      endAt,
      ...(businessId === undefined ? {} : { businessId }),
      ...(hookId === undefined ? {} : { hookId }),
      ...(status === undefined ? {} : { status }),
      ...(missedSince === undefined ? {} : { missedSince }),
    },
    { limit: AT_ONCE, ...(reachedId === undefined ? {} : { after: reachedId }) },
  )
}

function after(job: Redelivery, { found, next }: FoundIds): Redelivery {
  const reachedId = next ?? found.at(-1)?.notificationId ?? job.reachedId
  const isOver = next === undefined && Object.keys(job.later).length === 0
  return { ...job, ...(reachedId === undefined ? {} : { reachedId }), state: isOver ? 'DONE' : 'RUNNING' }
}
