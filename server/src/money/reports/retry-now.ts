import { POLL_LEASE_MS } from '../../core/charge.ts'
import type { Ports } from '../../ports.ts'
import { retryDelivery } from '../../webhooks/deliveries/store.ts'
import { retryRedelivery } from '../../webhooks/redeliveries/store.ts'
import { makeDue } from '../charges/store.ts'
import { makeRefundDue } from '../refunds/store.ts'
import { retrySubscription } from '../subscriptions/store.ts'
import type { Quarantined } from './unsettled.ts'

/**
 * Makes the next attempt for a quarantined row, or the next poll of a charge or refund without an outcome, due now; a background job makes
 * the attempt within seconds. A row that is due or claimed stays as it is, so a repeated call changes nothing.
 */
export async function retryNow(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { kind, rowId }: Pick<Quarantined, 'kind' | 'rowId'>,
): Promise<void> {
  await db.transaction(async ({ sql }) => {
    const now = clock.now()
    switch (kind) {
      case 'subscription':
        return await retrySubscription(sql, { subscriptionId: rowId, now })
      case 'charge':
        return await makeDue(sql, { chargeId: rowId, now })
      case 'refund':
        return await makeRefundDue(sql, { refundId: rowId, now, leasedUntil: new Date(now.getTime() + POLL_LEASE_MS) })
      case 'delivery':
        return await retryDelivery(sql, { notificationId: rowId, now })
      case 'redelivery':
        return await retryRedelivery(sql, { redeliveryId: rowId, now })
    }
  })
}
