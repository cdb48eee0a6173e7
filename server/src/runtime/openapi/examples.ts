import { hash } from 'node:crypto'
import { AppUrn, DECLARED, DeviceUrn, Timestamp, Uuid } from '../../platform/http/wire.ts'

/** The keywords of JSON Schema that an example depends on. */
export interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly [DECLARED]?: Shape
}

/** Where a value stands: the name of its property, and the named schema around it, with the properties between them. */
interface Place {
  readonly property: string
  readonly within: string
}

/**
 * A value that fits the schema: its required properties, and the optional ones in SPECIFIC. A property has the same value in all schemas, so
 * all examples name the same app, business and plan. A test validates each example against its schema.
 */
export function exampleOf(shape: Shape, nameOf: (shape: Shape) => string | undefined): unknown {
  return sample(shape, { property: '', within: '' })

  function sample(of: Shape, place: Place): unknown {
    const { [DECLARED]: declared, anyOf: [first] = [], items, properties } = of
    const within = nameOf(of) ?? place.within
    if (first !== undefined) return sample(first, { ...place, within })
    if (items !== undefined) return [sample(items, place)]
    if (properties === undefined) return leaf(declared ?? of, place.property)
    const { required = [] } = of
    const specific = SPECIFIC[within] ?? {}
    const shown = Object.entries(properties).filter(([name]) => required.includes(name) || name in specific)
    return Object.fromEntries(
      shown.map(([property, one]) => {
        const inner = { property, within: `${within}.${property}` }
        return [property, property in specific ? specific[property] : sample(one, inner)]
      }),
    )
  }
}

function leaf({ type, const: constant, enum: values, pattern, format }: Shape, property: string): unknown {
  if (constant !== undefined) return constant
  if (pattern === ID) return idOf(property)
  if (pattern === APP_URN) return APP
  if (pattern === DEVICE_URN) return DEVICE
  const usual = USUAL[property]
  if (pattern === TIMESTAMP || format === 'date-time') return usual ?? MADE
  if (values !== undefined) return values.includes(usual) ? usual : values[0]
  if (type === 'boolean') return false
  if (type === 'object') return {}
  if (typeof usual === (type === 'string' ? 'string' : 'number')) return usual
  // `refreshToken` → the-refresh-token
  return type === 'string' ? `the-${property.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}` : 1
}

const [ID, APP_URN, DEVICE_URN, TIMESTAMP] = [Uuid, AppUrn, DeviceUrn, Timestamp].map(({ pattern }: Shape) => pattern)

/** An id depends on its property alone. */
const idOf = (property: string) => `019a3c7e-5c00-7000-8000-${hash('sha256', property).slice(0, 12)}`
const APP = `urn:aid:${idOf('appId')}`
const DEVICE = `urn:tid:${idOf('deviceId')}`
const MADE = '2026-01-15T09:30:00Z'
const PERIOD_END = '2026-02-15T09:30:00Z'

