import { setTimeout as byTimer } from 'node:timers/promises'
import { assert } from '../../core/assert.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { Ports } from '../../ports.ts'
import { findLatestCharge } from '../charges/store.ts'
import { findSubscription } from '../subscriptions/store.ts'

/** A subscription, and where the payer confirms its first payment. */
export type Started = Subscription & { readonly actionUrl?: string }

/** Real time, 5 s in all (decisions 5: "The call waits up to 5 s"). Short at first: most banks answer within a second. */
const PAUSES_MS = [25, 25, 50, 50, 100, 100, 150, ...Array.from({ length: 18 }, () => 250)]

/**
 * Waits up to 5 s for the first payment of a subscription. Returns the ACTIVE subscription, rejects a decline with
 * PAYMENT_DECLINED, and returns a PENDING subscription whose payment is still open. A payment that waits for the payer
 * is returned at once. Source: decisions 5, "The first payment decides".
 */
export async function awaitFirstPayment(
  { db: { sql }, sleep = byTimer }: Pick<Ports, 'db' | 'sleep'>,
  subscriptionId: string,
): Promise<Started | Rejection> {
  for (let n = 0; ; n++) {
    const subscription = await findSubscription(sql, subscriptionId)
    assert(subscription, 'a subscription is never deleted')
    if (subscription.status === 'ACTIVE') return subscription
    const charge = await findLatestCharge(sql, subscriptionId)
    if (subscription.status === 'ENDED') {
      return charge?.status.startsWith('DECLINED') ? paymentDeclined(charge.reason) : subscription
    }
    if (charge?.status === 'ACTION_REQUIRED') {
      return { ...subscription, ...(charge.actionUrl === undefined ? {} : { actionUrl: charge.actionUrl }) }
    }
    const pauseMs = PAUSES_MS[n]
    if (pauseMs === undefined) return subscription
    await sleep(pauseMs)
  }
}

function paymentDeclined(reason = 'declined'): Rejection {
  return reject(
    'PAYMENT_DECLINED',
    `The first payment was declined: ${reason}. The subscription did not start. Subscribe again with another payment method and a new request id.`,
  )
}
