import { BOOKING_EXAMPLES } from './booking-examples.ts'
import {
  APP,
  BUSINESS,
  BUSINESS_USER,
  business,
  DEVICE,
  device,
  HOOK,
  INVITATION,
  INVOICE,
  MADE,
  MEMBERSHIP,
  NOTIFICATION,
  notification,
  ORDER,
  ORGANIZATION,
  PAYMENT_METHOD,
  PERIOD,
  PLAN,
  PURCHASE,
  plan,
  REDELIVERY,
  REFUND,
  RELEASE,
  SESSION,
  STORE,
  SUBSCRIPTION,
  TEST_CLOCK,
  times,
  USER,
} from './examples.ts'
import { LIST_EXAMPLES } from './list-examples.ts'
import { LOGIN_EXAMPLES } from './login-examples.ts'

const sums = {
  currency: 'USD',
  charges: 3,
  charged: 1500,
  refunds: 1,
  refunded: 500,
  chargedBack: 0,
  share: 200,
  credited: 0,
}
const month = { ...sums, opening: 1600, net: 800, closing: 2400 }
const refund = { refundId: REFUND, amount: 500, reason: 'Bought by mistake', status: 'PENDING', createdAt: MADE }

const organization = { organizationId: ORGANIZATION, name: 'Example Apps', email: 'dev@apps.example', ...times }
const businessSummary = {
  ...{ businessId: BUSINESS, id: BUSINESS, ...business, type: 'MERCHANT', status: 'ACTIVE' },
  ...times,
}
const release = { releaseId: RELEASE, appId: APP, version: '1.0', createdAt: MADE }
const kid = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const app = {
  ...{ appId: APP, organizationId: ORGANIZATION, name: 'Loyalty', packageName: 'com.example.loyalty' },
  ...{ callbackUrls: [], status: 'ACTIVE', keys: [{ kid, createdAt: MADE }], ...times },
}

