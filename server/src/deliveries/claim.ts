import type { Db } from '../db/db.ts'
import { type Present, present } from '../db/rows.ts'
import { queueTransaction } from './queue.ts'

export interface ClaimRequest {
  readonly now: Date
  readonly leaseId: string
  readonly leasedUntil: Date
  /** At most so many in all. */
  readonly limit: number
  /** At most so many of a hook that is not in `rooms`. */
  readonly roomOfOthers: number
  /** At most so many of these hooks: they have some under way. */
  readonly rooms: ReadonlyMap<string, number>
  /** The hook that had the last turn; those behind it come first. */
  readonly after: string
}

interface Row {
  notificationId: string
  hookId: string
  body: string
  attempts: number
  recordedAt: Date
  /** It has stood aside before: to be forgotten once it is handled. */
  stoodAside: boolean
  /** Of the hook as it is now: absent when it is gone. */
  deliveryUrl: string | null
  sealedSecret: Buffer | null
  active: boolean | null
}

export type Claimed = Present<Row> & { readonly leaseId: string; readonly leasedUntil: Date }

/**
 * Leases what is due and leased to nobody. The hooks with a queue are found by skipping along the index and take turns,
 * each up to its room, so that a long queue of one costs the others nothing. An untried one waits for the untried ones
 * before it of the same hook and resource, but not for one that stands aside (decisions 7: first attempts "in the order
 * things happened"). Reads `hooks`, for the URL and secret of this very moment, and `set_aside`.
 */
export async function claimDeliveries(db: Db, claim: ClaimRequest): Promise<Claimed[]> {
  // Not waiting for the disk: a claim that is lost in a crash leaves its rows unclaimed, which they are then anyway.
  return queueTransaction(
    db,
    async sql => {
      const rows = await sql<Row[]>`
        with recursive queues as (
          (select d.hook_id from deliveries as d order by d.hook_id limit 1)
          union all
          select (select d.hook_id from deliveries as d where d.hook_id > q.hook_id order by d.hook_id limit 1)
          from queues as q where q.hook_id is not null),
        turns as materialized (
          select q.hook_id, coalesce(r.room, ${claim.roomOfOthers}::integer) as room
          from queues as q
          left join unnest(${[...claim.rooms.keys()]}::uuid[], ${[...claim.rooms.values()]}::integer[])
            as r (hook_id, room) on r.hook_id = q.hook_id
          where q.hook_id is not null
          order by q.hook_id <= ${claim.after}::uuid, q.hook_id),
        due as materialized (
          select t.hook_id, c.notification_id
          from turns as t
          cross join lateral (
            select d.notification_id from deliveries as d
            where d.hook_id = t.hook_id and d.due_at <= ${claim.now}
              and (d.leased_until is null or d.leased_until <= ${claim.now})
              and (d.attempts > 0 or not exists (
                select 1 from deliveries as e
                where e.hook_id = d.hook_id and e.resource_id = d.resource_id and e.resource_seq < d.resource_seq
                  and e.attempts = 0
                  and not exists (
                    select 1 from set_aside as s where s.kind = 'delivery' and s.row_id = e.notification_id)))
            order by d.due_at
            limit t.room
            for update of d skip locked) as c
          limit ${claim.limit})
        update deliveries as d set lease_id = ${claim.leaseId}, leased_until = ${claim.leasedUntil}
        from due left join hooks as h on h.hook_id = due.hook_id
        where d.notification_id = due.notification_id
        returning d.notification_id as "notificationId", d.hook_id as "hookId", d.body, d.attempts,
          d.recorded_at as "recordedAt",
          exists (select 1 from set_aside as s where s.kind = 'delivery' and s.row_id = d.notification_id)
            as "stoodAside",
          h.delivery_url as "deliveryUrl", h.secret as "sealedSecret", h.active`
      const { leaseId, leasedUntil } = claim
      return rows.map(row => ({ ...present(row), leaseId, leasedUntil }))
    },
    'off',
  )
}
