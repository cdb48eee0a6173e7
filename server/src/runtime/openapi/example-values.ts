/** What examples have in common: the same app, business and plan wherever one is named. */

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
export const PUBLIC_KEY = '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n'

export const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
export const plan = {
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
