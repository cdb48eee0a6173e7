import { addDays } from '../core/calendar.ts'
import type { Sql } from '../db/db.ts'
import { queueReplay } from '../deliveries/store.ts'
import { findActiveHooks } from '../hooks/store.ts'
import type { Ports } from '../ports.ts'
import { nextStep, type Step } from './step.ts'
import { deleteEnded, saveProgress, takeRunning } from './store.ts'

const REST_MS = 1_000
const KEEP_ENDED_DAYS = 30

/**
 * Queues the next batch of the job whose turn it is. What is queued and how far the job has come are one commit: a crash at
 * any moment repeats nothing and leaves nothing out. Returns how many notifications were looked at; 0: nothing to do now.
 */
export async function runRedeliveries({ db, clock, wake }: Pick<Ports, 'db' | 'clock' | 'wake'>): Promise<number> {
  const now = clock.now()
  return db.transaction(async ({ sql, afterCommit }) => {
    const before = await takeRunning(sql, now)
    if (before === null) return 0
    const step = await nextStep(sql, before, now)
    if (step === null) {
      await saveProgress(sql, before, new Date(now.getTime() + REST_MS))
      // Others may have room: looked at one after the other, until all rest.
      return 1
    }
    const { found, job } = step
    const queued = new Set(await queueReplay(sql, await listening(sql, found), now))
    const counted = { queued: job.queued + queued.size, skipped: job.skipped + found.length - queued.size }
    await saveProgress(sql, { ...job, ...counted, updatedAt: now }, now)
    const of = found.filter(({ notificationId }) => queued.has(notificationId)).map(({ hookId }) => hookId)
    if (queued.size > 0) afterCommit(() => wake.deliveries([...new Set(of)]))
    return Math.max(1, found.length)
  })
}

/** What ended long ago is nobody's question any more. */
export async function purgeRedeliveries({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return deleteEnded(db.sql, addDays(clock.now(), -KEEP_ENDED_DAYS))
}

/** Decisions 7: "Redelivery needs an active hook". */
async function listening(sql: Sql, found: Step['found']): Promise<string[]> {
  const active = await findActiveHooks(sql, [...new Set(found.map(({ hookId }) => hookId))])
  return found.filter(({ hookId }) => active.has(hookId)).map(({ notificationId }) => notificationId)
}
