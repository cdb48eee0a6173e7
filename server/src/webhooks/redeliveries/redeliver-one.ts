import { ORDER_EVENT_TYPES } from '../../core/event.ts'
import type { Principal } from '../../core/principal.ts'
import type { Rejection } from '../../core/rejection.ts'
import { isApprovedNow } from '../../merchants/approvals/store.ts'
import type { Ports } from '../../ports.ts'
import { queueReplay } from '../deliveries/store.ts'
import { findHook } from '../hooks/store.ts'
import { findHistory, type HistoryEntry } from '../notifications/history-store.ts'
import { deliveryNotFound, type HistoryOf, scopeOf } from '../notifications/scope.ts'
import { approvalRevoked, hookInactive, testSentOnce } from './redelivery.ts'

/**
 * Replays one notification: the same bytes and id. A delivery that waits for a retry becomes due now; a delivery that waits for its first
 * attempt is unchanged. Rejects: DELIVERY_NOT_FOUND, also for another tenant's; HOOK_INACTIVE; TEST_SENT_ONCE; APPROVAL_REVOKED. Source:
 * decisions 7.
 */
export async function redeliverOne(
  { db, clock, dispatch }: Pick<Ports, 'db' | 'clock' | 'dispatch'>,
  { of, principal, notificationId }: { of: HistoryOf; principal: Principal; notificationId: string },
): Promise<HistoryEntry | Rejection> {
  const now = clock.now()
  const scope = scopeOf(of, principal, now)
  return db.transaction(async ({ sql, afterCommit }) => {
    const entry = await findHistory(sql, notificationId, scope)
    if (entry === null) return deliveryNotFound()
    const hook = await findHook(sql, entry.hookId, {})
    if (!hook?.active) return hookInactive()
    const { eventType, businessId } = JSON.parse(entry.body)
    if (entry.isTest) return testSentOnce()
    // Includes deliveries that are still queued and would be ended later.
    const isOfOrder = ORDER_EVENT_TYPES.includes(eventType)
    if (isOfOrder && !(await isApprovedNow(sql, businessId, hook.appId))) return approvalRevoked()
    await queueReplay(sql, [notificationId], now)
    const again = await findHistory(sql, notificationId, scope)
    if (again === null) return deliveryNotFound()
    afterCommit(() => dispatch?.changed([entry.hookId]))
    return again
  })
}
