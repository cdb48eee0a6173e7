import { addDays } from '../../core/calendar.ts'
import { given } from '../../core/given.ts'
import type { Tx } from '../../platform/db/db.ts'
import { isConnectionLost } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { queueReplay } from '../deliveries/store.ts'
import { findActiveHooks, findHook } from '../hooks/store.ts'
import { listIds } from '../notifications/history-store.ts'
import { HISTORY_DAYS } from '../notifications/scope.ts'
import type { Redelivery } from './redelivery.ts'
import { deleteEnded, quarantineRedelivery, saveProgress, takeRunning } from './store.ts'

/** One batch per job and second: a redelivery of a million takes half an hour, and the first attempts of others do not notice. */
const AT_ONCE = 500
const BATCH_PAUSE_MS = 1_000
/** A redelivery of one hook waits while the hook is inactive. */
const INACTIVE_PAUSE_MS = 60_000
const KEEP_ENDED_DAYS = 30

/**
 * Queues the next batch of the redelivery that has waited longest. The batch and the cursor are one commit, so a crash repeats and skips
 * nothing. A redelivery whose batch throws is quarantined. Returns 0 when no redelivery is due.
 */
export async function runRedeliveries(ports: Pick<Ports, 'db' | 'clock' | 'dispatch' | 'log'>): Promise<number> {
  const { db, clock, log } = ports
  const now = clock.now()
  let redeliveryId: string | undefined
  try {
    return await db.transaction(async tx => {
      const job = await takeRunning(tx.sql, now)
      redeliveryId = job?.redeliveryId
      if (job === null) return 0
      await queueBatch(tx, ports, job, now)
      return 1
    })
  } catch (error) {
    if (redeliveryId === undefined || isConnectionLost(error)) throw error
    log.error({ err: error, redeliveryId }, 'a redelivery cannot continue and is quarantined')
    await quarantineRedelivery(db.sql, { redeliveryId, error, now })
    return 1
  }
}

async function queueBatch(
  { sql, afterCommit }: Tx,
  { dispatch }: Pick<Ports, 'dispatch'>,
  job: Redelivery,
  now: Date,
): Promise<void> {
  const hook = job.hookId === undefined ? null : await findHook(sql, job.hookId, {})
  if (hook?.active === false) return saveProgress(sql, job, new Date(now.getTime() + INACTIVE_PAUSE_MS))
  const { found, next } = await listIds(sql, filterOf(job, now), given({ limit: AT_ONCE, after: job.reachedId }))
  // Decisions 7: "Redelivery needs an active hook".
  const active = await findActiveHooks(sql, [...new Set(found.map(({ hookId }) => hookId))])
  const wanted = found.filter(({ hookId }) => active.has(hookId))
  const ids = wanted.map(({ notificationId }) => notificationId)
  const queued = new Set(await queueReplay(sql, ids, now))
  const progress: Redelivery = {
    ...job,
    ...given({ reachedId: next ?? found.at(-1)?.notificationId }),
    state: next === undefined ? 'DONE' : 'RUNNING',
    queued: job.queued + queued.size,
    skipped: job.skipped + found.length - queued.size,
    updatedAt: now,
  }
  await saveProgress(sql, progress, new Date(now.getTime() + BATCH_PAUSE_MS))
  const hookIds = new Set(wanted.filter(one => queued.has(one.notificationId)).map(({ hookId }) => hookId))
  if (hookIds.size > 0) afterCommit(() => dispatch?.changed([...hookIds]))
}

function filterOf({ appId, businessId, hookId, startAt, endAt, status, undeliveredSince }: Redelivery, now: Date) {
  const since = addDays(now, -HISTORY_DAYS)
  return given({ appId, businessId, hookId, startAt, endAt, status, undeliveredSince, since })
}

/** Deletes redeliveries that ended long ago. */
export async function purgeRedeliveries({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return deleteEnded(db.sql, addDays(clock.now(), -KEEP_ENDED_DAYS))
}
