import { CLOCKS_APART_MS } from '../../core/delivery.ts'
import { ORDER_EVENT_TYPES } from '../../core/event.ts'
import { dayOfId } from '../../core/id.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { type Part, type Present, part, plannedTransaction, present, send } from '../../platform/db/sql.ts'
import type { Lane, PerLane } from './lane.ts'
import type { Turns } from './turns.ts'

export interface ClaimRequest {
  readonly now: Date
  readonly leaseId: string
  readonly leasedUntil: Date
  /** At most so many of each lane. */
  readonly limits: PerLane
  /** At most so many of a hook that is not in `rooms`. */
  readonly roomOfOthers: PerLane
  /** At most so many of these hooks: they have some under way, or are known to be slow or quick. */
  readonly rooms: ReadonlyMap<string, PerLane>
  readonly turns: Turns
  /** Only of these hooks, and of first attempts those that are due since then (`narrow.ts`). Absent: all that is due. */
  readonly from?: ReadonlyMap<string, Date>
}

interface Row {
  notificationId: string
  hookId: string
  lane: Lane
  attempts: number
  recordedAt: Date
  /** It has stood aside before: to be forgotten once it is handled. */
  stoodAside: boolean
  /** Of the hook as it is now: absent when it is gone. */
  deliveryUrl: string | null
  sealedSecret: Buffer | null
  active: boolean | null
  /** Recorded before its hook was switched on again, and not to be sent. */
  isMissed: boolean
}

interface Told {
  /** The bytes of every attempt. */
  readonly body: string
  /** It is about an order of a merchant that does not approve of the app now. */
  readonly isRevoked: boolean
}

/** Nothing is told when its notification is gone. */
export type Claimed = Present<Row> &
  Partial<Told> & {
    readonly leaseId: string
    readonly leasedUntil: Date
  }

/**
 * Leases what is due and leased to nobody. The hooks with a queue are found by skipping along the index and take turns
 * in each lane, each up to its room, first attempts before retries before replays: a long queue of one costs the others nothing. An
 * untried one waits for the untried ones before it of the same hook and resource, but not for one that stands aside
 * (decisions 7: first attempts "in the order things happened"). A hook that does not listen is passed over; of one whose
 * breaker is open one delivery is taken, to see, once its time has come. What is due is named by one value: joined with the queue, by a plan
 * made while that was empty, the whole queue would be read for it. Reads `hooks`, for the URL and secret of this
 * very moment, `set_aside`, `notifications` for what is sent, and `approvals` for whether orders still may be; takes the probe in `hook_health`.
 */
export async function claimDeliveries(db: Db, claim: ClaimRequest): Promise<Claimed[]> {
  // Not waiting for the disk: a claim that is lost in a crash leaves its rows unclaimed, which they are then anyway.
  return plannedTransaction(
    db,
    async ({ sql }) => {
      const rows = await send<Row[]>(sql, claimStatement(claim))
      const told = await findTold(sql, rows)
      const { leaseId, leasedUntil } = claim
      return rows.map(row => ({ ...present(row), ...told.get(row.notificationId), leaseId, leasedUntil }))
    },
    { durability: 'off', plans: 'once' },
  )
}

/** Of the days that their ids tell, so that the partitions of other days stay closed. */
async function findTold(sql: Sql, rows: readonly Pick<Row, 'notificationId'>[]): Promise<Map<string, Told>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ notificationId }) => notificationId)
  const found = await sql<(Told & { notificationId: string })[]>`
    select n.notification_id as "notificationId", n.body,
      n.event_type = any(${[...ORDER_EVENT_TYPES]}) and not exists (
        select 1 from approvals as a
        where a.business_id = n.business_id and a.app_id = n.app_id and a.revoked_at is null) as "isRevoked"
    from notifications as n
    where n.recorded_day = any(${[...new Set(ids.map(dayOfId))]}::text[]::date[]) and n.notification_id = any(${ids}::uuid[])`
  return new Map(found.map(({ notificationId, body, isRevoked }) => [notificationId, { body, isRevoked }]))
}

