import type { BodyEventType } from './event.ts'

/** Each event type in a sentence, as the contract and the pages say it. */
export const EVENT_MEANINGS: Readonly<Record<BodyEventType, string>> = {
  APPLICATION_SUBSCRIPTION_START: 'A merchant subscribed, with or without a trial.',
  APPLICATION_SUBSCRIPTION_END: 'A subscription ended: cancelled, unpaid, disputed, or ended by the operator.',
  APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS: 'A charge succeeded. The second link leads to the invoice.',
  APPLICATION_SUBSCRIPTION_PAYMENT_FAIL: 'A charge was declined. The second link leads to the invoice.',
  APPLICATION_SUBSCRIPTION_PHASE_CHANGE: 'A trial ended and the paid phase began.',
  APPLICATION_SUBSCRIPTION_REFUND_SUCCESS: 'The gateway confirmed a refund. The second link leads to the invoice.',
  APPLICATION_SUBSCRIPTION_TRIAL_ENDING: 'A trial ends in 3 days.',
  APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED: 'A subscription will end when its paid period is over.',
  APPLICATION_SUBSCRIPTION_RESTORED: 'A scheduled cancellation was undone.',
  APPLICATION_SUBSCRIPTION_PLAN_CHANGE: 'A subscription moved to another plan.',
  APPLICATION_SUBSCRIPTION_TRANSFERRED: 'A subscription moved to another store or terminal.',
  APPLICATION_SUBSCRIPTION_DISPUTE_OPENED:
    'The bank of a payer reclaims a charge. The second link leads to the invoice.',
  APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED: 'The bank decided a dispute. The second link leads to the invoice.',
  ORDER_OPENED: 'An order was opened.',
  ORDER_COMPLETED: 'An order was completed.',
  ORDER_CANCELLED: 'An order was cancelled.',
  ORDER_UPDATED: 'An open order was edited.',
  TEST: 'Sent by POST /hooks/{hookId}/test, only to that hook.',
}