/** The value of a property in all schemas. Enumerations not named here have their first value, other numbers are 1. */
const USUAL: Readonly<Record<string, string | number>> = {
  accent: '#17604a',
  accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.e30.c2ln',
  activationCode: '7K2M-0Q4Z-9XHT-3B6C',
  activationExpiresAt: '2026-01-15T09:45:00Z',
  address: '198.51.100.7',
  agent: 'Mozilla/5.0',
  alg: 'RS256',
  amount: 500,
  amountChargedBack: 0,
  amountPaid: 500,
  amountRefunded: 0,
  amountReversed: 0,
  answer: '',
  appName: 'Loyalty',
  assertion: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
  behavior: 'EXCLUSIVE',
  businessName: 'Corner Shop',
  callbackUrls: 'https://apps.example/callback',
  charged: 1_500,
  chargedBack: 0,
  charges: 3,
  closing: 2_400,
  country: 'US',
  credit: 0,
  creditApplied: 0,
  creditBalance: 0,
  credited: 0,
  currency: 'USD',
  currentPeriodEnd: PERIOD_END,
  day: '2026-01-15',
  deliveryUrl: 'https://hooks.example.com/tillhook',
  description: 'Loyalty Pro',
  developerName: 'Example Apps',
  discrepancies: 0,
  displayName: 'Main Street',
  doingBusinessAs: 'Corner Shop',
  durationMs: 41,
  e: 'AQAB',
  email: 'ann@corner.example',
  emailAddress: 'owner@corner.example',
  event: 'stream',
  eventType: 'APPLICATION_SUBSCRIPTION_START',
  expiresAt: '2026-01-15T21:30:00Z',
  expiresIn: 86_400,
  failed: 0,
  from: '2026-01-15',
  gracePeriodDays: 7,
  href: `https://api.example.com/apps?limit=10&after=${idOf('appId')}`,
  httpStatus: 200,
  interval: 'MONTH',
  invoiceNumber: '2026-000001',
  jws: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmVk',
  kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  kty: 'RSA',
  label: 'Test card ok',
  lastError: 'The row is malformed.',
  legalName: 'Corner Shop Inc.',
  merchantType: 'MERCHANT',
  method: 'GET',
  month: '2026-01',
  mrr: 1_500,
  name: 'Ann Baker',
  net: 800,
  newPassword: 'another horse, another battery',
  nextChargeAt: PERIOD_END,
  number: '2026-000001',
  onboardingUrl: 'https://connect.stripe.com/setup/e/acct_1/x',
  opening: 1_600,
  operation: 'apps.manage',
  otpauthUri: 'otpauth://totp/Tillhook:ann%40corner.example?issuer=Tillhook&secret=JBSWY3DPEHPK3PXP',
  owed: 800,
  packageName: 'com.example.loyalty',
  passcode: '246810',
  password: 'correct horse battery',
  path: '/apps/:appId/plans/:planId/retire',
  percent: 40,
  periodEnd: PERIOD_END,
  permissions: 'com.service.store.BILLING',
  permissionsToApprove: 'com.service.store.BILLING',
  phase: 'FULL',
  planName: 'Loyalty Pro',
  principal: 'operator:key',
  principalKind: 'operator',
  publicKey: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
  qrCode: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
  rate: '19',
  reason: 'Bought by mistake',
  recoveryCodesLeft: 10,
  reference: 'SEPA 2026-02-01',
  refunded: 500,
  rel: 'next',
  requestId: '019a3c7e-5c00-7000-8000-0000000000f0',
  role: 'MANAGER',
  route: '/apps/:appId/subscriptions',
  rule: 'The periods of a term follow each other without gap or overlap.',
  secret: 'mQ2vR8kX0bT5nY7cW1dF3gH6jK9lP4sZ2xV8aE0uI5o',
  serialNumber: 'P400-0001',
  sha256: '0'.repeat(64),
  share: 200,
  signerSha256: '0'.repeat(64),
  source: 'OWN',
  start: 0,
  status: 'ACTIVE',
  storeName: 'Main Street',
  subscribers: 3,
  text: 'Why does the app need the camera?',
  timezone: 'America/New_York',
  to: '2026-01-15',
  totp: '123456',
  trialPeriodDays: 0,
  use: 'sig',
  userId: 'kim',
  validFrom: '2026-01-01',
  value: 500,
  version: '1.0',
}

const BUSINESS = idOf('businessId')
const NONE = { count: 0, amount: 0 }
const OUTAGE = {
  outageFrom: '2026-02-01T09:00:00Z',
  outageUntil: '2026-02-03T09:00:00Z',
  goesOnAt: '2026-02-03T13:00:00Z',
}
const HOOK = {
  id: idOf('hookId'),
  eventTypes: ['APPLICATION_SUBSCRIPTION_START', 'APPLICATION_SUBSCRIPTION_END'],
  active: true,
}
const DELIVERY = {
  ...{
    id: idOf('notificationId'),
    resource: '/apps/subscriptions',
    resourceId: idOf('subscriptionId'),
    merchantType: 'MERCHANT',
  },
}
const IMAGE = {
  url: `https://api.example.com/icons/${'0'.repeat(64)}`,
  contentType: 'image/png',
  sha256: '0'.repeat(64),
}
const PLAN_ROW = { plan_id: idOf('planId'), name: 'Loyalty Pro', status: 'ACTIVE' }

