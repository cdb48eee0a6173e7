import type { Db, Sql } from '../../platform/db/db.ts'
import { part, send } from '../../platform/db/sql.ts'
import { isTimedOut } from '../../platform/db/unavailable.ts'
import { findLagMs } from '../../webhooks/deliveries/backlog.ts'
import { findLastDay } from '../../webhooks/deliveries/partitions.ts'

/** The waiting work in the database. */
interface Unfinished {
  readonly chargesUnsettled: number
  readonly chargesUnknown: number
  readonly refundsUnsettled: number
  /** In real time: due renewals, retries and ends. */
  readonly subscriptionsDue: number
  readonly quarantined: number
}

interface Queued {
  readonly deliveriesQuarantined: number
  /** Deliveries whose first or next attempt is due, and the age of the oldest in seconds. */
  readonly deliveriesDue: number
  readonly oldestDeliverySeconds: number
}

/** The queue's figures are absent if reading them takes too long, beside a long transaction or over dead rows. */
export type Waiting = Unfinished & Partial<Omit<Queued, 'deliveriesQuarantined'>>

/** The state of delivery beside the queue. */
interface Hooks {
  readonly hooksFailing: number
  readonly breakersOpen: number
  readonly partitionDaysAhead: number
}

export interface HookGauges extends Hooks {
  /** How long a delivery of a healthy hook waits because no process has a slot for it. Above a limit, orders are rejected. */
  readonly oldestFirstAttemptSeconds: number
}

/** Reading more than this to say "many" would itself be a load. */
const MANY = 10_000
const DAY_MS = 86_400_000
/** The limit for reading a queue with many dead rows; less than Prometheus' scrape timeout. */
const QUEUE_WITHIN_MS = 3_000

/** The hooks with a queue, found by skipping along an index. */
const QUEUES = part`
  recursive queues as (
    (select d.shard, d.hook_id from deliveries as d order by d.hook_id limit 1)
    union all
    select n.shard, n.hook_id from queues as q cross join lateral (
      select d.shard, d.hook_id from deliveries as d where d.hook_id > q.hook_id order by d.hook_id limit 1) as n)`

/** An index serves each part. */
export async function readGauges(db: Db, now: Date): Promise<Waiting> {
  const [unfinished, queued] = await Promise.all([readUnfinished(db.sql, now), inTime(db, sql => readQueued(sql, now))])
  if (queued === null) return unfinished
  const { deliveriesQuarantined, ...due } = queued
  return { ...unfinished, ...due, quarantined: unfinished.quarantined + deliveriesQuarantined }
}

export async function readHookGauges(db: Db, now: Date): Promise<HookGauges> {
  const [hooks, lagMs] = await Promise.all([readHooks(db.sql, now), findLagMs(db.sql, now)])
  return { ...hooks, oldestFirstAttemptSeconds: lagMs / 1_000 }
}

/** Null if the database cancels the statement. */
async function inTime<T>(db: Db, read: (sql: Sql) => Promise<T>): Promise<T | null> {
  try {
    return await db.transaction(async ({ sql }) => {
      await sql`
        select set_config('statement_timeout', least(
          ${QUEUE_WITHIN_MS}::integer, nullif(extract(epoch from current_setting('statement_timeout')::interval) * 1000, 0)::integer)::text, true)`
      return await read(sql)
    })
  } catch (error) {
    if (isTimedOut(error)) return null
    throw error
  }
}

async function readUnfinished(sql: Sql, now: Date): Promise<Unfinished> {
  const [row] = await sql<Unfinished[]>`
    select
      (select count(*) from (select 1 from charges where next_poll_at is not null and settled_at is null limit ${MANY}) as u) as "chargesUnsettled",
      (select count(*) from charges where next_poll_at is not null and status = 'UNKNOWN') as "chargesUnknown",
      (select count(*) from (select 1 from refunds where next_poll_at is not null limit ${MANY}) as u) as "refundsUnsettled",
      (select count(*) from (
        select 1 from subscriptions where next_action_at <= ${now} and test_clock_id is null
          and app_id not in (select app_id from apps where held_since is not null) limit ${MANY}) as due)
        as "subscriptionsDue",
      (select count(*) from subscriptions where failures > 0 and retry_at > ${now})
        + (select count(*) from charges where failures > 0 and next_poll_at > ${now})
        + (select count(*) from refunds where failures > 0 and next_poll_at > ${now})
        + (select count(*) from redeliveries where failures > 0 and run_at > ${now}) as quarantined`
  if (!row) throw new Error('the gauges gave no row')
  return row
}

async function readQueued(sql: Sql, now: Date): Promise<Queued> {
  const [row] = await send<Queued[]>(
    sql,
    part`
    with ${QUEUES},
    due as (
      select x.due_at from queues as q cross join lateral (
        (select d.due_at from deliveries as d
        where d.shard = q.shard and d.hook_id = q.hook_id and d.priority = 'FIRST' order by d.seq limit ${MANY})
        union all
        (select d.due_at from deliveries as d
        where d.shard = q.shard and d.hook_id = q.hook_id and d.priority <> 'FIRST' and d.due_at <= ${now}
        order by d.due_at limit ${MANY})) as x
      limit ${MANY})
    select count(*) as "deliveriesDue",
      (select count(*) from deliveries where failures > 0 and due_at > ${now}) as "deliveriesQuarantined",
      coalesce(extract(epoch from ${now}::timestamptz - min(due.due_at)), 0)::float8 as "oldestDeliverySeconds"
    from due`,
  )
  if (!row) throw new Error('the gauges gave no row')
  return row
}

/** Active hooks only: a disabled hook is sent nothing, and its last outcome may stay for ever. */
async function readHooks(sql: Sql, now: Date): Promise<Hooks> {
  const [row] = await sql<Pick<Hooks, 'hooksFailing' | 'breakersOpen'>[]>`
    select
      (select count(*) from (
        select 1 from hook_health as b join hooks as h on h.hook_id = b.hook_id and h.active
        where b.failures > 0 limit ${MANY}) as f) as "hooksFailing",
      (select count(*) from (
        select 1 from hook_health as b join hooks as h on h.hook_id = b.hook_id and h.active
        where b.open_until is not null limit ${MANY}) as o) as "breakersOpen"`
  if (!row) throw new Error('the gauges gave no row')
  const ahead = (await findLastDay(sql, now)).getTime() - now.getTime()
  return { ...row, partitionDaysAhead: Math.ceil(ahead / DAY_MS) }
}
