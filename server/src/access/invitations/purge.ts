import type { Ports } from '../../ports.ts'
import { purgeInvitations as purgeBatch } from './store.ts'

const BATCH = 1_000
/** Inviters see ended invitations for this time. */
const KEPT_MS = 90 * 24 * 3_600_000

/** Deletes one batch of invitations that ended long ago. Returns the number; less than a batch means that none are left. */
export function purgeInvitations({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeBatch(db.sql, new Date(clock.now().getTime() - KEPT_MS), BATCH)
}
