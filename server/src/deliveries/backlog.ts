import type { Backlog, Ports } from '../ports.ts'
import { findOverdueApps } from './store.ts'

/** Far above what a healthy hook waits, and past the lease that a killed process leaves. */
const TOO_OLD_MS = 60_000

/**
 * Whether deliveries fall behind: the oldest first attempt of a hook that is well has waited for too long. It must be so in
 * two apps at once, where there are two: a listener that takes less than its app produces must not close everybody's tills.
 * Source: design, Admission.
 */
export function createBacklog({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>): Backlog {
  let isBehind = false
  return {
    isBehind: () => isBehind,
    look: async () => {
      const { overdue, apps } = await findOverdueApps(db.sql, new Date(clock.now().getTime() - TOO_OLD_MS))
      const wasBehind = isBehind
      isBehind = overdue > 0 && overdue >= Math.min(2, apps)
      if (isBehind !== wasBehind)
        log.warn({ isBehind }, 'deliveries fall behind, or have caught up: orders are refused meanwhile')
      return 0
    },
  }
}
