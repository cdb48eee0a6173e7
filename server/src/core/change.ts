import type { Change, Subscription, SubscriptionState } from './subscription.ts'

/**
 * Two changes of one subscription, one after the other, as one: the later state, and everything that both made.
 * A charge that the first decided and the second ended is not made: no attempt starts after the end.
 */
export function followedBy(first: Change, second: Change): Change {
  const ended = second.subscription.status === 'ENDED'
  return {
    subscription: ended ? withoutCharge(second.subscription, first.charges) : second.subscription,
    openInvoices: second.openInvoices,
    issued: [...first.issued, ...second.issued],
    closed: [...first.closed, ...second.closed],
    charges: ended ? second.charges : [...first.charges, ...second.charges],
    refunds: [...first.refunds, ...second.refunds],
    events: [...first.events, ...second.events],
  }
}

function withoutCharge(subscription: Subscription, charges: Change['charges']): Subscription {
  const { awaitedChargeId, ...rest } = subscription
  return charges.some(({ chargeId }) => chargeId === awaitedChargeId) ? rest : subscription
}

/** The state that a change leads to: what the next decision reads. */
export function stateAfter(state: SubscriptionState, change: Change): SubscriptionState {
  return { ...state, subscription: change.subscription, openInvoices: change.openInvoices }
}
