/* All examples name the same app, business and plan. */

export const ORGANIZATION = '019a3c7e-5c00-7000-8000-000000000001'
export const APP = 'urn:aid:019a3c7e-5c00-7000-8000-000000000002'
export const PLAN = '019a3c7e-5c00-7000-8000-000000000003'
export const BUSINESS = '019a3c7e-5c00-7000-8000-000000000004'
export const STORE = '019a3c7e-5c00-7000-8000-000000000005'
export const DEVICE = 'urn:tid:019a3c7e-5c00-7000-8000-000000000006'
export const SUBSCRIPTION = '019a3c7e-5c00-7000-8000-000000000007'
export const INVOICE = '019a3c7e-5c00-7000-8000-000000000008'
export const HOOK = '019a3c7e-5c00-7000-8000-000000000009'
export const ORDER = '019a3c7e-5c00-7000-8000-00000000000a'
export const PAYMENT_METHOD = '019a3c7e-5c00-7000-8000-00000000000b'
export const RELEASE = '019a3c7e-5c00-7000-8000-00000000000c'
export const NOTIFICATION = '019a3c7e-5c00-7000-8000-00000000000d'
export const TEST_CLOCK = '019a3c7e-5c00-7000-8000-00000000000e'
export const REDELIVERY = '019a3c7e-5c00-7000-8000-000000000011'
export const REFUND = '019a3c7e-5c00-7000-8000-00000000000f'

export const MEMBERSHIP = '019a3c7e-5c00-7000-8000-000000000012'

export const PURCHASE = '019a3c7e-5c00-7000-8000-000000000010'
export const INVITATION = '019a3c7e-5c00-7000-8000-000000000013'
export const USER = '019a3c7e-5c00-7000-8000-000000000014'
export const SESSION = '019a3c7e-5c00-7000-8000-000000000015'
export const BUSINESS_USER = '019a3c7e-5c00-7000-8000-000000000016'
export const CHARGE = '019a3c7e-5c00-7000-8000-000000000017'

export const MADE = '2026-01-15T09:30:00Z'
export const times = { createdAt: MADE, updatedAt: MADE }
export const PERIOD = { periodStart: '2026-01-15T09:30:00Z', periodEnd: '2026-02-15T09:30:00Z' }
const PUBLIC_KEY = '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n'

const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
export const plan = {
  planId: PLAN,
  appId: APP,
  name: 'Loyalty Pro',
  description: 'Points, tiers and birthday rewards',
  amounts,
  amount: 500,
  interval: 'MONTH',
  intervalCount: 1,
  trialPeriodDays: 0,
  trialEligibility: 'ALWAYS',
  startPolicy: 'IMMEDIATE',
  cancelPolicy: 'BILLING',
  gracePeriodDays: 7,
  scope: 'BUSINESS',
  status: 'ACTIVE',
  ...times,
}
export const notification = {
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
export const business = {
  legalName: 'Corner Shop Inc.',
  doingBusinessAs: 'Corner Shop',
  emailAddress: 'owner@corner.example',
  country: 'US',
  timezone: 'America/New_York',
}
export const device = { name: 'Till 1', serialNumber: 'P400-0001' }

const SECRET = 'mQ2vR8kX0bT5nY7cW1dF3gH6jK9lP4sZ2xV8aE0uI5o'

/** Request bodies by operation. A test validates each example against its schema. */
export const REQUEST_EXAMPLES: Readonly<Record<string, unknown>> = {
  reportInstalledApp: { version: '1.4', signerSha256: '0'.repeat(64), permissions: ['com.service.store.BILLING'] },
  approvePermissionsAtTerminal: { permissions: ['com.service.store.BILLING'] },
  invite: { kind: 'MERCHANT', businessId: BUSINESS, email: 'ann@corner.example', role: 'MANAGER' },
  acceptInvitation: { secret: SECRET, name: 'Ann Baker', password: 'correct horse battery' },
  changeRole: { role: 'VIEWER' },
  changeUser: { status: 'DISABLED' },
  signIn: { email: 'ann@corner.example', password: 'correct horse battery' },
  pollDeviceLogin: { deviceCode: SECRET },
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
  disputeInvoice: { status: 'LOST' },
  sendEvidence: {
    productDescription: 'A loyalty app for tills, used since March',
    customerCommunication: 'They asked for help on 3 May.',
  },
  payInvoice: {},
  bookPayout: { amount: 80_000, currency: 'EUR', reference: 'SEPA 2026-02-01' },
  orderTransfer: { month: '2026-01', currency: 'USD' },
  bookAdjustment: { kind: 'FEE', amount: 350, currency: 'EUR', reason: 'Gateway fees of January' },
  testHook: { eventType: 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL' },
  registerHook: {
    applicationId: APP,
    deliveryUrl: 'https://hooks.example.com/tillhook',
    secret: 'a long random text',
    eventTypes: ['APPLICATION_SUBSCRIPTION_START', 'APPLICATION_SUBSCRIPTION_END'],
  },
  rotateHookSecret: {},
  updateHook: { active: true, resendMissed: true },
  decideCatchUp: { decision: 'SPREAD', spreadDays: 7 },
  endAppSubscriptions: { refundUnused: true },
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
  reportOrderEvents: {
    events: [
      {
        id: 'pos-4711',
        eventType: 'ORDER_COMPLETED',
        orderId: ORDER,
        businessId: BUSINESS,
        amount: 1250,
        currency: 'USD',
      },
    ],
  },
  updateOrder: { status: 'COMPLETED' },
  createApp: { organizationId: ORGANIZATION, name: 'Loyalty', packageName: 'com.example.loyalty' },
  updateApp: { name: 'Loyalty and more' },
  addAppKey: { publicKey: PUBLIC_KEY },
  submitRelease: { version: '1.0', plans: [{ name: 'Loyalty Pro', amounts, interval: 'MONTH', scope: 'BUSINESS' }] },
  rejectRelease: { reason: 'The description does not say what the plan holds.' },
  writeReleaseMessage: { text: 'Why does the app need the camera?' },
  changeBrand: {
    ...{ name: 'Example Terminals', accent: '#17604a', supportUrl: 'mailto:help@terminals.example' },
    ...{ termsUrl: 'https://terminals.example/terms', mailName: 'Example Terminals Billing' },
  },
  nameSeller: {
    legalName: 'Example Apps LLC',
    address: { line1: '1 Pier Road', city: 'Portland', territory: 'OR', postalCode: '97201', countryCode: 'US' },
    taxId: '12-3456789',
  },
  chooseTaxSource: { source: 'OWN' },
  setTaxRate: { behavior: 'EXCLUSIVE', name: 'VAT', rate: '19' },
  setOperatorTaxRate: { behavior: 'EXCLUSIVE', name: 'Sales tax', rate: '6', byAddress: true },
  updateOrganization: { email: 'billing@apps.example' },
  createOrganization: { name: 'Example Apps', email: 'dev@apps.example' },
  createTestClock: { businessId: BUSINESS, now: '2026-01-01T00:00:00Z' },
  advanceTestClock: { to: '2026-02-01T00:00:00Z' },
}
