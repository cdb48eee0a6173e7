import { addDays } from '../core/calendar.ts'
import type { Sql } from '../db/db.ts'
import { queueReplay } from '../deliveries/store.ts'
import { findActiveHooks } from '../hooks/store.ts'
import { type FoundIds, listIds } from '../notifications/history-store.ts'
import { HISTORY_DAYS } from '../notifications/scope.ts'
import type { Ports } from '../ports.ts'
import type { Redelivery } from './redelivery.ts'
import { countReplays, deleteEnded, saveProgress, takeRunning } from './store.ts'

const AT_ONCE = 500
/** A few seconds of sending; and what hooks that do not answer may have waiting for them. */
const ROOM = { due: 2_000, waiting: 20_000 }
const REST_MS = 1_000
const KEEP_ENDED_DAYS = 30

/**
 * Queues the next batch of the job whose turn it is. What is queued and how far the job has come are one commit: a crash at
 * any moment repeats nothing and leaves nothing out. Returns how many notifications were looked at; 0: nothing to do now.
 */
export async function runRedeliveries({ db, clock, wake }: Pick<Ports, 'db' | 'clock' | 'wake'>): Promise<number> {
  const now = clock.now()
  return db.transaction(async ({ sql, afterCommit }) => {
    const job = await takeRunning(sql, now)
    if (job === null) return 0
    const { due, waiting } = await countReplays(sql, { appId: job.appId, now, upTo: ROOM })
    if (due >= ROOM.due || waiting >= ROOM.waiting) {
      await saveProgress(sql, job, new Date(now.getTime() + REST_MS))
      // Others may have room: looked at one after the other, until all rest.
      return 1
    }
    const batch = await nextBatch(sql, job, now)
    const queued = await queueReplay(sql, await listening(sql, batch), now)
    await saveProgress(sql, advanced(job, batch, { queued: queued.length, now }), now)
    if (queued.length > 0) afterCommit(() => wake.deliveries())
    return Math.max(1, batch.found.length)
  })
}

/** What ended long ago is nobody's question any more. */
export async function purgeRedeliveries({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return deleteEnded(db.sql, addDays(clock.now(), -KEEP_ENDED_DAYS))
}

function nextBatch(sql: Sql, job: Redelivery, now: Date): Promise<FoundIds> {
  const { appId, businessId, hookId, startAt, endAt, status, reachedId } = job
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
    },
    { limit: AT_ONCE, ...(reachedId === undefined ? {} : { after: reachedId }) },
  )
}

/** Decisions 7: "Redelivery needs an active hook". */
async function listening(sql: Sql, { found }: FoundIds): Promise<string[]> {
  const active = await findActiveHooks(sql, [...new Set(found.map(({ hookId }) => hookId))])
  return found.filter(({ hookId }) => active.has(hookId)).map(({ notificationId }) => notificationId)
}

function advanced(
  job: Redelivery,
  { found, next }: FoundIds,
  { queued, now }: { queued: number; now: Date },
): Redelivery {
  const reachedId = next ?? found.at(-1)?.notificationId ?? job.reachedId
  return {
    ...job,
    ...(reachedId === undefined ? {} : { reachedId }),
    state: next === undefined ? 'DONE' : 'RUNNING',
    queued: job.queued + queued,
    skipped: job.skipped + found.length - queued,
    updatedAt: now,
  }
}