function claimStatement(claim: ClaimRequest): Part {
  const { now, leaseId, leasedUntil } = claim
  return part`
    with recursive ${hooksToServe(claim)},
    due_first as materialized (${dueFirst(claim)}),
    due_retry as materialized (${dueOf('RETRY', claim)}),
    due_replay as materialized (${dueOf('REPLAY', claim)}),
    due as materialized (
      select x.hook_id, x.is_probe, x.notification_id,
        row_number() over (partition by x.hook_id order by x.place) as nth_of_hook
      from (
        select hook_id, is_probe, notification_id, 1 as place from due_first
        union all select hook_id, is_probe, notification_id, 2 from due_retry
        union all select hook_id, is_probe, notification_id, 3 from due_replay) as x),
    probed as (
      update hook_health as b set open_until = ${leasedUntil}, probe_lease = ${leaseId}
      where b.hook_id in (select due.hook_id from due where due.is_probe) and b.open_until <= ${now}
      returning b.hook_id),
    leased as (
      update deliveries as d set lease_id = ${leaseId}, leased_until = ${leasedUntil}
      where d.notification_id = any(array(
        select due.notification_id from due
        where not due.is_probe or (due.nth_of_hook = 1 and due.hook_id in (select probed.hook_id from probed))))
      returning d.notification_id, d.hook_id, d.lane, d.attempts, d.recorded_at)
    select l.notification_id as "notificationId", l.hook_id as "hookId", l.lane, l.attempts,
      l.recorded_at as "recordedAt",
      exists (select 1 from set_aside as s where s.kind = 'delivery' and s.row_id = l.notification_id)
        as "stoodAside",
      h.delivery_url as "deliveryUrl", h.secret as "sealedSecret", h.active,
      coalesce(l.recorded_at < h.skip_before, false) as "isMissed"
    from leased as l left join hooks as h on h.hook_id = l.hook_id`
}

const ALL_QUEUES = part`
    queues as (
      (select d.hook_id, null::timestamptz as due_from from deliveries as d order by d.hook_id limit 1)
      union all
      select (select d.hook_id from deliveries as d where d.hook_id > q.hook_id order by d.hook_id limit 1), null
      from queues as q where q.hook_id is not null)`

function queuesFrom(from: ReadonlyMap<string, Date>): Part {
  return part`
    queues as (
      select u.hook_id, u.due_from
      from unnest(
        ${[...from.keys()]}::uuid[], ${[...from.values()].map(at => at.toISOString())}::text[]::timestamptz[])
        as u (hook_id, due_from))`
}

/** Those with a queue that may be sent to, and how much. Rooms are looked up by their key: joined, each queue would read all of them. */
function hooksToServe({ now, rooms, roomOfOthers, from }: ClaimRequest): Part {
  return part`
    rooms as materialized (select ${JSON.stringify(Object.fromEntries(rooms))}::text::jsonb as of_hook),
    ${from === undefined ? ALL_QUEUES : queuesFrom(from)},
    served as materialized (
      select q.hook_id, q.due_from, b.open_until is not null as is_probe,
        coalesce((r.of_hook -> q.hook_id::text -> 'FIRST')::integer, ${roomOfOthers.FIRST}::integer) as "FIRST",
        coalesce((r.of_hook -> q.hook_id::text -> 'RETRY')::integer, ${roomOfOthers.RETRY}::integer) as "RETRY",
        coalesce((r.of_hook -> q.hook_id::text -> 'REPLAY')::integer, ${roomOfOthers.REPLAY}::integer) as "REPLAY"
      from queues as q
      cross join rooms as r
      left join hooks as h on h.hook_id = q.hook_id
      left join hook_health as b on b.hook_id = q.hook_id and b.open_until is not null
      where q.hook_id is not null and h.active is not false and (b.open_until is null or b.open_until <= ${now}))`
}

/** They are called `t`. */
function hooksInTurn(lane: Lane, { turns }: ClaimRequest): Part {
  return part`
    (select s.hook_id, s.due_from, s.is_probe, s."FIRST", s."RETRY", s."REPLAY"
    from served as s
    order by s.hook_id <= ${turns[lane]}::uuid, s.hook_id) as t`
}

/**
 * The last one before it is asked for in the order of the index, so that whatever PostgreSQL knows of the table it takes that one. By another it
 * would read the whole queue of the hook, for each of its rows. From the resource's first one on it would read all that was sent of it while a
 * transaction stays open.
 */