const THING_EXAMPLES = {
  Tokens: {
    accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.e30.c2ln',
    refreshToken: 'the-refresh-token',
    expiresIn: 86_400,
    scope: 'ALL',
    tokenType: 'BEARER',
  },
  Plan: plan,
  Subscription: {
    subscriptionId: SUBSCRIPTION,
    appId: APP,
    businessId: BUSINESS,
    planId: PLAN,
    bundleId: PURCHASE,
    phase: 'FULL',
    status: 'ACTIVE',
    startAt: '2026-01-15T00:00:00Z',
    ...times,
    currentPeriodStart: PERIOD.periodStart,
    currentPeriodEnd: PERIOD.periodEnd,
    nextChargeAt: PERIOD.periodEnd,
    paymentStatus: 'CURRENT',
  },
  PlanChangePreview: {
    effectiveAt: PERIOD.periodStart,
    currency: 'USD',
    amount: 750,
    lines: [
      { kind: 'PLAN', description: 'Loyalty Max', amount: 1_000, ...PERIOD },
      { kind: 'CREDIT', description: 'Credit', amount: -250, ...PERIOD },
    ],
    creditGranted: 250,
    creditBalance: 0,
  },
  Invoice: {
    invoiceId: INVOICE,
    number: '2026-000001',
    businessId: BUSINESS,
    appId: APP,
    subscriptionId: SUBSCRIPTION,
    planId: PLAN,
    status: 'PAID',
    currency: 'USD',
    country: 'US',
    amount: 500,
    creditApplied: 0,
    amountPaid: 500,
    amountRefunded: 0,
    lines: [{ kind: 'PLAN', description: 'Loyalty Pro', amount: 500, ...PERIOD }],
    attempts: [{ at: MADE, outcome: 'SUCCEEDED' }],
    refunds: [],
    ...PERIOD,
    ...times,
  },
  Refund: refund,
  Hook: {
    id: HOOK,
    applicationId: APP,
    deliveryUrl: 'https://hooks.example.com/tillhook',
    secret: '********',
    eventTypes: ['APPLICATION_SUBSCRIPTION_START', 'APPLICATION_SUBSCRIPTION_END'],
    active: true,
    ...times,
  },
  HookTestResult: {
    deliveryId: NOTIFICATION,
    acknowledged: true,
    at: MADE,
    durationMs: 41,
    httpStatus: 200,
    answer: '',
  },
  Redelivery: {
    redeliveryId: REDELIVERY,
    applicationId: APP,
    status: 'ERRORED',
    startAt: MADE,
    endAt: '2026-01-15T10:30:00Z',
    state: 'RUNNING',
    progress: { percent: 40, queued: 1_500, skipped: 0 },
    ...times,
  },
  DeliverySummary: {
    ...notification,
    status: 'SCHEDULED',
    attempt: 0,
    deliveryUrl: 'https://hooks.example.com/tillhook',
    nextAttemptAt: MADE,
  },
  Delivery: {
    ...notification,
    status: 'DELIVERED',
    attempt: 1,
    deliveryUrl: 'https://hooks.example.com/tillhook',
    attempts: [{ at: MADE, durationMs: 41, httpStatus: 200, answer: '' }],
  },
  Business: { ...businessSummary, stores: [] },
  BusinessSummary: businessSummary,
  BusinessList: { businesses: [businessSummary], links: [] },
  Store: { storeId: STORE, displayName: 'Main Street', status: 'ACTIVE', devices: [], ...times, businessId: BUSINESS },
  Device: {
    deviceId: DEVICE,
    ...device,
    status: 'NEW',
    ...times,
    businessId: BUSINESS,
    storeId: STORE,
    activationCode: 'the-activation-code',
    activationExpiresAt: '2026-01-15T09:45:00Z',
  },
  Approval: { appId: APP, businessId: BUSINESS, rights: ['READ', 'SUBSCRIBE'], approvedAt: MADE },
  PaymentMethod: {
    paymentMethodId: PAYMENT_METHOD,
    businessId: BUSINESS,
    gateway: 'sandbox',
    label: 'Test card ok',
    default: true,
    createdAt: MADE,
  },
  PaymentMethodSetup: { gateway: 'stripe', clientSecret: 'seti_1_secret_2', publishableKey: 'pk_test_3' },
  OrderEventResults: { succeeded: 1, failed: 0, results: [{ id: 'pos-4711', orderId: ORDER, status: 200 }] },
  Order: {
    orderId: ORDER,
    businessId: BUSINESS,
    storeId: STORE,
    deviceId: DEVICE,
    status: 'OPENED',
    amount: 1250,
    currency: 'USD',
    reference: 'Table 7',
    ...times,
  },
  App: app,
  AppList: { apps: [app], links: [] },
  Release: { ...release, status: 'APPROVED', plans: [plan], messages: [] },
  ReleaseList: { releases: [{ ...release, status: 'SUBMITTED' }], links: [] },
  OrganizationBalance: { organizationId: ORGANIZATION, balances: [{ ...sums, owed: 800 }], testBalances: [] },
  ...BOOKING_EXAMPLES,
  ...LIST_EXAMPLES,
  ...LOGIN_EXAMPLES,
  OperatorBalance: { balances: [{ ...sums, owed: 800 }], testBalances: [] },
  StatementList: { list: [{ month: '2026-01', status: 'CLOSED', ...month }] },
  Statement: {
    organizationId: ORGANIZATION,
    month: '2026-01',
    status: 'CLOSED',
    list: [
      {
        ...month,
        lines: [{ appId: APP, appName: 'Loyalty', planId: PLAN, planName: 'Loyalty Pro', ...sums, net: 800 }],
      },
    ],
  },
  Upcoming: {
    days: [{ day: '2026-02-15', currency: 'USD', charges: 1, amount: 500 }],
    list: [
      {
        ...{ subscriptionId: SUBSCRIPTION, appId: APP, businessId: BUSINESS, planId: PLAN },
        ...{ currency: 'USD', charges: 1, amount: 500, firstAt: PERIOD.periodEnd },
      },
    ],
    count: 1,
  },
  Revenue: {
    month: '2026-01',
    list: [
      {
        currency: 'USD',
        mrr: { amount: 500, subscriptions: 1 },
        trials: { ended: 4, converted: 1, rate: 2500 },
        churn: { before: 2, churned: 1, rate: 5000, beforeAmount: 1000, churnedAmount: 500, amountRate: 5000 },
        recovery: { pastDue: 1, recovered: 1, open: 0, rate: 10_000, pastDueAmount: 500, recoveredAmount: 500 },
      },
    ],
  },
  Organization: organization,
  OrganizationList: { organizations: [organization], links: [] },
  TestClock: {
    ...{ testClockId: TEST_CLOCK, businessId: BUSINESS, now: '2026-01-01T00:00:00Z', status: 'READY' },
    ...times,
  },
}

