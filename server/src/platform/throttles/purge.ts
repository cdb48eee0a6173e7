import { FORGOTTEN_AFTER_MS } from '../../core/throttle.ts'
import type { Ports } from '../../ports.ts'
import { purgeThrottles as purgeBatch } from './store.ts'

const BATCH = 1_000

/** Deletes one batch of what counts no more. Gives how many; less than a batch means that it is done. */
export function purgeThrottles({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeBatch(db.sql, new Date(clock.now().getTime() - FORGOTTEN_AFTER_MS), BATCH)
}
