import { addDays } from '../../core/calendar.ts'
import { PURCHASE_KEPT_DAYS } from '../../core/purchase.ts'
import type { Ports } from '../../ports.ts'
import { purgeNeverCompleted } from './store.ts'

const BATCH = 1_000

/** Deletes one batch of purchases that were never completed and ended long ago. Gives how many: less than a batch is all. */
export function purgePurchases({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeNeverCompleted(db.sql, addDays(clock.now(), -PURCHASE_KEPT_DAYS), BATCH)
}
