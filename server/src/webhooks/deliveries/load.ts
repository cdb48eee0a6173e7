import type postgres from 'postgres'
import { ORDER_EVENT_TYPES } from '../../core/event.ts'
import { given } from '../../core/given.ts'
import type { HookHealth } from '../../core/hook-health.ts'
import { dayOfId } from '../../core/id.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { pipeline, plannedTransaction, present } from '../../platform/db/sql.ts'
import { findHookHealth } from '../hooks/health.ts'

/** The data of one delivery attempt, beside its hook. */
export interface QueuedRow {
  readonly notificationId: string
  readonly hookId: string
  readonly seq: number
  /** Why the delivery is due. First attempts go before retries and replays. */
  readonly priority: 'FIRST' | 'RETRY' | 'REPLAY'
  /** Made so far. */
  readonly attempts: number
  readonly recordedAt: Date
  readonly resourceId: string
  /** The bytes of every attempt. Absent: the notification is gone. */
  readonly body?: string
  /** The preceding delivery of the same hook and resource, if it has no attempt yet. */
  readonly previousId?: string
  readonly previousSeq?: number
}

/** The hook's configuration, for the owner of its queue. */
export interface HookConfig {
  readonly version: number
  readonly deliveryUrl: string
  readonly sealedSecrets: Buffer
  readonly active: boolean
}

/** The part of a hook's queue to read. */
export interface LoadRequest {
  readonly hookId: string
  readonly shard: number
  /** Read first attempts after this `seq`. */
  readonly cursor: number
  readonly firstLimit: number
  /** The number of due retries and replays to read. */
  readonly againLimit: number
}

export interface Loaded {
  /** First attempts in the order of `seq`. */
  readonly rows: readonly QueuedRow[]
  /** Every row that the statement read, including rows that must not be sent. */
  readonly read: readonly Pick<QueuedRow, 'hookId' | 'seq' | 'priority'>[]
  readonly hooks: ReadonlyMap<string, HookConfig>
  readonly health: ReadonlyMap<string, HookHealth>
  /** By hook: when its next retry or replay is due, not counting those due now. */
  readonly againAt: ReadonlyMap<string, Date>
}

/** The hooks with a queue in these shards, found by skipping along two indexes. */
export async function findQueues(db: Db, shards: readonly number[]): Promise<string[]> {
  if (shards.length === 0) return []
  return plannedTransaction(
    db,
    async ({ sql }) => {
      const skip = (name: string, kind: postgres.Fragment) => sql`
        ${sql(name)} as (
          select s.shard, (
            select d.hook_id from deliveries as d where d.shard = s.shard and ${kind} order by d.hook_id limit 1) as hook_id
          from unnest(${shards as number[]}::integer[]) as s (shard)
          union all
          select q.shard, (
            select d.hook_id from deliveries as d
            where d.shard = q.shard and ${kind} and d.hook_id > q.hook_id order by d.hook_id limit 1)
          from ${sql(name)} as q where q.hook_id is not null)`
      const rows = await sql<{ hookId: string }[]>`
        with recursive ${skip('first', sql`d.priority = 'FIRST'`)}, ${skip('again', sql`d.priority <> 'FIRST'`)}
        select hook_id as "hookId" from first where hook_id is not null
        union
        select hook_id from again where hook_id is not null`
      return rows.map(({ hookId }) => hookId)
    },
    { durability: 'off', plans: 'once' },
  )
}

/**
 * Reads the next deliveries of any number of hooks, and the hooks themselves. Orders of a merchant that has revoked its approval are left
 * out: `end-undeliverable.ts` ends them. Reads `notifications`, `hooks`, `hook_health` and `approvals`.
 */
export async function loadQueues(db: Db, requests: readonly LoadRequest[], now: Date): Promise<Loaded> {
  return plannedTransaction(
    db,
    async ({ sql }) => {
      const hookIds = requests.map(({ hookId }) => hookId)
      const [hooks, health, againAt, rows] = await pipeline([
        findConfigs(sql, hookIds),
        findHookHealth(sql, hookIds),
        findAgainAt(sql, requests, now),
        findRows(sql, requests, now),
      ])
      const bodies = await findBodies(sql, rows)
      const kept = rows.filter(({ notificationId }) => bodies.get(notificationId)?.isRevoked !== true)
      const loaded = kept.map(row => ({ ...row, ...given({ body: bodies.get(row.notificationId)?.body }) }))
      return { rows: loaded, read: rows, hooks, health, againAt }
    },
    { durability: 'off', plans: 'once' },
  )
}

