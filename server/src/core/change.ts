import { type CreditMovement, signed } from './credit.ts'
import { nextActionAt, nextDue } from './due.ts'
import type { BillingEventType } from './event.ts'
import type { Change, Subscription, SubscriptionState } from './subscription.ts'

/** The state as it is, as the start of a change. */
export function changeOf(state: SubscriptionState): Change {
  return { ...stateOf(state), issued: [], closed: [], charges: [], refunds: [], credits: [], events: [] }
}

/** Adds an event, numbered among the events of this subscription. */
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

/** Moves credit. The balance follows, where it is known. */
export function moveCredit(change: Change, ...movements: readonly CreditMovement[]): Change {
  const moved = { ...change, credits: [...change.credits, ...movements] }
  if (change.credit === undefined) return moved
  return { ...moved, credit: movements.reduce((credit, movement) => credit + signed(movement), change.credit) }
}

/** Sets the row's timer from the row itself. */
export function settleTimer(change: Change): Change {
  const { nextActionAt: _, ...subscription } = change.subscription
  const at = nextActionAt(subscription)
  return { ...change, subscription: at === undefined ? subscription : { ...subscription, nextActionAt: at } }
}

/** Its timer rang, and nothing is due: a period's end waits for the outcome of a charge, which will set the timer anew. */
export function rest({ subscription: { nextActionAt: _, ...subscription }, ...state }: SubscriptionState): Change {
  const at = nextDue(subscription)?.at
  return changeOf({ ...state, subscription: at === undefined ? subscription : { ...subscription, nextActionAt: at } })
}

/**
 * Two changes of one subscription, one after the other, as one: the later state, and everything that both made.
 * A charge that the first decided and the second ended is not made: no attempt starts after the end.
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

/** The state that a change leads to: what the next decision reads. */
export function stateAfter(change: Change): SubscriptionState {
  return stateOf(change)
}

function stateOf({ subscription, plan, pendingPlan, openInvoices, credit }: SubscriptionState): SubscriptionState {
  return {
    subscription,
    plan,
    ...(pendingPlan === undefined ? {} : { pendingPlan }),
    openInvoices,
    ...(credit === undefined ? {} : { credit }),
  }
}
