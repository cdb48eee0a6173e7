import type { Ports } from '../../ports.ts'
import { deleteDeviceLogins } from './store.ts'

const BATCH = 1_000

/** Deletes one batch of expired logins and returns its size. */
export function purgeDeviceLogins({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return deleteDeviceLogins(db.sql, clock.now(), BATCH)
}
