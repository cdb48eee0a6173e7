import type { GivenUpReason } from '../../core/delivery.ts'
import type { HealthSign } from '../../core/hook-health.ts'
import { dayOfId } from '../../core/id.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import { pipeline, plannedTransaction } from '../../platform/db/sql.ts'
import { clearFailures } from '../../platform/set-aside/store.ts'
import type { Ports } from '../../ports.ts'
import { giveBackProbes, type HookChanges, saveHookHealth } from '../hooks/health.ts'
import type { Release } from './narrow.ts'
import { tellDevelopers } from './tell-developers.ts'

/** One POST that was made, and what it means for its delivery. */
export interface FinishedAttempt {
  readonly notificationId: string
  readonly hookId: string
  readonly leaseId: string
  readonly recordedAt: Date
  readonly stoodAside: boolean
  readonly attemptId: string
  /** Counted from 1. */
  readonly attempt: number
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly httpStatus?: number
  readonly reason?: string
  readonly answer: string
  readonly finishedAt: Date
  /** It tells nothing of its hook. */
  readonly stalled?: true
  readonly acknowledged: boolean
  readonly next: { status: 'DELIVERED' } | { status: 'ERRORED'; reason: GivenUpReason } | { dueAt: Date }
}

export interface Saved extends HookChanges {
  /** Of each first attempt that was the last thing that another one of its resource waited for, that one. */
  readonly releases: readonly Release[]
}

/**
 * Saves any number of attempts by one statement. The attempt is always appended; the delivery is finished or due again
 * only where the lease is still the one that the attempt was made under. Saved twice, nothing happens twice: but for the
 * failures of a hook, which count once more. The next one that waits is asked for in its order, as in claim.ts.
 */
