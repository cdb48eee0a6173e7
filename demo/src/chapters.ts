/** The chapters with their texts and their expected notifications, in order. */
export const CHAPTERS = {
  start: chapter('Tillhook starts, with a new PostgreSQL database in a temporary folder.'),
  developer: chapter('A developer joins: the organization Lakeside Apps, with one app, Table Planner.'),
  release: chapter('The developer uploads a release with two plans. The operator reviews and approves it.'),
  merchant: chapter('A test merchant, Corner Café, gets a store, a terminal and a test clock.'),
  token: chapter('The app signs in: it signs a JWT with its private key and gets an access token in return.'),
  hook: chapter('The app registers its listener, a separate process, for 10 event types.'),
  declined: chapter(
    '17 January: Corner Café subscribes to Basic, and the card is declined. Nothing starts, and nothing is owed.',
    ['APPLICATION_SUBSCRIPTION_PAYMENT_FAIL'],
  ),
  subscribe: chapter('Still 17 January: with another card Corner Café subscribes to Pro. The first 14 days are free.', [
    'APPLICATION_SUBSCRIPTION_START',
  ]),
  firstCharge: chapter('31 January: the trial is over. Tillhook charges $5.00.', [
    'APPLICATION_SUBSCRIPTION_PHASE_CHANGE',
    'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
  ]),
  february: chapter('28 February: the month has no 31st, so Tillhook charges on the last day. $5.00 again.', [
    'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
  ]),
  march: chapter('31 March: the billing day is the 31st again. $5.00 again.', [
    'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
  ]),
  declinedRenewal: chapter('30 April: the card is declined, and a grace period of 7 days begins.', [
    'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL',
  ]),
  declinedAgain: chapter('1 May: Tillhook retries the card, and the card is declined again.', [
    'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL',
  ]),
  recovered: chapter('Still 1 May: Corner Café saves a new card. Tillhook charges the new card at once.', [
    'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
  ]),
  refund: chapter('For the trouble, the developer refunds $2.00 of the $5.00, with a credit note.', [
    'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS',
  ]),
  order: chapter('A guest orders lunch at the terminal and pays. The app gets webhooks about the order, too.', [
    'ORDER_OPENED',
    'ORDER_COMPLETED',
  ]),
  receipt: chapter(
    'Today, in real time: Harbour Books, a live merchant, subscribes to Basic and gets a receipt by mail.',
    ['APPLICATION_SUBSCRIPTION_START', 'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS'],
  ),
  cancel: chapter('Corner Café wants to leave. The app renews its token and cancels the subscription.', [
    'APPLICATION_SUBSCRIPTION_END',
  ]),
  history: chapter("The app compares Tillhook's delivery history with the notifications that its listener received."),
} as const satisfies Record<string, Chapter>

export type ChapterName = keyof typeof CHAPTERS

interface Chapter {
  readonly title: string
  readonly eventTypes: readonly string[]
}

/** Every notification of the story, in order. */
export const EXPECTED_EVENTS: readonly string[] = Object.values(CHAPTERS).flatMap(({ eventTypes }) => eventTypes)

/** The number of a chapter, from 1. */
export function numberOf(name: ChapterName): { number: number; of: number } {
  const names = Object.keys(CHAPTERS)
  return { number: names.indexOf(name) + 1, of: names.length }
}

function chapter(title: string, eventTypes: readonly string[] = []): Chapter {
  return { title, eventTypes }
}
