import { addDays } from '../../core/calendar.ts'
import type { Db, Sql, Tx } from '../../platform/db/db.ts'
import { isConnectionLost } from '../../platform/db/unavailable.ts'
import { clearFailures, recordFailure } from '../../platform/set-aside/store.ts'
import type { Ports } from '../../ports.ts'
import { queueReplay } from '../deliveries/store.ts'
import { findActiveHooks, findHook } from '../hooks/store.ts'
import { findEarlier } from './earlier.ts'
import type { Redelivery } from './redelivery.ts'
import { nextStep } from './step.ts'
import { deleteEnded, lockRunning, postponeSetAside, saveProgress, takeRunning } from './store.ts'

const REST_MS = 1_000
/** Of a hook that does not listen. Who switches it on has them go on at once; registered again, they wait for the rest of it. */
const REST_WHILE_OFF_MS = 60_000
const KEEP_ENDED_DAYS = 30

/**
 * Queues the next batch of the job whose turn it is. What is queued and how far the job has come are one commit: a crash at
 * any moment repeats nothing and leaves nothing out. A job whose batch throws stands aside, and holds up no other one. Returns how many
 * notifications were looked at; 0: nothing to do now.
 */
export async function runRedeliveries(ports: Pick<Ports, 'db' | 'clock' | 'wake' | 'log'>): Promise<number> {
  const { db, clock, log } = ports
  const now = clock.now()
  let redeliveryId: string | undefined
  try {
    return await db.transaction(async tx => {
      const job = await takeRunning(tx.sql, now)
      redeliveryId = job?.redeliveryId
      return job === null ? 0 : await queueBatch(tx, ports, job, now)
    })
  } catch (error) {
    if (redeliveryId === undefined || isConnectionLost(error)) throw error
    log.error({ err: error, redeliveryId }, 'a redelivery cannot go on and is set aside')
    await setAside(db, { redeliveryId, error, now })
    return 1
  }
}

async function queueBatch(
  { sql, afterCommit }: Tx,
  { wake }: Pick<Ports, 'wake'>,
  before: Redelivery,
  now: Date,
): Promise<number> {
  await clearFailures(sql, 'redelivery', [before.redeliveryId])
  // Before anything is read of its range: there may be many that wait, for long.
  if (await waitsForHook(sql, before)) return await rest(sql, before, now)
  const step = await nextStep(sql, before, now)
  if (step === null) {
    await saveProgress(sql, before, new Date(now.getTime() + REST_MS))
    // Others may have room: looked at one after the other, until all rest.
    return 1
  }
  const { found, job } = step
  // Decisions 7: "Redelivery needs an active hook".
  const active = await findActiveHooks(sql, [...new Set(found.map(({ hookId }) => hookId))])
  // Switched off just now.
  if (found.length > 0 && active.size === 0 && (await waitsForHook(sql, before))) return await rest(sql, before, now)
  const listening = found.filter(({ hookId }) => active.has(hookId)).map(({ notificationId }) => notificationId)
  const queued = new Set(await queueReplay(sql, listening, now))
  const earlier = await queueReplay(sql, await findEarlier(sql, [...queued], job), now)
  const counted = {
    queued: job.queued + queued.size + earlier.length,
    skipped: job.skipped + found.length - queued.size,
  }
  await saveProgress(sql, { ...job, ...counted, updatedAt: now }, now)
  const of = found.filter(({ notificationId }) => queued.has(notificationId)).map(({ hookId }) => hookId)
  if (queued.size > 0) afterCommit(() => wake.deliveries([...new Set(of)]))
  return Math.max(1, found.length)
}

async function setAside(
  db: Db,
  { redeliveryId, error, now }: { redeliveryId: string; error: unknown; now: Date },
): Promise<void> {
  await db.transaction(async ({ sql }) => {
    // One that has ended since is nobody's to handle: nothing would ever clear its row.
    if (!(await lockRunning(sql, redeliveryId))) return
    await recordFailure(sql, { kind: 'redelivery', rowId: redeliveryId, error, now })
    await postponeSetAside(sql, redeliveryId)
  })
}

/** What ended long ago is nobody's question any more. */
export async function purgeRedeliveries({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return deleteEnded(db.sql, addDays(clock.now(), -KEEP_ENDED_DAYS))
}

/** It is of one hook, which is there and does not listen: what was asked for waits until it does. */
async function waitsForHook(sql: Sql, { hookId }: Redelivery): Promise<boolean> {
  const hook = hookId === undefined ? null : await findHook(sql, hookId, {})
  return hook !== null && !hook.active
}

async function rest(sql: Sql, job: Redelivery, now: Date): Promise<number> {
  await saveProgress(sql, job, new Date(now.getTime() + REST_WHILE_OFF_MS))
  return 1
}