const ann = { userId: USER, name: 'Ann Baker', email: 'ann@corner.example' }
const workspace = { kind: 'MERCHANT', businessId: BUSINESS }
const membership = { membershipId: MEMBERSHIP, ...workspace, workspaceName: 'Corner Shop', role: 'MANAGER' }
const person = { membershipId: MEMBERSHIP, ...ann, status: 'ACTIVE', role: 'MANAGER', createdAt: MADE }
const invitation = {
  ...{ invitationId: INVITATION, ...workspace, email: ann.email, role: 'MANAGER', status: 'PENDING' },
  ...{ createdAt: MADE, expiresAt: '2026-01-22T09:30:00Z' },
}
const session = {
  ...{ sessionId: SESSION, isCurrent: true, membership, isMfaVerified: false },
  ...{ address: '198.51.100.7', agent: 'Mozilla/5.0' },
  ...{ createdAt: MADE, usedAt: MADE, expiresAt: '2026-01-15T21:30:00Z' },
}
const current = { ...session, user: ann, memberships: [membership] }
const kim = {
  ...{ businessUserId: BUSINESS_USER, businessId: BUSINESS, userId: 'kim', name: 'Kim Baker' },
  ...{ role: 'CLERK', status: 'ACTIVE', ...times },
}

const PEOPLE_EXAMPLES = {
  User: { ...ann, status: 'ACTIVE', ...times },
  Membership: membership,
  Person: person,
  People: { list: [person] },
  Invitation: invitation,
  InvitationList: { list: [invitation] },
  Session: session,
  SessionList: { list: [session] },
  CurrentSession: current,
  OpenedSession: { token: 'ses_the-token-of-the-session', ...current },
  Account: { ...ann, hasSecondFactor: true, recoveryCodesLeft: 10 },
  SecondFactor: {
    secret: 'JBSWY3DPEHPK3PXP',
    otpauthUri: 'otpauth://totp/Tillhook:ann%40corner.example?issuer=Tillhook&secret=JBSWY3DPEHPK3PXP',
    qrCode: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
  },
  RecoveryCodes: { recoveryCodes: ['the-first-code', 'the-second-code'] },
  BusinessUser: kim,
  BusinessUserList: pageOf(kim),
  ActivatedDevice: {
    ...{ deviceId: DEVICE, businessId: BUSINESS, storeId: STORE, name: 'Till 1' },
    kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  },
  ActivationCode: {
    deviceId: DEVICE,
    activationCode: '7K2M-0Q4Z-9XHT-3B6C',
    activationExpiresAt: '2026-01-15T09:45:00Z',
  },
  TerminalSession: { sessionToken: 'tus_the-token-of-the-session', user: kim, expiresAt: '2026-01-15T09:45:00Z' },
  UserToken: {
    ...{ accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.e30.c2ln', expiresIn: 3_600 },
    ...{ scope: 'ALL', tokenType: 'BEARER' },
  },
}

const KEY = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const LATER = '2026-01-15T09:31:00Z'
const chargeFields = { invoiceId: INVOICE, businessId: BUSINESS, amount: 500, currency: 'USD' }
const planRow = { plan_id: PLAN, name: 'Loyalty Pro', status: 'ACTIVE' }

const OPERATOR_EXAMPLES = {
  KeySet: { keys: [{ kty: 'RSA', n: 'the-modulus', e: 'AQAB', kid: KEY, use: 'sig', alg: 'RS256' }] },
  SigningKey: { kid: KEY },
  AppKey: { kid: KEY, createdAt: MADE },
  Brand: { name: 'Example Terminals', accent: '#17604a', supportUrl: 'mailto:help@terminals.example' },
  Seller: { legalName: 'Example Apps LLC', taxId: '12-3456789', organizationId: ORGANIZATION, createdAt: MADE },
  AuditList: {
    entries: [
      {
        ...{ entryId: 7, at: MADE, principal: 'operator:key', principalKind: 'operator', operation: 'apps.manage' },
        ...{ method: 'POST', path: '/apps/:appId/plans/:planId/retire' },
        requestId: '019a3c7e-5c00-7000-8000-0000000000f0',
        ...{ kind: 'PLAN', resourceId: PLAN, before: planRow, after: { ...planRow, status: 'INACTIVE' } },
      },
    ],
    links: [],
  },
  Reconciliations: {
    reconciliations: [
      {
        ...{ gateway: 'sandbox', fromAt: '2026-01-14T09:30:00Z', untilAt: MADE, finishedAt: LATER },
        ...{ compared: 120, repaired: 1, discrepancies: 0 },
      },
    ],
    discrepancies: [],
    owedRefunds: [{ refundId: REFUND, ...chargeFields, failure: 'The account is closed.', failedAt: MADE }],
  },
  Checks: {
    checkedAt: MADE,
    checks: [
      {
        ...{ check: 'periodsContiguous', rule: 'The periods of a term follow each other without gap or overlap.' },
        ...{ status: 'PASSED', violations: [] },
      },
    ],
  },
  Health: {
    ...{ status: 'ok', version: '0.1.0', database: 'up' },
    waiting: {
      ...{ deliveriesDue: 0, oldestDeliverySeconds: 0, chargesUnsettled: 1, chargesUnknown: 0 },
      ...{ refundsUnsettled: 0, subscriptionsDue: 0, quarantined: 0 },
    },
  },
  Readiness: { status: 'ready' },
  GatewayEventReceipt: { received: true },
}

const { Subscription, Invoice, Hook, DeliverySummary, Redelivery, Approval, PaymentMethod, TestClock } = THING_EXAMPLES
const { plans: _, messages: __, ...listedRelease } = THING_EXAMPLES.Release

/** Response bodies by schema name. A test validates each example against its schema. */
export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  ...THING_EXAMPLES,
  ...PEOPLE_EXAMPLES,
  ...OPERATOR_EXAMPLES,
  AppAtTerminal: {
    ...{ appId: APP, packageName: 'com.example.loyalty', name: 'Loyalty', developerName: 'Example Apps' },
    icon: { url: `https://api.example.com/icons/${'0'.repeat(64)}`, contentType: 'image/png', sha256: '0'.repeat(64) },
  },
  InstalledApp: {
    ...{ appId: APP, packageName: 'com.example.loyalty', version: '1.4', signerSha256: '0'.repeat(64) },
    ...{ permissions: ['com.service.store.BILLING'], permissionsToApprove: [], installedAt: MADE, updatedAt: MADE },
  },
  SignedSubscriptions: { jws: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmVk', expiresAt: '2026-01-18T10:00:00Z' },
  Purchase: {
    ...{ purchaseId: PURCHASE, appId: APP, businessId: BUSINESS, kind: 'SUBSCRIBE', planId: PLAN, status: 'OPEN' },
    url: `https://api.example.com/purchases/${PURCHASE}?key=the-secret-of-the-screen`,
    ...{ createdAt: MADE, expiresAt: '2026-01-15T10:00:00Z' },
  },
  SubscriptionOrPurchase: { ...Subscription, status: 'PENDING', actionUrl: 'https://bank.example.com/confirm' },
  ...{ PlanPage: pageOf(plan), SubscriptionPage: pageOf(Subscription) },
  ...{ InvoicePage: pageOf(Invoice), ReleasePage: pageOf(listedRelease), ApprovalList: pageOf(Approval) },
  PaymentMethodList: pageOf(PaymentMethod),
  TestClockList: { list: [TestClock] },
  RotatedSecret: { ...Hook, secret: 'whsec_dGlsbGhvb2stcXVpY2tzdGFydA==', previousSecretUntil: '2026-01-02T10:00:00Z' },
  ChangedHook: { ...Hook, redeliveryId: Redelivery.redeliveryId },
  ...{ HookList: { hooks: [Hook], links: [] }, DeliveryList: { deliveries: [DeliverySummary], links: [] } },
  RedeliveryList: { redeliveries: [Redelivery], links: [] },
}

function pageOf(item: object) {
  return { list: [item], start: 0, total: 1, count: 1 }
}
