import type { MerchantType } from '../../core/business.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'

/** An event as recorded for one stream. */
export interface StreamEvent {
  readonly streamId: string
  readonly appId: string
  readonly businessId: string
  /** The merchant of an order event; null for billing events. */
  readonly ordersOf: string | null
  /** The body of the notification that a hook would receive. */
  readonly body: string
}

/** A position in a stream: the transaction that recorded an event, and the event's number. */
export interface Position {
  readonly xid: number
  readonly seq: number
}

export interface Stream {
  readonly streamId: string
  readonly appIds: readonly string[]
  /** Absent: all merchants of the apps. */
  readonly businessId?: string
  /** Absent: both types. */
  readonly merchantType?: MerchantType
}

interface Lifetime {
  readonly now: Date
  readonly expiresAt: Date
  readonly connectedUntil: Date | null
}

/** The streams of an app. Each costs every event of the app a row. */
const MAX_STREAMS = 20

/**
 * Adds a stream. An app with 20 streams loses the stream whose last connection ended first. False: 20 streams of an app are connected. Two
 * simultaneous calls may exceed the limit by one, which does no harm.
 */
export async function insertStream(
  sql: Sql,
  { streamId, appIds, businessId, merchantType }: Stream,
  { now, expiresAt, connectedUntil }: Lifetime,
): Promise<boolean> {
  const result = await sql`
    with live as materialized (
      select s.stream_id, s.connected_until > ${now} as is_connected, count(*) over of_app as count,
        count(*) filter (where s.connected_until > ${now}) over of_app as connected,
        row_number() over (partition by s.app_id order by s.connected_until > ${now} is true, s.expires_at) as place
      from event_streams as s where s.app_id = any(${appIds as string[]}::uuid[]) and s.expires_at > ${now}
      window of_app as (partition by s.app_id)),
    ended as (
      update event_streams set expires_at = ${now}
      where stream_id in (
        select l.stream_id from live as l where l.is_connected is not true and l.place <= l.count - ${MAX_STREAMS - 1}::bigint))
    insert into event_streams (stream_id, app_id, business_id, merchant_type, expires_at, connected_until)
    select ${streamId}::uuid, a.app_id, ${businessId ?? null}::uuid, ${merchantType ?? null}::text, ${expiresAt}::timestamptz,
      ${connectedUntil}::timestamptz
    from unnest(${appIds as string[]}::uuid[]) as a (app_id)
    where not exists (select from live as l where l.connected >= ${MAX_STREAMS})`
  return result.count > 0
}

/**
 * Extends the life of a stream. False: the stream has ended or has other apps or merchants, or the position comes from another database,
 * for instance from before a backup was restored.
 */
export async function renewStream(
  sql: Sql,
  { streamId, appIds, businessId, merchantType }: Stream,
  { xid, now, expiresAt, connectedUntil }: Lifetime & Pick<Position, 'xid'>,
): Promise<boolean> {
  const result = await sql`
    update event_streams set expires_at = ${expiresAt}, connected_until = ${connectedUntil}
    where stream_id = ${streamId} and business_id is not distinct from ${businessId ?? null}::uuid
      and merchant_type is not distinct from ${merchantType ?? null}::text
      and expires_at > ${now} and ${xid}::bigint < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      and (select array_agg(s.app_id order by s.app_id) from event_streams as s where s.stream_id = ${streamId})
        = (select array_agg(a order by a) from unnest(${appIds as string[]}::uuid[]) as a)`
  return result.count > 0
}

export async function disconnectStream(sql: Sql, streamId: string): Promise<void> {
  await sql`update event_streams set connected_until = null where stream_id = ${streamId}`
}

/** Skips events of merchants whose type the stream excludes. Reads `businesses`. */
export async function insertStreamEvents(sql: Sql, events: readonly StreamEvent[]): Promise<void> {
  await sql`
    insert into stream_events (stream_id, app_id, orders_of, body)
    select e.stream_id, e.app_id, e.orders_of, e.body
    from unnest(
      ${events.map(({ streamId }) => streamId)}::uuid[], ${events.map(({ appId }) => appId)}::uuid[],
      ${events.map(({ businessId }) => businessId)}::uuid[], ${events.map(({ ordersOf }) => ordersOf)}::uuid[],
      ${events.map(({ body }) => body)}::text[]) with ordinality as e (stream_id, app_id, business_id, orders_of, body, place)
    join event_streams as s on s.stream_id = e.stream_id and s.app_id = e.app_id
    where s.merchant_type is null
      or s.merchant_type = (select b.type from businesses as b where b.business_id = e.business_id)
    order by e.place`
}

