import { LONGEST_SESSION_MS } from '../../core/session.ts'
import type { Ports } from '../../ports.ts'
import { purgeSessions as purgeBatch } from './store.ts'

const BATCH = 1_000
/** Long enough to look at who signed in, after something has happened. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Deletes one batch of sessions that ended long ago. Returns the number; less than a batch means that none are left. */
export function purgeSessions({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeBatch(db.sql, new Date(clock.now().getTime() - LONGEST_SESSION_MS - KEPT_MS), BATCH)
}
