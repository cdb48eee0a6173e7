import { dayOfId } from '../../core/id.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { QueuedDelivery } from './store.ts'

/** A delivery of one attempt, made while the caller waits. The delivery never enters the queue. */
export interface SingleAttempt {
  readonly notificationId: string
  readonly attemptId: string
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly httpStatus?: number
  readonly reason?: string
  readonly answer: string
  readonly acknowledged: boolean
  readonly finishedAt: Date
}

/** Records the attempt as failed before it begins; `saveSingle` corrects the record. A crash in between leaves the failure. */
export async function beginSingle(
  sql: Sql,
  of: Omit<QueuedDelivery, 'resourceId' | 'resourceSeq'>,
  now: Date,
): Promise<void> {
  await sql`
    insert into outcomes (
      recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
    values (
      ${of.recordedDay}, ${of.notificationId}, ${of.hookId}, ${of.appId}, ${of.businessId}, 'ERRORED', 'test_failed', 0,
      ${now})`
}

/** Records the attempt and its outcome. */
export async function saveSingle(sql: Sql, attempt: SingleAttempt): Promise<void> {
  const { notificationId, attemptId, attemptedAt, durationMs, httpStatus, reason, answer } = attempt
  const recordedDay = dayOfId(notificationId)
  await sql`
    with ended as (
      update outcomes set status = ${attempt.acknowledged ? 'DELIVERED' : 'ERRORED'},
        reason = ${attempt.acknowledged ? null : 'test_failed'}, attempts = 1, finished_at = ${attempt.finishedAt}
      where recorded_day = ${recordedDay} and notification_id = ${notificationId})
    insert into attempts (
      recorded_day, notification_id, attempt_id, attempt, attempted_at, duration_ms, http_status, reason, answer)
    values (
      ${recordedDay}, ${notificationId}, ${attemptId}, 1, ${attemptedAt}, ${durationMs}, ${httpStatus ?? null},
      ${reason ?? null}, ${answer})`
}
