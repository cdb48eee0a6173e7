import type postgres from 'postgres'
import { GIVE_UP_AFTER_MS } from '../../core/delivery.ts'
import type { DeliveryStatus } from '../../core/delivery-status.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present } from '../../platform/db/sql.ts'
import { clearFailures } from '../../platform/set-aside/store.ts'
import { FIRST_ID, LAST_ID } from '../hooks/store.ts'
import type { Redelivery } from './redelivery.ts'

interface Row extends Omit<Redelivery, 'businessId' | 'hookId' | 'status' | 'missedSince' | 'reachedId'> {
  businessId: string | null
  hookId: string | null
  status: DeliveryStatus | null
  missedSince: Date | null
  reachedId: string | null
}

/** Whose jobs. */
export interface RedeliveryBounds {
  readonly appId: string
  /** Only of this merchant. */
  readonly businessId?: string
}

/** Until the transaction ends, nobody else starts a redelivery of this app: they are counted. */
export async function lockRedeliveriesOfApp(sql: Sql, appId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`redeliveries:${appId}`}, 0))`
}

/**
 * Of ranges that were asked for. Those that wait for their hook to listen again do nothing, and are left out: the dead hooks of some merchants would
 * stand in the way of another's. Reads `hooks`.
 */
export async function countRunning(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from redeliveries as r
    where r.app_id = ${appId} and r.state = 'RUNNING' and r.missed_since is null
      and not exists (select 1 from hooks as h where h.hook_id = r.hook_id and not h.active)`
  return row?.total ?? 0
}

export async function insertRedelivery(sql: Sql, job: Redelivery): Promise<void> {
  await sql`
    insert into redeliveries (
      redelivery_id, app_id, business_id, hook_id, start_at, end_at, status, missed_since, state, queued, skipped, run_at,
      created_at, updated_at)
    values (
      ${job.redeliveryId}, ${job.appId}, ${job.businessId ?? null}, ${job.hookId ?? null}, ${job.startAt}, ${job.endAt},
      ${job.status ?? null}, ${job.missedSince ?? null}, ${job.state}, ${job.queued}, ${job.skipped}, ${job.createdAt},
      ${job.createdAt}, ${job.updatedAt})`
}

export async function findRedelivery(sql: Sql, redeliveryId: string, of: RedeliveryBounds): Promise<Redelivery | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from redeliveries where redelivery_id = ${redeliveryId} and ${within(sql, of)}`
  return row ? present(row) : null
}

/** Newest first. */
export async function listRedeliveries(
  sql: Sql,
  of: RedeliveryBounds,
  { limit, before }: { limit: number; before?: string },
): Promise<Redelivery[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from redeliveries
    where ${within(sql, of)} ${before === undefined ? sql`` : sql`and redelivery_id < ${before}`}
    order by redelivery_id desc
    limit ${limit}`
  return rows.map(row => present(row))
}

/** One that has ended stays as it is. Waits for the batch that is under way. Null when there is none. */
export async function cancelRunning(
  sql: Sql,
  redeliveryId: string,
  { of, now }: { of: RedeliveryBounds; now: Date },
): Promise<Redelivery | null> {
  await cancel(sql, sql`redelivery_id = ${redeliveryId} and ${within(sql, of)}`, now)
  return findRedelivery(sql, redeliveryId, of)
}

