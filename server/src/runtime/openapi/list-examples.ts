import {
  APP,
  BUSINESS,
  CHARGE,
  DEVICE,
  HOOK,
  INVOICE,
  MADE,
  PERIOD,
  PLAN,
  REFUND,
  STORE,
  SUBSCRIPTION,
  times,
} from './examples.ts'

const names = { appName: 'Loyalty', businessName: 'Corner Shop', merchantType: 'MERCHANT' }
const of = { appId: APP, businessId: BUSINESS, subscriptionId: SUBSCRIPTION, ...names }

const subscription = {
  ...{ ...of, planId: PLAN, planName: 'Loyalty Pro', bundleId: SUBSCRIPTION, phase: 'FULL', status: 'ACTIVE' },
  ...{ paymentStatus: 'CURRENT', startAt: MADE, ...times, nextChargeAt: PERIOD.periodEnd },
  ...{ currentPeriodStart: PERIOD.periodStart, currentPeriodEnd: PERIOD.periodEnd, currency: 'USD', amount: 500 },
}
const invoice = {
  ...{ invoiceId: INVOICE, number: '2026-000001', ...of, planId: PLAN, status: 'PAID', currency: 'USD' },
  ...{ amount: 500, amountPaid: 500, amountRefunded: 0, amountChargedBack: 0, ...PERIOD, createdAt: MADE },
}
const ofInvoice = { invoiceId: INVOICE, invoiceNumber: '2026-000001', ...of, currency: 'USD', amount: 500 }
const charge = { chargeId: CHARGE, ...ofInvoice, status: 'SUCCEEDED', startedAt: MADE, settledAt: MADE }
const DISPUTE = '019a3c7e-5c00-7000-8000-000000000018'
const dispute = { disputeId: DISPUTE, ...ofInvoice, status: 'LOST', ...times }
const terminal = {
  ...{ deviceId: DEVICE, businessId: BUSINESS, businessName: 'Corner Shop', merchantType: 'MERCHANT', storeId: STORE },
  ...{
    storeName: 'Main Street',
    name: 'Till 1',
    serialNumber: 'P400-0001',
    status: 'ACTIVE',
    lastSeenAt: MADE,
    ...times,
  },
}

const hour = {
  ...{ hour: '2026-01-15T09:00:00Z', acknowledged: 120, failed: [{ outcome: '500', attempts: 2 }] },
  ...{ p50Ms: 38, p95Ms: 140 },
}

const figure = (count: number, amount: number) => ({ count, amount })
const revenueDay = {
  ...{ day: '2026-01-15', mrr: 1500, subscribers: 3, new: figure(1, 500), expansion: figure(0, 0) },
  ...{ contraction: figure(0, 0), churn: figure(-1, -500), trialsStarted: 2, trialsConverted: 1, trialsEnded: 1 },
  ...{ pastDue: figure(1, 500), recovered: figure(0, 0), lost: figure(0, 0), collected: figure(2, 1000) },
  ...{ refunded: figure(0, 0), chargedBack: figure(0, 0) },
}

const apiRequest = {
  ...{ at: MADE, requestId: '4bf92f35', method: 'GET', route: '/apps/:appId/subscriptions' },
  ...{ status: 200, durationMs: 4 },
}

const LATER = '2026-01-15T09:31:00Z'
const chargeFields = { invoiceId: INVOICE, businessId: BUSINESS, amount: 500, currency: 'USD' }
const pollFields = { businessName: 'Corner Café', startedAt: MADE, pollCount: 1, nextPollAt: LATER }
const unsettledCharge = {
  ...{ chargeId: CHARGE, subscriptionId: SUBSCRIPTION, status: 'UNKNOWN', gateway: 'stripe' },
  ...{ ...chargeFields, ...pollFields },
}

/** Lists over all apps and merchants. */
export const LIST_EXAMPLES = {
  NamedSubscription: subscription,
  SubscriptionList: { subscriptions: [subscription], links: [] },
  ListedInvoice: invoice,
  InvoiceList: { invoices: [invoice], links: [] },
  ListedCharge: charge,
  ChargeList: { charges: [charge], links: [] },
  Dispute: { disputeId: DISPUTE, amount: 500, status: 'LOST', ...times },
  AnsweredDispute: {
    ...{ disputeId: DISPUTE, businessId: BUSINESS, status: 'OPEN', evidenceDueAt: PERIOD.periodEnd },
    ...{ evidence: { productDescription: 'A loyalty app for tills, used since March' }, evidenceSentAt: MADE },
  },
  ListedDispute: dispute,
  DisputeList: { disputes: [dispute], links: [] },
  ApiRequest: apiRequest,
  ApiRequestList: { requests: [apiRequest], links: [] },
  CountryRevenue: {
    ...{ from: '2026-01', to: '2026-03', merchantType: 'MERCHANT' },
    list: [{ currency: 'EUR', country: 'DE', mrr: 1500, subscribers: 3, collected: 4500, returned: 500 }],
  },
  DailyRevenue: {
    ...{ from: '2026-01-15', to: '2026-01-15', merchantType: 'MERCHANT' },
    list: [{ currency: 'USD', opening: { mrr: 1500, subscribers: 3 }, days: [revenueDay] }],
  },
  EventStreamMessage: {
    ...{ id: `${HOOK}.812.4`, event: 'stream', data: `{"streamId":"${HOOK}","missed":false}`, retry: 1_000 },
  },
  HookHours: { hookId: HOOK, hours: [hour] },
  Terminal: terminal,
  TerminalList: { terminals: [terminal], links: [] },
  UnsettledCharge: unsettledCharge,
  UnsettledCharges: { list: [unsettledCharge] },
  UnsettledRefunds: {
    list: [{ refundId: REFUND, reason: 'Bought by mistake', origin: 'REQUESTED', ...chargeFields, ...pollFields }],
  },
  QuarantinedList: {
    list: [{ kind: 'charge', rowId: CHARGE, failures: 1, lastError: 'The row is malformed.', retryAt: LATER }],
  },
}
