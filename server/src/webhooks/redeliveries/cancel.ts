import type { Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { type Redelivery, redeliveryNotFound } from './redelivery.ts'
import { cancelRunning, type RedeliveryBounds } from './store.ts'

/** A job queues nothing more; what it has queued is still sent. One that has ended stays as it is. Refuses: REDELIVERY_NOT_FOUND. */
export async function cancelRedelivery(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  redeliveryId: string,
  of: RedeliveryBounds,
): Promise<Redelivery | Rejection> {
  const now = clock.now()
  const job = await db.transaction(({ sql }) => cancelRunning(sql, redeliveryId, { of, now }))
  return job ?? redeliveryNotFound()
}
