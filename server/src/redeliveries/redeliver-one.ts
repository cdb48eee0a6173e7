import type { DeliveryStatus } from '../core/delivery-status.ts'
import { TEST_EVENT_TYPE } from '../core/event.ts'
import type { Principal } from '../core/principal.ts'
import type { Refusal } from '../core/refusal.ts'
import { queueReplay } from '../deliveries/store.ts'
import { findActiveHooks } from '../hooks/store.ts'
import { findHistory, type HistoryEntry } from '../notifications/history-store.ts'
import { deliveryNotFound, type HistoryOf, scopeOf } from '../notifications/scope.ts'
import type { Ports } from '../ports.ts'
import { approvalRevoked, hookInactive, testSentOnce } from './redelivery.ts'

const OVER: ReadonlySet<DeliveryStatus> = new Set(['DELIVERED', 'ERRORED'])

/**
 * Sends one notification again, the same bytes and id. One that waits for a retry is due now instead; one that waits for its
 * first attempt stays as it is. Refuses: DELIVERY_NOT_FOUND, for another's as for none; HOOK_INACTIVE; TEST_SENT_ONCE;
 * APPROVAL_REVOKED. Source: decisions 7.
 */
export async function redeliverOne(
  { db, clock, wake }: Pick<Ports, 'db' | 'clock' | 'wake'>,
  { of, principal, notificationId }: { of: HistoryOf; principal: Principal; notificationId: string },
): Promise<HistoryEntry | Refusal> {
  const now = clock.now()
  const scope = scopeOf(of, principal, now)
  return db.transaction(async ({ sql, afterCommit }) => {
    const entry = await findHistory(sql, notificationId, scope)
    if (entry === null) return deliveryNotFound()
    if ((await findActiveHooks(sql, [entry.hookId])).size === 0) return hookInactive()
    if (JSON.parse(entry.body).eventType === TEST_EVENT_TYPE) return testSentOnce()
    const queued = await queueReplay(sql, [notificationId], now)
    const again = await findHistory(sql, notificationId, scope)
    if (again === null) return deliveryNotFound()
    // Only an approval that is missing leaves it out of the queue.
    if (queued.length === 0 && OVER.has(again.status)) return approvalRevoked()
    afterCommit(() => wake.deliveries([entry.hookId]))
    return again
  })
}
