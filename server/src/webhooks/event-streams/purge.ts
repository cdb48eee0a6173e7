import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'

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
