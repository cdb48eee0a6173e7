import { type CreditMovement, signed } from './credit.ts'
import { nextActionAt, nextDue } from './due.ts'
import type { BillingEventType } from './event.ts'
import type { Change, Subscription, SubscriptionState } from './subscription.ts'

/** Begins a change that changes nothing yet. */
export function changeOf(state: SubscriptionState): Change {
  return { ...stateOf(state), issued: [], closed: [], charges: [], refunds: [], credits: [], events: [] }
}

/** Adds an event with the next number of this subscription. */
export function emit(change: Change, eventType: BillingEventType, occurredAt: Date, invoiceId?: string): Change {
  const { subscription } = change
  const resourceSeq = subscription.resourceSeq + 1
  const { appId, businessId, merchantType, subscriptionId: resourceId } = subscription
  const event = { eventType, appId, businessId, resourceId, resourceSeq, merchantType, occurredAt }
  return {
    ...change,
    subscription: { ...subscription, resourceSeq },
    events: [...change.events, invoiceId === undefined ? event : { ...event, invoiceId }],
  }
}

/** Adds credit movements, and updates the balance if it is known. */
export function moveCredit(change: Change, ...movements: readonly CreditMovement[]): Change {
  const moved = { ...change, credits: [...change.credits, ...movements] }
  if (change.credit === undefined) return moved
  return { ...moved, credit: movements.reduce((credit, movement) => credit + signed(movement), change.credit) }
}

/** Computes the timer from the row. */
export function settleTimer(change: Change): Change {
  const { nextActionAt: _, ...subscription } = change.subscription
  const at = nextActionAt(subscription)
  return { ...change, subscription: at === undefined ? subscription : { ...subscription, nextActionAt: at } }
}

/** Removes the timer of a renewal that waits for an open charge. The outcome sets the timer again. */
export function rest({ subscription: { nextActionAt: _, ...subscription }, ...state }: SubscriptionState): Change {
  const at = nextDue(subscription)?.at
  return changeOf({ ...state, subscription: at === undefined ? subscription : { ...subscription, nextActionAt: at } })
}

/**
 * Combines two changes of one subscription. A charge of the first is dropped if the second ends the subscription: no
 * attempt starts after the end.
 */
export function followedBy(first: Change, second: Change): Change {
  const ended = second.subscription.status === 'ENDED'
  return {
    ...stateOf(second),
    subscription: ended ? withoutCharge(second.subscription, first.charges) : second.subscription,
    issued: [...first.issued, ...second.issued],
    closed: [...first.closed, ...second.closed],
    charges: ended ? second.charges : [...first.charges, ...second.charges],
    refunds: [...first.refunds, ...second.refunds],
    credits: [...first.credits, ...second.credits],
    events: [...first.events, ...second.events],
  }
}

function withoutCharge(subscription: Subscription, charges: Change['charges']): Subscription {
  const { awaitedChargeId, ...rest } = subscription
  return charges.some(({ chargeId }) => chargeId === awaitedChargeId) ? rest : subscription
}

/** The state after a change, for the next decision. */
export function stateAfter(change: Change): SubscriptionState {
  return stateOf(change)
}

function stateOf({ subscription, plan, pendingPlan, openInvoices, credit, tax }: SubscriptionState): SubscriptionState {
  return {
    subscription,
    plan,
    ...(pendingPlan === undefined ? {} : { pendingPlan }),
    openInvoices,
    ...(credit === undefined ? {} : { credit }),
    ...(tax === undefined ? {} : { tax }),
  }
}
