import type { Ports } from '../../ports.ts'
import { expirePurchases } from './store.ts'

const BATCH = 500

/** Writes down what is over. Nothing waits for it: whoever reads an open purchase looks at the time. Gives how many. */
export function expireDue({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return expirePurchases(db.sql, { now: clock.now(), limit: BATCH })
}
