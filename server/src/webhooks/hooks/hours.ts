import { addDays, parseInstant } from '../../core/calendar.ts'
import { ACKNOWLEDGED, addDurations, type HourCount, noDurations, percentileMs } from '../../core/hook-hours.ts'
import { NO_INSTANT } from '../../core/page.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'

/*
 * The attempts of each hook by hour. The saver of attempts adds its counts in the transaction of the attempts. A batch that is saved again
 * after a lost connection may count twice: the counts serve charts, and the attempts themselves stay exact.
 */

/** Decisions 7: history shows 30 days. */
const KEEP_DAYS = 30
const DEFAULT_HOURS_MS = 48 * 3_600_000

/** The health of a hook in one hour. Hours without attempts are absent. */
export interface HookHour {
  readonly hour: Date
  readonly acknowledged: number
  /** By HTTP status or reason word, most frequent first. */
  readonly failed: readonly { readonly outcome: string; readonly attempts: number }[]
  readonly p50Ms: number
  readonly p95Ms: number
}

interface Span {
  readonly from: Date
  readonly to: Date
}

/** Parses `from` and `to`: the last 48 hours by default, and no more than the 30 days that are kept. */
export function parseHours(query: { readonly from?: string; readonly to?: string }, now: Date): Span | Rejection {
  const to = query.to === undefined ? now : parseInstant(query.to)
  if (to === null) return rejectField('to', NO_INSTANT)
  const from = query.from === undefined ? new Date(to.getTime() - DEFAULT_HOURS_MS) : parseInstant(query.from)
  if (from === null) return rejectField('from', NO_INSTANT)
  if (from >= to) return rejectField('from', 'must be earlier than `to`')
  const oldest = addDays(now, -KEEP_DAYS)
  return { from: from < oldest ? oldest : from, to }
}

/** The hours of a hook that the span touches, oldest first. */
export async function findHookHours(sql: Sql, hookId: string, { from, to }: Span): Promise<HookHour[]> {
  const rows = await sql<HourCount[]>`
    select hook_id as "hookId", hour, outcome, attempts, durations from hook_hours
    where hook_id = ${hookId} and hour >= date_trunc('hour', ${from}::timestamptz, 'UTC') and hour <= ${to}
    order by hour, attempts desc, outcome`
  return [...Map.groupBy(rows, ({ hour }) => hour.getTime()).values()].flatMap(summarize)
}

function summarize(counts: readonly HourCount[]): HookHour[] {
  const durations = counts.reduce((all, count) => addDurations(all, count.durations), noDurations())
  const [p50Ms, p95Ms] = [percentileMs(durations, 0.5), percentileMs(durations, 0.95)]
  const [first] = counts
  if (first === undefined || p50Ms === null || p95Ms === null) return []
  const acknowledged = counts.find(({ outcome }) => outcome === ACKNOWLEDGED)?.attempts ?? 0
  const failed = counts
    .filter(({ outcome }) => outcome !== ACKNOWLEDGED)
    .map(({ outcome, attempts }) => ({ outcome, attempts }))
  return [{ hour: first.hour, acknowledged, failed, p50Ms, p95Ms }]
}

/** Adds counts to their hours. Counts come in one order, so that two processes do not deadlock. */
export async function addHookHours(sql: Sql, counts: readonly HourCount[]): Promise<void> {
  if (counts.length === 0) return
  await sql`
    insert into hook_hours as h (hook_id, hour, outcome, attempts, durations)
    select "hookId", hour, outcome, attempts, durations
    from jsonb_to_recordset(${JSON.stringify(counts)}::text::jsonb) as x (
      "hookId" uuid, hour timestamptz, outcome text, attempts integer, durations integer[])
    on conflict (hook_id, hour, outcome) do update set
      attempts = h.attempts + excluded.attempts,
      durations = array(
        select a.n + b.n
        from unnest(h.durations) with ordinality as a (n, bucket) join unnest(excluded.durations) with ordinality as b (n, bucket)
          using (bucket)
        order by bucket)`
}

