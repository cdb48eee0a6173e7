import type { Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { type Redelivery, redeliveryNotFound } from './redelivery.ts'
import { cancelRunning, type RedeliveryBounds } from './store.ts'

/** Stops a job from queuing more; queued deliveries are still sent. An ended job is unchanged. Rejects: REDELIVERY_NOT_FOUND. */
export async function cancelRedelivery(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  redeliveryId: string,
  of: RedeliveryBounds,
): Promise<Redelivery | Rejection> {
  const now = clock.now()
  const job = await db.transaction(({ sql }) => cancelRunning(sql, redeliveryId, { of, now }))
  return job ?? redeliveryNotFound()
}