/** The events of one stream after a position. */
export interface Unread {
  /** Events after the position were deleted, because the stream held too many. */
  readonly hasMissed: boolean
  /** In the order in which they happened. */
  readonly bodies: readonly string[]
  /** The position after them. */
  readonly reached: Position
}

/** The maximum number of events of a stream in memory. */
export const READ_AT_ONCE = 200

interface UnreadRow {
  readonly place: number
  readonly hasMissed: boolean
  readonly xid: number | null
  readonly seq: number | null
  readonly body: string | null
}

/**
 * The next events of each stream, by its place in the list; streams that have ended are absent. A transaction that commits late may have
 * inserted events with a lower position, so the statement stops before the oldest open transaction. Events of one resource are in the
 * order of `seq`, which can differ from that of `xid`.
 */
export async function readEvents(
  sql: Sql,
  streams: readonly (Position & { readonly streamId: string })[],
): Promise<Map<number, Unread>> {
  const rows = await sql<UnreadRow[]>`
    select c.place::integer, (c.xid, c.seq) < (s.trimmed_xid, s.trimmed_seq) as "hasMissed", e.xid, e.seq, e.body
    from unnest(
      ${streams.map(({ streamId }) => streamId)}::uuid[], ${streams.map(({ xid }) => xid)}::bigint[],
      ${streams.map(({ seq }) => seq)}::bigint[]) with ordinality as c (stream_id, xid, seq, place)
    join lateral (
      select s.trimmed_xid, s.trimmed_seq from event_streams as s where s.stream_id = c.stream_id limit 1) as s on true
    left join lateral (
      select e.xid, e.seq, e.body from stream_events as e
      where e.stream_id = c.stream_id and (e.xid, e.seq) > (c.xid, c.seq)
        and e.xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      order by e.xid, e.seq
      limit ${READ_AT_ONCE}) as e on true
    order by c.place, e.xid, e.seq`
  const byPlace = Map.groupBy(rows, ({ place }) => place - 1)
  return new Map([...byPlace].map(([place, found]) => [place, unreadOf(found, streams[place] ?? { xid: 0, seq: 0 })]))
}

function unreadOf(rows: readonly UnreadRow[], from: Position): Unread {
  const events = rows.filter(row => row.body !== null) as (UnreadRow & { body: string; xid: number; seq: number })[]
  const last = events.at(-1)
  return {
    hasMissed: rows[0]?.hasMissed === true,
    bodies: [...events].sort((a, b) => a.seq - b.seq).map(({ body }) => body),
    reached: last === undefined ? { xid: from.xid, seq: from.seq } : { xid: last.xid, seq: last.seq },
  }
}

/** Deletes the order events of a merchant whose approval was revoked. The caller holds the approval's lock, so no later ones appear. */
export async function deleteOrderEvents(sql: Sql, of: { appId: string; businessId: string }): Promise<void> {
  await sql`
    delete from stream_events as e using event_streams as s
    where s.app_id = ${of.appId} and e.stream_id = s.stream_id and e.app_id = s.app_id and e.orders_of = ${of.businessId}`
}

/** The number of events that a stream keeps for clients that reconnect. */
export const KEPT_EVENTS = 10_000

/** Longer than any transaction: no event is recorded for a stream that ended so long ago. */
const AFTER_END_MS = 600_000

/** Deletes ended streams with their events, and the oldest events of streams that hold too many. Returns 0: no more work is due. */
export async function purgeStreams(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { keep = KEPT_EVENTS } = {},
): Promise<number> {
  await deleteEnded(db.sql, new Date(clock.now().getTime() - AFTER_END_MS))
  await trim(db.sql, keep)
  return 0
}

async function deleteEnded(sql: Sql, endedBefore: Date): Promise<void> {
  await sql`
    with ended as (delete from event_streams where expires_at < ${endedBefore} returning stream_id)
    delete from stream_events as e using ended as s where e.stream_id = s.stream_id`
}

async function trim(sql: Sql, keep: number): Promise<void> {
  await sql`
    with last as materialized (
      select s.stream_id, e.xid, e.seq from (select distinct stream_id from event_streams) as s
      cross join lateral (
        select e.xid, e.seq from stream_events as e where e.stream_id = s.stream_id
        order by e.xid desc, e.seq desc
        offset ${keep} limit 1) as e),
    noted as (
      update event_streams as s set trimmed_xid = l.xid, trimmed_seq = l.seq
      from last as l where s.stream_id = l.stream_id)
    delete from stream_events as e using last as l
    where e.stream_id = l.stream_id and (e.xid, e.seq) <= (l.xid, l.seq)`
}