export async function saveAttempts(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>,
  finished: readonly FinishedAttempt[],
  now: Date,
): Promise<Saved> {
  const status = finished.map(({ next }) => ('status' in next ? next.status : null))
  const endReason = finished.map(({ next }) => ('reason' in next ? next.reason : null))
  const dueAt = finished.map(({ next }) => ('dueAt' in next ? next.dueAt.toISOString() : null))
  const save = async (tx: Tx): Promise<Saved> => {
    const { sql } = tx
    const saving = sql<{ releases: { hookId: string; dueAtMs: number }[] | null; settled: number }[]>`
      with x as materialized (
        select u.notification_id, u.recorded_day, u.lease_id, u.attempt_id, u.attempt, u.attempted_at, u.duration_ms,
          u.http_status, u.reason, u.answer, u.finished_at, u.status, u.end_reason, u.due_at
        from unnest(
          ${finished.map(row => row.notificationId)}::uuid[],
          ${finished.map(row => dayOfId(row.notificationId))}::text[]::date[],
          ${finished.map(row => row.leaseId)}::uuid[], ${finished.map(row => row.attemptId)}::uuid[],
          ${finished.map(row => row.attempt)}::integer[],
          ${finished.map(row => row.attemptedAt.toISOString())}::text[]::timestamptz[],
          ${finished.map(row => row.durationMs)}::integer[],
          ${finished.map(row => row.httpStatus ?? null)}::integer[], ${finished.map(row => row.reason ?? null)}::text[],
          ${finished.map(row => row.answer)}::text[],
          ${finished.map(row => row.finishedAt.toISOString())}::text[]::timestamptz[], ${status}::text[],
          ${endReason}::text[], ${dueAt}::text[]::timestamptz[])
          as u (notification_id, recorded_day, lease_id, attempt_id, attempt, attempted_at, duration_ms, http_status,
            reason, answer, finished_at, status, end_reason, due_at)),
      tried as (
        insert into attempts (
          recorded_day, notification_id, attempt_id, attempt, attempted_at, duration_ms, http_status, reason, answer)
        select recorded_day, notification_id, attempt_id, attempt, attempted_at, duration_ms, http_status, reason, answer
        from x
        on conflict do nothing),
      ended as (
        delete from deliveries as d using x
        where d.notification_id = x.notification_id and d.lease_id = x.lease_id and x.status is not null
        returning d.recorded_day, d.notification_id, d.hook_id, d.app_id, d.business_id, d.lane, d.resource_id,
          d.resource_seq, x.status, x.end_reason, x.attempt, x.finished_at),
      kept as (
        insert into outcomes (
          recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
        select recorded_day, notification_id, hook_id, app_id, business_id, status, end_reason, attempt, finished_at
        from ended
        on conflict (recorded_day, notification_id) do update set
          status = excluded.status, reason = excluded.reason, attempts = excluded.attempts,
          finished_at = excluded.finished_at),
      due_again as (
        update deliveries as d set attempts = x.attempt, due_at = x.due_at, lease_id = null, leased_until = null,
          lane = case d.lane when 'FIRST' then 'RETRY' else d.lane end
        from x
        where d.notification_id = x.notification_id and d.lease_id = x.lease_id and x.status is null
        returning d.hook_id, d.resource_id, d.resource_seq, d.lane, d.attempts),
      tried_first as (
        select hook_id, resource_id, resource_seq from ended where attempt = 1 and lane = 'FIRST'
        union all
        select hook_id, resource_id, resource_seq from due_again where attempts = 1 and lane = 'RETRY')
      select
        (select count(*) from ended) + (select count(*) from due_again) as settled,
        (select jsonb_agg(jsonb_build_object('hookId', t.hook_id, 'dueAtMs', floor(1000 * extract(epoch from n.due_at))))
        from tried_first as t
        cross join lateral (
          select e.due_at from deliveries as e
          where e.hook_id = t.hook_id and e.resource_id = t.resource_id and e.lane = 'FIRST'
            and e.resource_seq > t.resource_seq
            and not exists (select 1 from set_aside as s where s.kind = 'delivery' and s.row_id = e.notification_id)
          order by e.resource_seq
          limit 1) as n) as releases`
    const [changes, [saved]] = await pipeline([
      // First, as who deletes a hook takes it before its deliveries: each would wait for the other.
      saveHookHealth(sql, finished.filter(({ stalled }) => !stalled).map(signOf), now),
      saving,
    ])
    // Behind the deliveries, as who ends them does.
    await clearFailures(
      sql,
      'delivery',
      finished.filter(row => row.stoodAside).map(row => row.notificationId),
    )
    await giveBackProbes(
      sql,
      finished.filter(({ stalled }) => stalled),
      now,
    )
    if (changes.disabled.length > 0) await tellDevelopers(tx, ports, changes.disabled)
    if ((saved?.settled ?? 0) < finished.length) await countLate(sql, finished)
    const releases = saved?.releases ?? []
    return { releases: releases.map(({ hookId, dueAtMs }) => ({ hookId, dueAt: new Date(dueAtMs) })), ...changes }
  }
  return plannedTransaction(ports.db, save, { plans: 'once' })
}

/** What was ended while its attempt was under way shows that attempt, too. */
async function countLate(sql: Sql, finished: readonly FinishedAttempt[]): Promise<void> {
  await sql`
    update outcomes as o set attempts = x.attempt
    from unnest(
      ${finished.map(row => row.notificationId)}::uuid[], ${finished.map(row => dayOfId(row.notificationId))}::text[]::date[],
      ${finished.map(row => row.attempt)}::integer[]) as x (notification_id, recorded_day, attempt)
    where o.recorded_day = x.recorded_day and o.notification_id = x.notification_id and o.status = 'ERRORED'
      and o.attempts < x.attempt
      and not exists (select 1 from deliveries as d where d.notification_id = x.notification_id)`
}

function signOf(attempt: FinishedAttempt): HealthSign & { readonly hookId: string } {
  const { hookId, leaseId, acknowledged, durationMs, httpStatus, reason, finishedAt: at, next } = attempt
  const gaveUp = 'status' in next && next.status === 'ERRORED'
  return { hookId, leaseId, acknowledged, durationMs, at, gaveUp, word: String(httpStatus ?? reason) }
}