/** The values of one schema that differ from the usual ones, and its optional properties to show. */
const SPECIFIC: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Acceptance: { name: 'Ann Baker' },
  Account: { hasSecondFactor: true },
  AccountChange: { name: 'Ann Baker' },
  ActivatedDevice: { name: 'Till 1' },
  AdjustmentRequest: { amount: 350, reason: 'Gateway fees of January' },
  AnsweredDispute: {
    evidenceDueAt: PERIOD_END,
    evidence: { productDescription: 'A loyalty app for tills' },
    evidenceSentAt: MADE,
  },
  ApiRequest: { durationMs: 4, status: 200 },
  App: { name: 'Loyalty' },
  AppAtTerminal: { name: 'Loyalty', icon: IMAGE },
  AppChanges: { name: 'Loyalty and more' },
  AppEnding: { refundUnused: true },
  AppEndingRequest: { refundUnused: true },
  'AppEnding.progress': { total: 250, ended: 100, refunds: 80 },
  AppKeyRequest: { publicKey: USUAL.publicKey },
  AppRequest: { name: 'Loyalty' },
  Approval: { rights: ['READ', 'SUBSCRIBE'] },
  ApprovalRequest: { rights: ['READ', 'SUBSCRIBE'] },
  'AuditList.entries': {
    entryId: 7,
    kind: 'PLAN',
    resourceId: idOf('planId'),
    method: 'POST',
    before: PLAN_ROW,
    after: { ...PLAN_ROW, status: 'INACTIVE' },
  },
  Brand: { name: 'Example Terminals', accent: '#17604a', supportUrl: 'mailto:help@terminals.example' },
  BrandRequest: { name: 'Example Terminals', accent: '#17604a', mailName: 'Example Terminals Billing' },
  Business: { id: BUSINESS },
  BusinessChanges: { doingBusinessAs: 'The Corner Shop' },
  BusinessRequest: { doingBusinessAs: 'Corner Shop', timezone: 'America/New_York' },
  BusinessSummary: { id: BUSINESS },
  BusinessUser: { name: 'Kim Baker', role: 'CLERK' },
  BusinessUserChanges: { role: 'MANAGER' },
  BusinessUserRequest: { name: 'Kim Baker', role: 'CLERK' },
  CatchUp: { ...OUTAGE, state: 'SPREAD', decidedAt: '2026-02-03T10:00:00Z', spreadDays: 7 },
  CatchUpDecision: { decision: 'SPREAD', spreadDays: 7 },
  CatchUpReport: { catchUp: { ...OUTAGE, state: 'WAITING' } },
  'CatchUpReport.dryRun': { day: '2026-02-02T00:00:00Z', charges: 120, amount: 60_000 },
  ChangedHook: { ...HOOK, redeliveryId: idOf('redeliveryId') },
  'Checks.checks': { violations: [] },
  Confirmation: { totp: '123456' },
  CountryRevenue: { from: '2026-01', to: '2026-03' },
  'CountryRevenue.list': { country: 'DE', currency: 'EUR', collected: 4_500 },
  CurrentSession: { isCurrent: true },
  'DailyRevenue.list.days': {
    ...{ expansion: NONE, contraction: NONE, churn: { count: -1, amount: -500 }, recovered: NONE, lost: NONE },
    ...{ collected: { count: 2, amount: 1_000 }, refunded: NONE, chargedBack: NONE, trialsStarted: 2 },
  },
  Delivery: { ...DELIVERY, status: 'DELIVERED' },
  'Delivery.attempts': { httpStatus: 200, answer: '' },
  DeliverySummary: { ...DELIVERY, attempt: 0, nextAttemptAt: MADE },
  Device: { name: 'Till 1', status: 'NEW' },
  DeviceLogin: {
    ...{ userCode: 'BCDF-GHJK', expiresIn: 900, interval: 5, verificationUri: 'https://api.example.com/device' },
    verificationUriComplete: 'https://api.example.com/device?code=BCDF-GHJK',
  },
  DeviceRequest: { name: 'Till 1' },
  DisputeRequest: { status: 'LOST' },
  Dispute: { status: 'LOST' },
  EventStreamMessage: {
    ...{ id: `${idOf('hookId')}.812.4`, data: `{"streamId":"${idOf('hookId')}","missed":false}`, retry: 1_000 },
  },
  EvidenceRequest: {
    productDescription: 'A loyalty app for tills',
    customerCommunication: 'They asked for help on 3 May.',
  },
  GatewayEventReceipt: { received: true },
  Health: {
    waiting: {
      ...{ deliveriesDue: 0, oldestDeliverySeconds: 0, chargesUnsettled: 1, chargesUnknown: 0 },
      ...{ refundsUnsettled: 0, subscriptionsDue: 0, quarantined: 0 },
    },
  },
  Hook: HOOK,
  HookChanges: { active: true, resendMissed: true },
  'HookHours.hours': { hour: '2026-01-15T09:00:00Z', acknowledged: 120, p50Ms: 38, p95Ms: 140 },
  'HookHours.hours.failed': { outcome: '500', attempts: 2 },
  HookRequest: { eventTypes: HOOK.eventTypes, secret: 'a long random text' },
  HookTestRequest: { eventType: 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL' },
  HookTestResult: { acknowledged: true, httpStatus: 200 },
  InstalledApp: { permissionsToApprove: [] },
  Invitation: { businessId: BUSINESS },
  InvitationRequest: { businessId: BUSINESS },
  Invoice: { status: 'PAID', refunds: [] },
  InvoiceTax: { name: 'VAT', net: 500, tax: 95, gross: 595 },
  InvoiceLine: { description: 'Loyalty Pro' },
  ListedCharge: { status: 'SUCCEEDED', settledAt: MADE },
  ListedDispute: { status: 'LOST' },
  ListedInvoice: { status: 'PAID' },
  Membership: { businessId: BUSINESS, workspaceName: 'Corner Shop' },
  Notification: DELIVERY,
  NamedSubscription: { nextChargeAt: PERIOD_END },
  OpenedSession: { token: 'ses_the-token-of-the-session', isCurrent: true },
  OperatorTaxRateRequest: { name: 'Sales tax', rate: '6', byAddress: true },
  Order: { amount: 1_250, currency: 'USD', reference: 'Table 7' },
  OrderChanges: { status: 'COMPLETED' },
  'OrderEvents.events': { id: 'pos-4711', eventType: 'ORDER_COMPLETED', amount: 1_250, currency: 'USD' },
  'OrderEventResults.results': { id: 'pos-4711', orderId: idOf('orderId'), status: 200 },
  OrderRequest: { storeId: idOf('storeId'), deviceId: DEVICE, amount: 1_250, currency: 'USD', reference: 'Table 7' },
  Organization: { name: 'Example Apps', email: 'dev@apps.example' },
  OrganizationBooking: { kind: 'PAYOUT', amount: 80_000, currency: 'EUR', owed: 20_000, reference: 'SEPA 2026-02-01' },
  'OrganizationBookingList.list': { kind: 'PAYOUT', amount: 80_000, currency: 'EUR' },
  OrganizationChanges: { email: 'billing@apps.example' },
  OrganizationRequest: { name: 'Example Apps', email: 'dev@apps.example' },
  PaymentMethod: { default: true },
  PaymentMethodRequest: { token: 'tok_ok' },
  PaymentMethodSetup: { gateway: 'stripe', publishableKey: 'pk_test_3' },
  PaymentMethodSetupRequest: { gateway: 'stripe' },
  PayoutAccount: { status: 'READY', accountId: 'acct_1' },
  PayoutRequest: { amount: 80_000 },
  PayoutTransfer: { amount: 80_000, status: 'SUCCEEDED', providerTransferId: 'tr_1' },
  Plan: { name: 'Loyalty Pro', description: 'Points, tiers and birthday rewards', cancelPolicy: 'BILLING' },
  PlanChangePreview: { amount: 500, creditGranted: 250 },
  Purchase: { url: `https://api.example.com/purchases/${idOf('purchaseId')}?key=the-secret-of-the-screen` },
  PurchaseRequest: { planId: idOf('planId') },
  'QuarantinedList.list': { kind: 'charge' },
  Reconciliations: { discrepancies: [] },
  'Reconciliations.owedRefunds': { failure: 'The account is closed.' },
  'Reconciliations.reconciliations': { fromAt: '2026-01-14T09:30:00Z', finishedAt: MADE, compared: 120 },
  Redelivery: { status: 'ERRORED', endAt: '2026-01-15T10:30:00Z' },
  'Redelivery.progress': { queued: 1_500, skipped: 0 },
  RedeliveryRequest: { since: MADE, status: 'ERRORED' },
  Refund: { reason: 'Bought by mistake' },
  RefundRequest: { amount: 500, reason: 'Bought by mistake' },
  Rejection: { reason: 'The description does not say what the plan holds.' },
  Release: { status: 'APPROVED' },
  'ReleaseRequest.plans': { name: 'Loyalty Pro', interval: 'MONTH' },
  'Revenue.list.churn': { before: 2, rate: 5_000, beforeAmount: 1_000, churnedAmount: 500, amountRate: 5_000 },
  'Revenue.list.recovery': { open: 0, rate: 10_000, pastDueAmount: 500, recoveredAmount: 500 },
  'Revenue.list.trials': { ended: 4, rate: 2_500 },
  Revocation: { token: 'the-refresh-token' },
  RotatedSecret: { ...HOOK, secret: 'whsec_dGlsbGhvb2stcXVpY2tzdGFydA==' },
  SecondFactor: { secret: 'JBSWY3DPEHPK3PXP' },
  Seller: { legalName: 'Example Apps LLC', taxId: '12-3456789' },
  SellerRequest: {
    legalName: 'Example Apps LLC',
    address: { line1: '1 Pier Road', city: 'Portland', territory: 'OR', postalCode: '97201', countryCode: 'US' },
    taxId: '12-3456789',
  },
  Session: { isCurrent: true },
  Statement: { status: 'CLOSED' },
  'StatementList.list': { status: 'CLOSED' },
  'Store.devices': { name: 'Till 1' },
  Subscription: { nextChargeAt: PERIOD_END },
  SubscriptionChange: { planId: idOf('planId'), when: 'PERIOD_END' },
  TaxRate: { name: 'VAT', country: 'DE' },
  TaxRateRequest: { name: 'VAT' },
  TaxReport: { status: 'CLOSED' },
  'TaxReport.list': {
    name: 'VAT',
    country: 'DE',
    currency: 'EUR',
    net: 9_500,
    collected: 1_900,
    returned: 95,
    tax: 1_805,
  },
  Terminal: { name: 'Till 1', lastSeenAt: MADE },
  TestClock: { now: '2026-01-01T00:00:00Z', status: 'READY' },
  TestClockAdvance: { to: '2026-02-01T00:00:00Z' },
  TestClockRequest: { now: '2026-01-01T00:00:00Z' },
  TokenRequest: {
    grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
  },
  UnsettledCharge: { status: 'UNKNOWN', gateway: 'stripe', nextPollAt: '2026-01-15T09:31:00Z' },
  'UnsettledRefunds.list': { origin: 'REQUESTED' },
  'Upcoming.days': { day: '2026-02-15', charges: 1 },
  'Upcoming.list': { charges: 1, firstAt: PERIOD_END },
  UserChange: { status: 'DISABLED' },
  UserToken: { expiresIn: 3_600 },
}
