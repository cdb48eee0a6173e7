import { isTimedOut } from '../../platform/db/unavailable.ts'
import type { Backlog, Ports } from '../../ports.ts'
import { findUntaken, type Untaken } from './untaken.ts'

/** Far above what a healthy hook waits, and past the lease that a killed process leaves. */
const TOO_OLD_MS = 60_000
/** A hook that has just come back, or is between two attempts, has not had its claim yet: that takes 2 s at most. */
const SEEN_FOR_MS = 5_000
const UNKNOWN: Untaken = { overdueApps: 0, apps: 0 }

/**
 * Whether deliveries fall behind by our own fault: a first attempt of a hook that is well has been due for too long, and nobody takes
 * it. It must be so in two apps at once, where two have a queue: what is wrong with one app must not close everybody's tills while others are
 * served. Where the database gives the look up, as a transaction that stays open keeps too many dead rows, nothing is known, and no order is
 * refused for what was seen before.
 * Source: design, Admission.
 */
export function createBacklog({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>): Backlog {
  let isBehind = false
  let seenSince: number | undefined
  return {
    isBehind: () => isBehind,
    look: async () => {
      const now = clock.now()
      const overdueSince = new Date(now.getTime() - TOO_OLD_MS)
      const { overdueApps, apps } = await findUntaken(db.sql, { now, overdueSince }).catch(error => {
        if (!isTimedOut(error)) throw error
        log.warn({ err: error }, 'whether deliveries fall behind takes too long to read: no order is refused for it')
        return UNKNOWN
      })
      const isSeen = overdueApps > 0 && overdueApps >= Math.min(2, apps)
      seenSince = isSeen ? (seenSince ?? now.getTime()) : undefined
      const wasBehind = isBehind
      isBehind = seenSince !== undefined && now.getTime() - seenSince >= SEEN_FOR_MS
      if (isBehind !== wasBehind)
        log.warn({ isBehind }, 'deliveries fall behind, or have caught up: orders are refused meanwhile')
      return 0
    },
  }
}
