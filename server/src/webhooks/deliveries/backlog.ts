import type { Sql } from '../../platform/db/db.ts'
import type { Backlog, Ports } from '../../ports.ts'

/** Far above the delay of a healthy hook, and of a takeover. */
const TOO_LATE_MS = 60_000

/**
 * Whether deliveries fall behind because of Tillhook: a process has had no slot for a delivery of a healthy hook for a minute, or no process
 * has owned a shard for a minute. Then orders are rejected; billing never is. Source: design, Admission.
 */
export function createBacklog({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>): Backlog {
  let isBehind = false
  return {
    isBehind: () => isBehind,
    check: async () => {
      const wasBehind = isBehind
      isBehind = (await findLagMs(db.sql, clock.now())) > TOO_LATE_MS
      if (isBehind !== wasBehind)
        log.warn(
          { isBehind },
          isBehind ? 'deliveries are backlogged: orders are rejected' : 'deliveries are no longer backlogged',
        )
      return 0
    },
  }
}

/** How late deliveries are: the lag that a process reports, or the time since a shard had an owner. */
export async function findLagMs(sql: Sql, now: Date): Promise<number> {
  const [row] = await sql<{ lagMs: number | null; unownedSince: Date | null }[]>`
    select
      (select max(lag_ms) from delivery_workers where seen_until > ${now}) as "lagMs",
      (select min(leased_until) from delivery_shards) as "unownedSince"`
  const unownedMs = row?.unownedSince ? now.getTime() - row.unownedSince.getTime() : 0
  return Math.max(0, row?.lagMs ?? 0, unownedMs)
}