async function findConfigs(sql: Sql, hookIds: readonly string[]): Promise<Map<string, HookConfig>> {
  const rows = await sql<(HookConfig & { hookId: string })[]>`
    select hook_id as "hookId", version, delivery_url as "deliveryUrl", secret as "sealedSecrets", active
    from hooks where hook_id = any(${hookIds as string[]}::uuid[])`
  return new Map(rows.map(({ hookId, ...config }) => [hookId, config]))
}

async function findAgainAt(sql: Sql, requests: readonly LoadRequest[], now: Date): Promise<Map<string, Date>> {
  const rows = await sql<{ hookId: string; dueAt: Date }[]>`
    select x.hook_id as "hookId", n.due_at as "dueAt"
    from unnest(${requests.map(({ hookId }) => hookId)}::uuid[], ${requests.map(({ shard }) => shard)}::integer[])
      as x (hook_id, shard)
    cross join lateral (
      select d.due_at from deliveries as d
      where d.shard = x.shard and d.hook_id = x.hook_id and d.priority <> 'FIRST' and d.due_at > ${now}
      order by d.due_at limit 1) as n`
  return new Map(rows.map(({ hookId, dueAt }) => [hookId, dueAt]))
}

async function findRows(sql: Sql, requests: readonly LoadRequest[], now: Date): Promise<QueuedRow[]> {
  const rows = await sql<(Omit<QueuedRow, 'previousId' | 'previousSeq'> & { previousId: string | null })[]>`
    with x as materialized (
      select x.hook_id, x.shard, x.cursor, x.first_limit, x.again_limit
      from unnest(
        ${requests.map(({ hookId }) => hookId)}::uuid[], ${requests.map(({ shard }) => shard)}::integer[],
        ${requests.map(({ cursor }) => cursor)}::bigint[], ${requests.map(({ firstLimit }) => firstLimit)}::integer[],
        ${requests.map(({ againLimit }) => againLimit)}::integer[])
        as x (hook_id, shard, cursor, first_limit, again_limit)
      join hooks as h on h.hook_id = x.hook_id and h.active),
    due as materialized (
      select f.notification_id, f.hook_id, f.seq, f.priority, f.attempts, f.recorded_at, f.resource_id, f.resource_seq
      from x cross join lateral (
        select d.notification_id, d.hook_id, d.seq, d.priority, d.attempts, d.recorded_at, d.resource_id, d.resource_seq
        from deliveries as d
        where d.shard = x.shard and d.hook_id = x.hook_id and d.priority = 'FIRST' and d.seq > x.cursor
        order by d.seq limit x.first_limit) as f
      union all
      select a.notification_id, a.hook_id, a.seq, a.priority, a.attempts, a.recorded_at, a.resource_id, a.resource_seq
      from x cross join lateral (
        select d.notification_id, d.hook_id, d.seq, d.priority, d.attempts, d.recorded_at, d.resource_id, d.resource_seq
        from deliveries as d
        where d.shard = x.shard and d.hook_id = x.hook_id and d.priority <> 'FIRST' and d.due_at <= ${now}
        order by d.due_at limit x.again_limit) as a)
    select due.notification_id as "notificationId", due.hook_id as "hookId", due.seq, due.priority, due.attempts,
      due.recorded_at as "recordedAt", due.resource_id as "resourceId", e.notification_id as "previousId",
      e.seq as "previousSeq"
    from due
    left join lateral (
      select e.notification_id, e.seq from deliveries as e
      where due.priority = 'FIRST' and due.resource_seq > 1 and e.hook_id = due.hook_id
        and e.resource_id = due.resource_id and e.priority = 'FIRST' and e.resource_seq < due.resource_seq
      order by e.resource_seq desc limit 1) as e on true`
  return rows.map(row => present(row) as QueuedRow).sort((a, b) => a.seq - b.seq)
}

interface Body {
  readonly body: string
  readonly isRevoked: boolean
}

/** Names the days of the ids, so that PostgreSQL skips all other partitions. */
async function findBodies(sql: Sql, rows: readonly QueuedRow[]): Promise<Map<string, Body>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ notificationId }) => notificationId)
  const found = await sql<(Body & { notificationId: string })[]>`
    select n.notification_id as "notificationId", n.body,
      n.event_type = any(${[...ORDER_EVENT_TYPES]}) and not exists (
        select 1 from approvals as a
        where a.business_id = n.business_id and a.app_id = n.app_id and a.revoked_at is null) as "isRevoked"
    from notifications as n
    where n.recorded_day = any(${[...new Set(ids.map(dayOfId))]}::text[]::date[]) and n.notification_id = any(${ids}::uuid[])`
  return new Map(found.map(({ notificationId, ...body }) => [notificationId, body]))
}