/** Hours that one run deletes. */
const PURGED_AT_ONCE = 5_000

/** Deletes hours of more than 30 days ago. Returns their number. */
export async function purgeHookHours({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const purged = await db.sql`
    delete from hook_hours where ctid = any(array(
      select ctid from hook_hours where hour < ${addDays(clock.now(), -KEEP_DAYS)} limit ${PURGED_AT_ONCE}))`
  return purged.count
}

/** The attempts of a hook by hour, oldest first, and the time within which 95 % of them ended. */
export interface RecentAttempts {
  readonly hours: readonly { readonly hour: Date; readonly attempts: number; readonly failed: number }[]
  readonly p95Ms: number
}

/** The attempts of each hook since the hour of an instant. Hooks without attempts are absent. */
export async function findAttempts(
  sql: Sql,
  hookIds: readonly string[],
  since: Date,
): Promise<Map<string, RecentAttempts>> {
  const rows = await sql<HourCount[]>`
    select hook_id as "hookId", hour, outcome, attempts, durations from hook_hours
    where hook_id = any(${hookIds as string[]}::uuid[]) and hour >= date_trunc('hour', ${since}::timestamptz, 'UTC')
    order by hook_id, hour`
  const byHook = Map.groupBy(rows, ({ hookId }) => hookId)
  return new Map([...byHook].map(([hookId, counts]) => [hookId, recentOf(counts)]))
}

function recentOf(counts: readonly HourCount[]): RecentAttempts {
  const durations = counts.reduce((all, count) => addDurations(all, count.durations), noDurations())
  const sum = (of: readonly HourCount[]) => of.reduce((all, { attempts }) => all + attempts, 0)
  const hours = [...Map.groupBy(counts, ({ hour }) => hour.getTime()).entries()].map(([hour, of]) => ({
    hour: new Date(hour),
    attempts: sum(of),
    failed: sum(of.filter(({ outcome }) => outcome !== ACKNOWLEDGED)),
  }))
  return { hours, p95Ms: percentileMs(durations, 0.95) ?? 0 }
}

/** The attempts of all hooks in one hour. */
interface HourOfAllHooks {
  readonly hour: Date
  readonly acknowledged: number
  readonly failed: number
}

/** The attempts of all hooks by hour since the hour of an instant, oldest first. Hours without attempts are absent. */
export async function findAllAttempts(sql: Sql, since: Date): Promise<HourOfAllHooks[]> {
  return await sql<HourOfAllHooks[]>`
    select hour, coalesce(sum(attempts) filter (where outcome = ${ACKNOWLEDGED}), 0)::int as acknowledged,
      coalesce(sum(attempts) filter (where outcome <> ${ACKNOWLEDGED}), 0)::int as failed
    from hook_hours
    where hour >= date_trunc('hour', ${since}::timestamptz, 'UTC')
    group by hour order by hour`
}

/** The attempts of a hook since an instant. */
export interface FailingHook {
  readonly hookId: string
  readonly attempts: number
  readonly failed: number
}

/** Hooks with failed attempts since the hour of an instant, highest share of failed attempts first. Deleted hooks may be among them. */
export async function listFailingHooks(
  sql: Sql,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<FailingHook[]> {
  const rows = await sql<FailingHook[]>`
    select hook_id as "hookId", attempts::int, failed::int
    from (
      select hook_id, sum(attempts) as attempts,
        coalesce(sum(attempts) filter (where outcome <> ${ACKNOWLEDGED}), 0) as failed
      from hook_hours
      where hour >= date_trunc('hour', ${since}::timestamptz, 'UTC')
      group by hook_id) as h
    where failed > 0
    order by failed::double precision / attempts desc, failed desc, hook_id
    limit ${limit}`
  return [...rows]
}
