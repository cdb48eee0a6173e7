import type { Sql } from '../../platform/db/db.ts'
import type { PostedAttempt } from './attempt.ts'
import type { QueuedDelivery } from './store.ts'

/** A delivery of one attempt, made while the caller waits. The delivery never enters the queue. */
export interface SingleAttempt extends PostedAttempt {
  readonly notificationId: string
}

/** Records the attempt and its outcome. The caller has inserted the notification. */
export async function saveSingle(
  sql: Sql,
  { recordedDay, hookId, appId, businessId }: Pick<QueuedDelivery, 'recordedDay' | 'hookId' | 'appId' | 'businessId'>,
  attempt: SingleAttempt,
): Promise<void> {
  const { notificationId, attemptId, attemptedAt, durationMs, httpStatus, reason, answer } = attempt
  const [status, ended] = attempt.acknowledged ? ['DELIVERED', null] : ['ERRORED', 'test_failed']
  await sql`
    with ended as (
      insert into outcomes (
        recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
      values (
        ${recordedDay}, ${notificationId}, ${hookId}, ${appId}, ${businessId}, ${status}, ${ended}, 1,
        ${attempt.finishedAt}))
    insert into attempts (
      recorded_day, notification_id, attempt_id, attempt, attempted_at, duration_ms, http_status, reason, answer)
    values (
      ${recordedDay}, ${notificationId}, ${attemptId}, 1, ${attemptedAt}, ${durationMs}, ${httpStatus ?? null},
      ${reason ?? null}, ${answer})`
}
