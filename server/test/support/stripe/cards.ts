/** The behaviour of a Stripe test payment method. https://docs.stripe.com/testing */
export interface Card {
  /** Refused when it is attached to a customer: most cards that decline are. */
  readonly attachDeclines?: string
  readonly declines?: string
  /** The issuer's `code`, where it is not card_declined. */
  readonly code?: string
  /** Off session it is declined for want of an authentication; on session it asks for one. */
  readonly asks?: true
  readonly processes?: true
  /** How a refund goes: it succeeds and fails later, or is pending first. */
  readonly refund?: 'fails later' | 'pending'
}

export const CARDS: Readonly<Record<string, Card>> = {
  pm_card_visa: {},
  pm_card_chargeDeclined: { attachDeclines: 'generic_decline' },
  pm_card_chargeDeclinedInsufficientFunds: { attachDeclines: 'insufficient_funds' },
  pm_card_chargeDeclinedStolenCard: { attachDeclines: 'stolen_card' },
  pm_card_chargeCustomerFail: { declines: 'generic_decline' },
  pm_card_authenticationRequired: { asks: true },
  pm_card_refundFail: { refund: 'fails later' },
  pm_card_pendingRefund: { refund: 'pending' },
  // Not Stripe's: cards that went bad after they were saved, which its test mode has none of.
  pm_saved_insufficientFunds: { declines: 'insufficient_funds' },
  pm_saved_stolenCard: { declines: 'stolen_card' },
  pm_saved_expiredCard: { declines: 'expired_card', code: 'expired_card' },
  pm_saved_processing: { processes: true },
  pm_saved_processingThenRefundFails: { processes: true, refund: 'fails later' },
}