/** What is under way of what a hook has missed goes no further. Waits for a batch of it. Returns since when that was; null: nothing was. */
export async function cancelMissed(
  sql: Sql,
  { appId, hookId, now }: { appId: string; hookId: string; now: Date },
): Promise<Date | null> {
  const sinces = await cancel(sql, sql`app_id = ${appId} and hook_id = ${hookId} and missed_since is not null`, now)
  const times = sinces.flatMap(since => since?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Of those that are cancelled, since when what they send was missed. */
async function cancel(sql: Sql, which: ReturnType<typeof within>, now: Date): Promise<(Date | null)[]> {
  const cancelled = await sql<{ redeliveryId: string; missedSince: Date | null }[]>`
    update redeliveries set state = 'CANCELLED', updated_at = ${now}
    where ${which} and state = 'RUNNING'
    returning redelivery_id as "redeliveryId", missed_since as "missedSince"`
  const ids = cancelled.map(({ redeliveryId }) => redeliveryId)
  await clearFailures(sql, 'redelivery', ids)
  return cancelled.map(({ missedSince }) => missedSince)
}

/** The hook listens again: those that wait for it go on. Waits for a batch of theirs, which may just have found that it does not. */
export async function resumeRunning(
  sql: Sql,
  { appId, hookId, now }: { appId: string; hookId: string; now: Date },
): Promise<void> {
  await sql`
    update redeliveries set run_at = ${now}
    where app_id = ${appId} and hook_id = ${hookId} and state = 'RUNNING'`
}

/** The one whose turn it is, held until the transaction ends; those that others hold are passed over. */
export async function takeRunning(sql: Sql, now: Date): Promise<Redelivery | null> {
  const [row] = await sql<Row[]>`
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
      later = ${JSON.stringify(job.later)}::text::jsonb, queued = ${job.queued}, skipped = ${job.skipped}, run_at = ${runAt}, updated_at = ${job.updatedAt}
    where redelivery_id = ${job.redeliveryId}`
}

/** False when it has ended. Nobody ends it until the transaction does; waits for the batch that is under way. */
export async function lockRunning(sql: Sql, redeliveryId: string): Promise<boolean> {
  const rows = await sql`
    select redelivery_id from redeliveries where redelivery_id = ${redeliveryId} and state = 'RUNNING' for update`
  return rows.length > 0
}

/** Its turn comes again when it stands aside no longer. Reads `set_aside`. */
export async function postponeSetAside(sql: Sql, redeliveryId: string): Promise<void> {
  await sql`
    update redeliveries as r set run_at = s.blocked_until from set_aside as s
    where r.redelivery_id = ${redeliveryId} and s.kind = 'redelivery' and s.row_id = r.redelivery_id`
}

/** Of one hook. Of one that is not well, what waits for it at all. */
export interface Room {
  readonly due: number
  readonly waiting: number
  readonly unwell: number
}

/**
 * Of these hooks, those that listen and have so much before them that no more is to be queued: what could be sent at once, or all, its
 * first attempts among it, as some of these were never tried before. And those of which what they missed has not ended yet. Reads the queue, `hooks` and `hook_health`.
 */
export async function findFullHooks(
  sql: Sql,
  hookIds: readonly string[],
  { now, upTo }: { now: Date; upTo: Room },
): Promise<Set<string>> {
  const rows = await sql<{ hookId: string }[]>`
    select h.hook_id as "hookId"
    from hooks as h
    left join hook_health as b on b.hook_id = h.hook_id
    cross join lateral (
      select case when b.hook_id is null then ${upTo.waiting}::integer else ${upTo.unwell}::integer end as waiting) as room
    where h.hook_id = any(${hookIds as string[]}::uuid[]) and h.active
      and (${dueOf(sql, now, upTo.due)} >= ${upTo.due}
        or (select count(*) from (
          select 1 from deliveries as d where d.hook_id = h.hook_id and d.lane in ('FIRST', 'REPLAY')
          limit room.waiting) as waiting) >= room.waiting
        or (h.skip_before > ${new Date(now.getTime() - GIVE_UP_AFTER_MS)} and exists (
          select 1 from deliveries as d where d.hook_id = h.hook_id and d.recorded_at < h.skip_before)))`
  return new Set(rows.map(({ hookId }) => hookId))
}

/**
 * What could be sent at once by the hooks that a redelivery is about, which tells whether the senders keep up. Hooks that are not well, and
 * those with as much as `each` of them may have, are as slow as they are: they are left out.
 */
export async function countDue(
  sql: Sql,
  of: RedeliveryBounds,
  { now, each }: { now: Date; each: number },
): Promise<number> {
  const [row] = await sql<{ due: number }[]>`
    with recursive ${hooksToCount(sql, of)}
    select coalesce(sum(q.due), 0)::integer as due
    from asked as h
    cross join lateral (select ${dueOf(sql, now, each)} as due) as q
    where q.due < ${each} and not exists (select 1 from hook_health as b where b.hook_id = h.hook_id)`
  return row?.due ?? 0
}

/**
 * `asked`: those that listen. Of a merchant there are few. An app may have very many, and other apps a long queue: so from each on to
 * the first one at or behind the next in the queue, however many of either are in between. Rows are compared as in `hooks/list.ts`.
 */
const hooksToCount = (sql: Sql, { appId, businessId }: RedeliveryBounds) => {
  if (businessId !== undefined) {
    return sql`
      asked as (
        select h.hook_id from hooks as h
        where h.app_id = ${appId} and h.active and (h.business_id is null or h.business_id = ${businessId}))`
  }
  const firstFrom = (place: postgres.Fragment) => sql`
    select h.hook_id from hooks as h
    where (h.active, h.app_id, h.hook_id) >= (true, ${appId}, ${place})
      and (h.active, h.app_id, h.hook_id) <= (true, ${appId}, ${LAST_ID}::uuid)
    order by h.active, h.app_id, h.hook_id
    limit 1`
  const nextInQueue = sql`(select d.hook_id from deliveries as d where d.hook_id > w.hook_id order by d.hook_id limit 1)`
  return sql`
    walked as (
      (${firstFrom(sql`${FIRST_ID}::uuid`)})
      union all
      select (${firstFrom(nextInQueue)}) from walked as w where w.hook_id is not null),
    asked as (select w.hook_id from walked as w where w.hook_id is not null)`
}

/** Of those that have ended. Returns how many. */
export async function deleteEnded(sql: Sql, before: Date): Promise<number> {
  return (await sql`delete from redeliveries where state <> 'RUNNING' and updated_at < ${before}`).count
}

const dueOf = (sql: Sql, now: Date, atMost: number) => sql`
  (select count(*) from (
    select 1 from deliveries as d
    where d.hook_id = h.hook_id and d.lane in ('FIRST', 'REPLAY') and d.due_at <= ${now}
    limit ${atMost}) as due)`

const within = (sql: Sql, { appId, businessId }: RedeliveryBounds) => sql`
  app_id = ${appId} ${businessId === undefined ? sql`` : sql`and business_id = ${businessId}`}`

const columns = (sql: Sql) => sql`
  redelivery_id as "redeliveryId", app_id as "appId", business_id as "businessId", hook_id as "hookId",
  start_at as "startAt", end_at as "endAt", status, missed_since as "missedSince", state, reached_id as "reachedId", later, queued, skipped,
  created_at as "createdAt", updated_at as "updatedAt"`
