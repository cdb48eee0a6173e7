import { reasonToDisable } from '../../core/hook-health.ts'
import { countByHour } from '../../core/hook-hours.ts'
import { dayOfId } from '../../core/id.ts'
import type { Sql } from '../../platform/db/db.ts'
import { errorText, retryTime } from '../../platform/db/quarantine.ts'
import { pipeline, plannedTransaction } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'
import { type DisabledHook, disableHooks, type HealthToSave, saveHookHealth } from '../hooks/health.ts'
import { addHookHours } from '../hooks/hours.ts'
import type { FinishedAttempt } from './attempt.ts'
import type { QueuedRow } from './load.ts'
import { notifyDevelopers } from './notify-developers.ts'
import { endDeliveries } from './store.ts'

/** The right to write the progress of a delivery. */
interface Fence {
  readonly shard: number
  readonly epoch: number
}

export interface ToSave extends Fence {
  readonly finished: FinishedAttempt
}

export interface Saved {
  /** The shards of these attempts that this process still owns. */
  readonly held: ReadonlySet<number>
  readonly disabled: readonly DisabledHook[]
}

export interface Quarantined extends Fence {
  readonly delivery: Pick<QueuedRow, 'notificationId' | 'hookId' | 'recordedAt'>
  readonly error: unknown
}

/**
 * Saves any number of attempts by one statement, and what they say about their hooks. The attempt is always appended. The delivery
 * changes only if the process still owns the shard: the epoch is compared under a lock that a takeover waits for.
 */
export async function saveAttempts(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>,
  attempts: readonly ToSave[],
  healths: readonly HealthToSave[],
): Promise<Saved> {
  const now = ports.clock.now()
  return plannedTransaction(
    ports.db,
    async tx => {
      const [held] = await pipeline([
        saveProgress(tx.sql, attempts),
        saveHookHealth(tx.sql, healths),
        addHookHours(tx.sql, countByHour(attempts.map(({ finished }) => finished))),
      ])
      const failing = healths.flatMap(({ hookId, health }) => {
        const reason = health && reasonToDisable(health, now)
        return reason ? [{ hookId, reason, since: health.failingSince ?? now }] : []
      })
      const disabled = await disableHooks(tx.sql, failing, now)
      if (disabled.length > 0) await notifyDevelopers(tx, ports, disabled)
      return { held, disabled }
    },
    { plans: 'once' },
  )
}

async function saveProgress(sql: Sql, attempts: readonly ToSave[]): Promise<Set<number>> {
  const finished = attempts.map(attempt => attempt.finished)
  // Sorted, so that two saves lock in one order. The planner does not know the length of an array: with a join instead of one lookup per
  // shard, the fence took four fifths of this statement's time.
  const fences = [
    ...new Map(attempts.map(({ shard, epoch }) => [`${shard} ${epoch}`, { shard, epoch }])).values(),
  ].sort((a, b) => a.shard - b.shard)
  const rows = await sql<{ shard: number }[]>`
    with x as materialized (
      select u.notification_id, u.recorded_day, u.shard, u.attempt_id, u.attempt, u.attempted_at,
        u.duration_ms, u.http_status, u.reason, u.answer, u.finished_at, u.status, u.end_reason, u.due_at
      from unnest(
        ${finished.map(row => row.notificationId)}::uuid[],
        ${finished.map(row => dayOfId(row.notificationId))}::text[]::date[],
        ${attempts.map(({ shard }) => shard)}::integer[],
        ${finished.map(row => row.attemptId)}::uuid[], ${finished.map(row => row.attempt)}::integer[],
        ${finished.map(row => row.attemptedAt.toISOString())}::text[]::timestamptz[],
        ${finished.map(row => row.durationMs)}::integer[],
        ${finished.map(row => row.httpStatus ?? null)}::integer[], ${finished.map(row => row.reason ?? null)}::text[],
        ${finished.map(row => row.answer)}::text[],
        ${finished.map(row => row.finishedAt.toISOString())}::text[]::timestamptz[],
        ${finished.map(({ next }) => ('status' in next ? next.status : null))}::text[],
        ${finished.map(({ next }) => ('reason' in next ? next.reason : null))}::text[],
        ${finished.map(({ next }) => ('dueAt' in next ? next.dueAt.toISOString() : null))}::text[]::timestamptz[])
        as u (notification_id, recorded_day, shard, attempt_id, attempt, attempted_at, duration_ms, http_status,
          reason, answer, finished_at, status, end_reason, due_at)),
    held as materialized (
      select s.shard
      from unnest(${fences.map(({ shard }) => shard)}::integer[], ${fences.map(({ epoch }) => epoch)}::bigint[])
        as f (shard, epoch)
      cross join lateral (
        select d.shard from delivery_shards as d where d.shard = f.shard and d.epoch = f.epoch for share) as s),
    made as (
      insert into attempts (
        recorded_day, notification_id, attempt_id, attempt, attempted_at, duration_ms, http_status, reason, answer)
      select recorded_day, notification_id, attempt_id, attempt, attempted_at, duration_ms, http_status, reason, answer
      from x
      on conflict do nothing),
    ended as (
      delete from deliveries as d using x
      where d.notification_id = x.notification_id and x.status is not null
        and x.shard = any(array(select held.shard from held))
      returning d.recorded_day, d.notification_id, d.hook_id, d.app_id, d.business_id, x.status, x.end_reason, x.attempt,
        x.finished_at),
    kept as (
      insert into outcomes (
        recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
      select recorded_day, notification_id, hook_id, app_id, business_id, status, end_reason, attempt, finished_at
      from ended
      on conflict (recorded_day, notification_id) do update set
        status = excluded.status, reason = excluded.reason, attempts = excluded.attempts,
        finished_at = excluded.finished_at),
    due_again as (
      update deliveries as d set attempts = x.attempt, due_at = x.due_at, failures = 0, last_error = null,
        priority = case d.priority when 'FIRST' then 'RETRY' else d.priority end
      from x
      where d.notification_id = x.notification_id and x.status is null and x.shard = any(array(select held.shard from held)))
    select held.shard from held`
  return new Set(rows.map(({ shard }) => shard))
}

/** Ends a delivery that could not be attempted for 72 h; before that, quarantines the delivery with a growing pause. */
export async function quarantine(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { delivery, error, shard, epoch, isOver }: Quarantined & { readonly isOver: boolean },
): Promise<void> {
  const now = clock.now()
  const { notificationId } = delivery
  await db.transaction(async ({ sql }) => {
    const held = await sql`select shard from delivery_shards where shard = ${shard} and epoch = ${epoch} for share`
    if (held.length === 0) return
    if (isOver) await endDeliveries(sql, sql`select ${notificationId}::uuid`, { reason: 'quarantined', now })
    else {
      await sql`
        update deliveries set failures = failures + 1, last_error = ${errorText(error)}, due_at = ${retryTime(sql, now)},
          priority = case priority when 'FIRST' then 'RETRY' else priority end
        where notification_id = ${notificationId}`
    }
  })
}
