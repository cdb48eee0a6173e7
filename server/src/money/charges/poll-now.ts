import type { Ports } from '../../ports.ts'
import { makeDue } from './store.ts'

/**
 * Makes the next poll of a charge without an outcome due now; a background job polls within a second. A charge that is due or claimed stays
 * as it is, so a repeated call changes nothing.
 */
export async function pollNow({ db, clock }: Pick<Ports, 'db' | 'clock'>, chargeId: string): Promise<void> {
  await db.transaction(({ sql }) => makeDue(sql, { chargeId, now: clock.now() }))
}
