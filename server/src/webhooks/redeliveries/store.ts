import type { Sql } from '../../platform/db/db.ts'
import { errorText, retryTime } from '../../platform/db/quarantine.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { Redelivery } from './redelivery.ts'

/** The jobs that a caller may see. */
export interface RedeliveryBounds {
  readonly appId: string
  /** Only of this merchant. */
  readonly businessId?: string
}

/** Locks the app's redeliveries until the transaction ends, so that their number is exact. */
export async function lockRedeliveriesOfApp(sql: Sql, appId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`redeliveries:${appId}`}, 0))`
}

/**
 * Counts jobs of requested ranges. Jobs that wait for their hook to become active are left out: otherwise the dead hooks of some merchants
 * would block another merchant's jobs. Reads `hooks`.
 */
export async function countRunning(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from redeliveries as r
    where r.app_id = ${appId} and r.state = 'RUNNING' and r.undelivered_since is null
      and not exists (select 1 from hooks as h where h.hook_id = r.hook_id and not h.active)`
  return row?.total ?? 0
}

/** False if another app has a redelivery with this id. */
export async function insertRedelivery(sql: Sql, job: Redelivery): Promise<boolean> {
  const { count } = await sql`
    insert into redeliveries (
      redelivery_id, app_id, business_id, hook_id, start_at, end_at, status, undelivered_since, state, queued, skipped, run_at,
      created_at, updated_at)
    values (
      ${job.redeliveryId}, ${job.appId}, ${job.businessId ?? null}, ${job.hookId ?? null}, ${job.startAt}, ${job.endAt},
      ${job.status ?? null}, ${job.undeliveredSince ?? null}, ${job.state}, ${job.queued}, ${job.skipped}, ${job.createdAt},
      ${job.createdAt}, ${job.updatedAt})
    on conflict do nothing`
  return count === 1
}

export async function findRedelivery(sql: Sql, redeliveryId: string, of: RedeliveryBounds): Promise<Redelivery | null> {
  const [row] = await sql<RowOf<Redelivery>[]>`
    select ${columns(sql)} from redeliveries where redelivery_id = ${redeliveryId} and ${within(sql, of)}`
  return row ? present(row) : null
}

/** Newest first. */
export async function listRedeliveries(
  sql: Sql,
  of: RedeliveryBounds,
  { limit, before }: { limit: number; before?: string },
): Promise<Redelivery[]> {
  const rows = await sql<RowOf<Redelivery>[]>`
    select ${columns(sql)} from redeliveries
    where ${within(sql, of)} ${before === undefined ? sql`` : sql`and redelivery_id < ${before}`}
    order by redelivery_id desc
    limit ${limit}`
  return rows.map(row => present(row))
}

/**
 * Cancels the running redelivery of a hook's missed notifications, after its current batch. Returns the instant since which they were
 * missed; null if there was no such job.
 */
export async function cancelMissed(
  sql: Sql,
  { appId, hookId, now }: { appId: string; hookId: string; now: Date },
): Promise<Date | null> {
  const sinces = await cancel(
    sql,
    sql`app_id = ${appId} and hook_id = ${hookId} and undelivered_since is not null`,
    now,
  )
  const times = sinces.flatMap(since => since?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Cancels the running job with this id. Waits for the current batch. An ended job is unchanged. */
export async function cancelRunning(sql: Sql, redeliveryId: string, of: RedeliveryBounds, now: Date): Promise<void> {
  await cancel(sql, sql`redelivery_id = ${redeliveryId} and ${within(sql, of)}`, now)
}

/** Returns the instants of the cancelled jobs since which notifications were missed. */
async function cancel(sql: Sql, which: ReturnType<typeof within>, now: Date): Promise<(Date | null)[]> {
  const cancelled = await sql<{ undeliveredSince: Date | null }[]>`
    update redeliveries set state = 'CANCELLED', updated_at = ${now}, failures = 0, last_error = null
    where ${which} and state = 'RUNNING'
    returning undelivered_since as "undeliveredSince"`
  return cancelled.map(({ undeliveredSince }) => undeliveredSince)
}

/** Locks the next job of the round robin until the transaction ends; jobs locked by other processes are skipped. */
export async function takeRunning(sql: Sql, now: Date): Promise<Redelivery | null> {
  const [row] = await sql<RowOf<Redelivery>[]>`
    select ${columns(sql)} from redeliveries
    where state = 'RUNNING' and run_at <= ${now}
    order by run_at
    limit 1
    for update skip locked`
  return row ? present(row) : null
}

export async function saveProgress(sql: Sql, job: Redelivery, runAt: Date): Promise<void> {
  await sql`
    update redeliveries set state = ${job.state}, reached_id = ${job.reachedId ?? null},
      queued = ${job.queued}, skipped = ${job.skipped}, run_at = ${runAt}, updated_at = ${job.updatedAt}, failures = 0,
      last_error = null
    where redelivery_id = ${job.redeliveryId}`
}

/** A redelivery whose batch failed is retried later, unless it has ended. */
export async function quarantineRedelivery(
  sql: Sql,
  of: { redeliveryId: string; error: unknown; now: Date },
): Promise<void> {
  await sql`
    update redeliveries set failures = failures + 1, last_error = ${errorText(of.error)}, run_at = ${retryTime(sql, of.now)}
    where redelivery_id = ${of.redeliveryId} and state = 'RUNNING'`
}

/** Makes the retry of a quarantined redelivery due. */
export async function retryRedelivery(sql: Sql, of: { redeliveryId: string; now: Date }): Promise<void> {
  await sql`
    update redeliveries set run_at = ${of.now}
    where redelivery_id = ${of.redeliveryId} and state = 'RUNNING' and failures > 0 and run_at > ${of.now}`
}

/** Deletes ended jobs. Returns their number. */
export async function deleteEnded(sql: Sql, before: Date): Promise<number> {
  return (await sql`delete from redeliveries where state <> 'RUNNING' and updated_at < ${before}`).count
}

const within = (sql: Sql, { appId, businessId }: RedeliveryBounds) => sql`
  app_id = ${appId} ${businessId === undefined ? sql`` : sql`and business_id = ${businessId}`}`

const columns = (sql: Sql) => sql`
  redelivery_id as "redeliveryId", app_id as "appId", business_id as "businessId", hook_id as "hookId",
  start_at as "startAt", end_at as "endAt", status, undelivered_since as "undeliveredSince", state, reached_id as "reachedId", queued, skipped,
  created_at as "createdAt", updated_at as "updatedAt"`
