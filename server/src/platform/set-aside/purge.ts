import type { Ports } from '../../ports.ts'
import { deleteUntried } from './store.ts'

const BATCH = 1_000
/**
 * What is there is tried when its time has come, and then is cleared, or stands aside anew. Longest waits a delivery whose hook does not listen, or
 * whose breaker is open: it ends after 72 h.
 */
const FORGOTTEN_AFTER_MS = 4 * 24 * 3_600_000

/**
 * Forgets one batch of failures of what is gone, or was ended by somebody else than its loop. Were one of them still to be handled, it would only
 * be tried as if it had never failed. Gives how many; less than a batch means that it is done.
 */
export function purgeFailures({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return deleteUntried(db.sql, new Date(clock.now().getTime() - FORGOTTEN_AFTER_MS), BATCH)
}
