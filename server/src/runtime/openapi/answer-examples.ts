import { APP, BUSINESS, MADE, PLAN, PURCHASE } from './example-values.ts'
import { OPERATOR_EXAMPLES } from './operator-examples.ts'
import { PEOPLE_EXAMPLES } from './people-examples.ts'
import { THING_EXAMPLES } from './thing-examples.ts'

const { Subscription, Invoice, Hook, DeliverySummary, Redelivery, Approval, PaymentMethod, TestClock } = THING_EXAMPLES
const { plans: _, ...listedRelease } = THING_EXAMPLES.Release

/** One answer of each shape that an operation answers with, by the name of its schema. A test holds each against it. */
export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  ...THING_EXAMPLES,
  ...PEOPLE_EXAMPLES,
  ...OPERATOR_EXAMPLES,
  AppAtTerminal: {
    ...{ appId: APP, packageName: 'com.example.loyalty', name: 'Loyalty', developerName: 'Example Apps' },
    icon: { url: `https://api.example.com/icons/${'0'.repeat(64)}`, contentType: 'image/png', sha256: '0'.repeat(64) },
  },
  Purchase: {
    ...{ purchaseId: PURCHASE, appId: APP, businessId: BUSINESS, kind: 'SUBSCRIBE', planId: PLAN, status: 'OPEN' },
    url: `https://api.example.com/purchases/${PURCHASE}?key=the-secret-of-the-screen`,
    ...{ createdAt: MADE, expiresAt: '2026-01-15T10:00:00Z' },
  },
  SubscriptionPage: pageOf(Subscription),
  InvoicePage: pageOf(Invoice),
  ReleasePage: pageOf(listedRelease),
  ApprovalList: pageOf(Approval),
  PaymentMethodList: pageOf(PaymentMethod),
  TestClockList: { list: [TestClock] },
  ChangedHook: { ...Hook, redeliveryId: Redelivery.redeliveryId },
  HookList: { hooks: [Hook], links: [] },
  DeliveryList: { deliveries: [DeliverySummary], links: [] },
  RedeliveryList: { redeliveries: [Redelivery], links: [] },
}

/** Interface, Page envelope. */
function pageOf(item: object) {
  return { list: [item], start: 0, total: 1, count: 1 }
}
