import type { Ports } from '../../ports.ts'
import { purgeInvitations as purgeBatch } from './store.ts'

const BATCH = 1_000
/** Shown that long to those who invited. */
const KEPT_MS = 90 * 24 * 3_600_000

/** Deletes one batch of invitations that were over long ago. Gives how many; less than a batch means that it is done. */
export function purgeInvitations({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeBatch(db.sql, new Date(clock.now().getTime() - KEPT_MS), BATCH)
}