export const AN_EARLIER_ONE_WAITS = part`
  (
    select e.resource_seq from deliveries as e
    where e.hook_id = d.hook_id and e.resource_id = d.resource_id and e.lane = 'FIRST'
      and e.resource_seq < d.resource_seq
      and not exists (select 1 from set_aside as s where s.kind = 'delivery' and s.row_id = e.notification_id)
    order by e.resource_seq desc
    limit 1) is not null`

const ROOM: Readonly<Record<Lane, Part>> = { FIRST: part`t."FIRST"`, RETRY: part`t."RETRY"`, REPLAY: part`t."REPLAY"` }

/** Of a hook's queue in the order in which it is due. More than a claim takes of any hook; where they all wait, it looks at their resources instead. */
const LOOKED_AT = 250

function dueOf(lane: Exclude<Lane, 'FIRST'>, claim: ClaimRequest): Part {
  const { now, limits } = claim
  return part`
    select t.hook_id, t.is_probe, c.notification_id
    from ${hooksInTurn(lane, claim)}
    cross join lateral (
      select d.notification_id from deliveries as d
      where d.hook_id = t.hook_id and d.lane = ${lane} and d.due_at <= ${now}
        and (d.leased_until is null or d.leased_until <= ${now})
      order by d.due_at
      limit ${turnOf(lane)}
      for update of d skip locked) as c
    limit ${limits[lane]}`
}

/**
 * First those that are due for longest. Behind as many as it looks at, all of which may wait for a few resources, the first one
 * of each resource: so one resource's long queue costs little, and holds up no other. Only as far as the room goes. Each is locked by its key
 * alone, and then looked at: joined with the queue by a plan made while that was empty, all of this would be done for each row of it.
 */
function dueFirst(claim: ClaimRequest): Part {
  const { now, limits, from } = claim
  // One is due once it is recorded, whatever the clock of the process that recorded it said; one that was put off was so for a minute or more.
  const dueBy = new Date(now.getTime() + CLOCKS_APART_MS)
  const isFree = part`(d.leased_until is null or d.leased_until <= ${now})`
  const inOrder = part`
    from deliveries as d
    where d.hook_id = t.hook_id and d.lane = 'FIRST' and d.due_at <= ${dueBy} and ${isFree}
      ${from === undefined ? part`` : part`and d.due_at >= t.due_from`}
    order by d.due_at`
  return part`
    select t.hook_id, t.is_probe, c.notification_id
    from ${hooksInTurn('FIRST', claim)}
    cross join lateral (
      select d.notification_id
      from (
        select d.notification_id
        from (
          select d.notification_id, d.hook_id, d.resource_id, d.resource_seq ${inOrder} limit ${LOOKED_AT}) as d
        where not ${AN_EARLIER_ONE_WAITS}
        union all
        select f.notification_id
        from (select d.due_at ${inOrder} offset ${LOOKED_AT - 1} limit 1) as last
        cross join lateral (${FIRST_OF_EACH_RESOURCE}) as f
        where f.due_at >= last.due_at) as x
      cross join lateral (
        select d.notification_id, d.lane, d.due_at, d.leased_until from deliveries as d
        where d.notification_id = x.notification_id
        limit 1
        for update of d skip locked) as d
      where d.lane = 'FIRST' and d.due_at <= ${dueBy} and ${isFree}
      limit ${turnOf('FIRST')}) as c
    limit ${limits.FIRST}`
}

/** Of a hook, skipping from resource to resource along the index. */
const FIRST_OF_EACH_RESOURCE = part`
  with recursive resources as (
    (${nextResource(part``)})
    union all
    select n.resource_id, n.notification_id, n.due_at
    from resources as r cross join lateral (${nextResource(part`and e.resource_id > r.resource_id`)}) as n)
  select r.notification_id, r.due_at from resources as r limit ${LOOKED_AT}`

function nextResource(beyond: Part): Part {
  return part`
    select e.resource_id, e.notification_id, e.due_at from deliveries as e
    where e.hook_id = t.hook_id and e.lane = 'FIRST' ${beyond}
      and not exists (select 1 from set_aside as s where s.kind = 'delivery' and s.row_id = e.notification_id)
    order by e.resource_id, e.resource_seq
    limit 1`
}

function turnOf(lane: Lane): Part {
  return part`case when t.is_probe then least(1, ${ROOM[lane]}) else ${ROOM[lane]} end`
}
