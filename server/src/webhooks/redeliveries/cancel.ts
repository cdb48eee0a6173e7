import type { Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { type Redelivery, redeliveryNotFound } from './redelivery.ts'
import { cancelRunning, findRedelivery, type RedeliveryBounds } from './store.ts'

/** Stops a job from queuing more; queued deliveries are still sent. An ended job is unchanged. Rejects: REDELIVERY_NOT_FOUND. */
export async function cancelRedelivery(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  redeliveryId: string,
  of: RedeliveryBounds,
): Promise<Redelivery | Rejection> {
  return db.transaction(async ({ sql }) => {
    await cancelRunning(sql, redeliveryId, of, clock.now())
    return (await findRedelivery(sql, redeliveryId, of)) ?? redeliveryNotFound()
  })
}
