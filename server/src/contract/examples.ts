const ORGANIZATION = '019a3c7e-5c00-7000-8000-000000000001'
const APP = 'urn:aid:019a3c7e-5c00-7000-8000-000000000002'
const PLAN = '019a3c7e-5c00-7000-8000-000000000003'
const BUSINESS = '019a3c7e-5c00-7000-8000-000000000004'
const STORE = '019a3c7e-5c00-7000-8000-000000000005'
const DEVICE = 'urn:tid:019a3c7e-5c00-7000-8000-000000000006'
const SUBSCRIPTION = '019a3c7e-5c00-7000-8000-000000000007'
const INVOICE = '019a3c7e-5c00-7000-8000-000000000008'
const HOOK = '019a3c7e-5c00-7000-8000-000000000009'
const ORDER = '019a3c7e-5c00-7000-8000-00000000000a'
const PAYMENT_METHOD = '019a3c7e-5c00-7000-8000-00000000000b'
const RELEASE = '019a3c7e-5c00-7000-8000-00000000000c'
const NOTIFICATION = '019a3c7e-5c00-7000-8000-00000000000d'
const TEST_CLOCK = '019a3c7e-5c00-7000-8000-00000000000e'
const REDELIVERY = '019a3c7e-5c00-7000-8000-000000000011'
const REFUND = '019a3c7e-5c00-7000-8000-00000000000f'

const MEMBERSHIP = '019a3c7e-5c00-7000-8000-000000000012'

const MADE = '2026-01-15T09:30:00Z'
const times = { createdAt: MADE, updatedAt: MADE }
const PERIOD = { periodStart: '2026-01-15T09:30:00Z', periodEnd: '2026-02-15T09:30:00Z' }
const PUBLIC_KEY = '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n'

const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
const plan = {
  planId: PLAN,
  appId: APP,
  name: 'Loyalty Pro',
  description: 'Points, tiers and birthday rewards',
  amounts,
  amount: 500,
  interval: 'MONTH',
  trialPeriodDays: 0,
  trialEligibility: 'ALWAYS',
  startPolicy: 'IMMEDIATE',
  cancelPolicy: 'BILLING',
  gracePeriodDays: 7,
  scope: 'BUSINESS',
  status: 'ACTIVE',
  ...times,
}
const notification = {
  ...times,
  links: [
    { href: `https://api.example.com/apps/${APP}/subscriptions/${SUBSCRIPTION}`, rel: 'resource', method: 'GET' },
  ],
  id: NOTIFICATION,
  hookId: HOOK,
  applicationId: APP,
  resource: '/apps/subscriptions',
  resourceId: SUBSCRIPTION,
  eventType: 'APPLICATION_SUBSCRIPTION_START',
  merchantType: 'MERCHANT',
  businessId: BUSINESS,
}
const SECRET = 'mQ2vR8kX0bT5nY7cW1dF3gH6jK9lP4sZ2xV8aE0uI5o'
const sums = { currency: 'USD', charges: 3, charged: 1500, refunds: 1, refunded: 500, share: 200, credited: 0 }
const month = { ...sums, opening: 1600, net: 800, closing: 2400 }
const refund = { refundId: REFUND, amount: 500, reason: 'Bought by mistake', status: 'PENDING', createdAt: MADE }
const business = {
  legalName: 'Corner Shop Inc.',
  doingBusinessAs: 'Corner Shop',
  emailAddress: 'owner@corner.example',
  country: 'US',
  timezone: 'America/New_York',
}
const device = { name: 'Till 1', serialNumber: 'P400-0001' }

/** A body for each operation that takes one, by its name. A test holds each against its schema. */
export const REQUEST_EXAMPLES: Readonly<Record<string, unknown>> = {
  invite: { kind: 'MERCHANT', businessId: BUSINESS, email: 'ann@corner.example', role: 'MANAGER' },
  acceptInvitation: { secret: SECRET, name: 'Ann Baker', password: 'correct horse battery' },
  changeRole: { role: 'VIEWER' },
  changeUser: { status: 'DISABLED' },
  signIn: { email: 'ann@corner.example', password: 'correct horse battery' },
  chooseMembership: { membershipId: MEMBERSHIP },
  changeAccount: { name: 'Ann Baker' },
  changePassword: { password: 'correct horse battery', newPassword: 'another horse, another battery' },
  setUpSecondFactor: { password: 'correct horse battery' },
  confirmSecondFactor: { totp: '123456' },
  renewRecoveryCodes: { password: 'correct horse battery', totp: '123456' },
  removeSecondFactor: { password: 'correct horse battery', totp: '123456' },
  requestPasswordReset: { email: 'ann@corner.example' },
  completePasswordReset: { secret: SECRET, newPassword: 'another horse, another battery' },
  issueToken: { grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln' },
  revokeToken: { token: 'the-refresh-token' },
  subscribe: { businessId: BUSINESS, planId: PLAN },
  changeSubscription: { planId: PLAN, when: 'PERIOD_END' },
  previewPlanChange: { planId: PLAN, when: 'NOW' },
  refundInvoice: { amount: 500, reason: 'Bought by mistake' },
  registerHook: {
    applicationId: APP,
    deliveryUrl: 'https://hooks.example.com/tillhook',
    secret: 'a long random text',
    eventTypes: ['APPLICATION_SUBSCRIPTION_START', 'APPLICATION_SUBSCRIPTION_END'],
  },
  updateHook: { active: true, resendMissed: true },
  startRedelivery: { since: MADE, status: 'ERRORED' },
  createBusiness: { ...business, type: 'MERCHANT' },
  updateBusiness: { doingBusinessAs: 'The Corner Shop' },
  addStore: { displayName: 'Main Street' },
  addDevice: device,
  activateDevice: { activationCode: '7K2M-0Q4Z-9XHT-3B6C', publicKey: PUBLIC_KEY },
  createBusinessUser: { userId: 'kim', passcode: '246810', name: 'Kim Baker', role: 'CLERK' },
  updateBusinessUser: { role: 'MANAGER' },
  signInAtTerminal: { userId: 'kim', passcode: '246810' },
  openPurchaseAtTerminal: { planId: PLAN },
  approveApp: { appId: APP, rights: ['READ', 'SUBSCRIBE'] },
  addPaymentMethod: { gateway: 'sandbox', token: 'tok_ok' },
  beginPaymentMethod: { gateway: 'stripe' },
  openOrder: { storeId: STORE, deviceId: DEVICE, amount: 1250, currency: 'USD', reference: 'Table 7' },
  updateOrder: { status: 'COMPLETED' },
  createApp: { organizationId: ORGANIZATION, name: 'Loyalty', packageName: 'com.example.loyalty' },
  updateApp: { name: 'Loyalty and more' },
  addAppKey: { publicKey: PUBLIC_KEY },
  submitRelease: { version: '1.0', plans: [{ name: 'Loyalty Pro', amounts, interval: 'MONTH', scope: 'BUSINESS' }] },
  rejectRelease: { reason: 'The description does not say what the plan holds.' },
  nameSeller: {
    legalName: 'Example Apps LLC',
    address: { line1: '1 Pier Road', city: 'Portland', territory: 'OR', postalCode: '97201', countryCode: 'US' },
    taxId: '12-3456789',
  },
  createOrganization: { name: 'Example Apps', email: 'dev@apps.example' },
  createTestClock: { businessId: BUSINESS, now: '2026-01-01T00:00:00Z' },
  advanceTestClock: { to: '2026-02-01T00:00:00Z' },
}

/** What answers look like, by the name of their schema. A test holds each against it. */
export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  Tokens: {
    accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.e30.c2ln',
    refreshToken: 'the-refresh-token',
    expiresIn: 86_400,
    scope: 'ALL',
    tokenType: 'BEARER',
  },
  Plan: plan,
  PlanPage: { list: [plan], start: 0, total: 1, count: 1 },
  Subscription: {
    subscriptionId: SUBSCRIPTION,
    appId: APP,
    businessId: BUSINESS,
    planId: PLAN,
    bundleId: '019a3c7e-5c00-7000-8000-000000000010',
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
  HookTest: { deliveryId: NOTIFICATION, acknowledged: true, at: MADE, durationMs: 41, httpStatus: 200, answer: '' },
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
  Business: {
    businessId: BUSINESS,
    id: BUSINESS,
    ...business,
    type: 'MERCHANT',
    status: 'ACTIVE',
    stores: [],
    ...times,
  },
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
  App: {
    appId: APP,
    organizationId: ORGANIZATION,
    name: 'Loyalty',
    packageName: 'com.example.loyalty',
    callbackUrls: [],
    status: 'ACTIVE',
    keys: [{ kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs', createdAt: MADE }],
    ...times,
  },
  Release: { releaseId: RELEASE, appId: APP, version: '1.0', status: 'APPROVED', createdAt: MADE, plans: [plan] },
  OrganizationBalance: {
    organizationId: ORGANIZATION,
    balances: [{ ...sums, owed: 800 }],
    testBalances: [],
  },
  BusinessBalance: {
    businessId: BUSINESS,
    balances: [{ organizationId: ORGANIZATION, currency: 'USD', charged: 1500, refunded: 500, credit: 0 }],
  },
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
  Organization: { organizationId: ORGANIZATION, name: 'Example Apps', email: 'dev@apps.example', ...times },
  TestClock: {
    testClockId: TEST_CLOCK,
    businessId: BUSINESS,
    now: '2026-01-01T00:00:00Z',
    status: 'READY',
    ...times,
  },
}
