import type { Principal } from '../../core/principal.ts'
import type { NavLink } from './layout.ts'

/** The default page after sign-in; the workspace selects the final page. */
export const HOME = '/my'

export const ACCOUNT_PATH = '/account'
/** The people of the session's workspace. */
export const PEOPLE_PATH = '/people'

/** Webhooks and their deliveries. */
export const WEBHOOKS_PATH = '/webhooks'

/** A merchant's pages. */
export const MERCHANT_PATHS = {
  subscriptions: '/my/subscriptions',
  invoices: '/my/invoices',
  paymentMethods: '/my/payment-methods',
  apps: '/my/apps',
  business: '/my/business',
} as const

/** The operator's pages. */
export const OPERATOR_PATHS = {
  home: '/ops',
  reviews: '/ops/reviews',
  organizations: '/ops/organizations',
  apps: '/ops/apps',
  merchants: '/ops/merchants',
  money: '/ops/money',
  tax: '/ops/tax',
  audit: '/ops/audit',
  brand: '/ops/brand',
} as const

/** A developer's pages. */
export const DEVELOPER_PATHS = {
  home: '/dev',
  apps: '/dev/apps',
  subscriptions: '/dev/subscriptions',
  merchants: '/dev/merchants',
  invoices: '/dev/invoices',
  disputes: '/dev/disputes',
  revenue: '/dev/revenue',
  requests: '/dev/requests',
  statements: '/dev/statements',
  testMerchants: '/dev/test-merchants',
  events: '/dev/events',
  tax: '/dev/tax',
} as const

/** The home of a workspace. An operator without a verified second factor has only the account page. */
export function homeOf(principal: Principal): string {
  if (principal.kind === 'merchant') return MERCHANT_PATHS.subscriptions
  if (principal.kind === 'developer') return DEVELOPER_PATHS.home
  return principal.kind === 'operator' && principal.role !== 'MFA_REQUIRED' ? OPERATOR_PATHS.home : ACCOUNT_PATH
}

/** The navigation, identical on all pages. */
export function navigationOf(principal: Principal, current: string): readonly NavLink[] {
  return pagesOf(principal).map(link => ({ ...link, isCurrent: link.href === current }))
}

type Entry = Omit<NavLink, 'isCurrent'>

/** One line per page, in the order of the sidebar. Neighbours with the same group share a heading. */
const OF_ALL: readonly Entry[] = [
  { group: 'Settings', href: PEOPLE_PATH, text: 'People' },
  { group: 'Settings', href: ACCOUNT_PATH, text: 'Account' },
]

const OF_OPERATOR: readonly Entry[] = [
  { href: OPERATOR_PATHS.home, text: 'Home' },
  { group: 'Catalog', href: OPERATOR_PATHS.reviews, text: 'Reviews' },
  { group: 'Catalog', href: OPERATOR_PATHS.organizations, text: 'Organizations' },
  { group: 'Catalog', href: OPERATOR_PATHS.apps, text: 'Apps' },
  { group: 'Customers', href: OPERATOR_PATHS.merchants, text: 'Merchants' },
  { group: 'Customers', href: OPERATOR_PATHS.money, text: 'Money' },
  { group: 'Customers', href: OPERATOR_PATHS.tax, text: 'Tax' },
  { group: 'Integration', href: WEBHOOKS_PATH, text: 'Webhooks' },
  { group: 'Integration', href: OPERATOR_PATHS.audit, text: 'Audit' },
  { group: 'System', href: OPERATOR_PATHS.brand, text: 'Brand' },
  ...OF_ALL,
]

const OF_DEVELOPER: readonly Entry[] = [
  { href: DEVELOPER_PATHS.home, text: 'Home' },
  { group: 'Sell', href: DEVELOPER_PATHS.apps, text: 'Apps' },
  { group: 'Sell', href: DEVELOPER_PATHS.revenue, text: 'Revenue' },
  { group: 'Sell', href: DEVELOPER_PATHS.subscriptions, text: 'Subscriptions' },
  { group: 'Sell', href: DEVELOPER_PATHS.merchants, text: 'Merchants' },
  { group: 'Sell', href: DEVELOPER_PATHS.invoices, text: 'Invoices' },
  { group: 'Sell', href: DEVELOPER_PATHS.disputes, text: 'Disputes' },
  { group: 'Sell', href: DEVELOPER_PATHS.statements, text: 'Statements' },
  { group: 'Sell', href: DEVELOPER_PATHS.tax, text: 'Tax' },
  { group: 'Build', href: WEBHOOKS_PATH, text: 'Webhooks' },
  { group: 'Build', href: DEVELOPER_PATHS.events, text: 'Live events' },
  { group: 'Build', href: DEVELOPER_PATHS.requests, text: 'API log' },
  { group: 'Build', href: DEVELOPER_PATHS.testMerchants, text: 'Test merchants' },
  ...OF_ALL,
]

const OF_MERCHANT: readonly Entry[] = [
  { href: MERCHANT_PATHS.subscriptions, text: 'Subscriptions' },
  { group: 'Billing', href: MERCHANT_PATHS.invoices, text: 'Invoices' },
  { group: 'Billing', href: MERCHANT_PATHS.paymentMethods, text: 'Payment methods' },
  { group: 'Business', href: MERCHANT_PATHS.apps, text: 'Apps' },
  { group: 'Business', href: MERCHANT_PATHS.business, text: 'Company' },
  ...OF_ALL,
]

function pagesOf(principal: Principal): readonly Entry[] {
  // An operator without a verified second factor has only the account page.
  if (principal.kind === 'operator') return principal.role === 'MFA_REQUIRED' ? [] : OF_OPERATOR
  return principal.kind === 'merchant' ? OF_MERCHANT : OF_DEVELOPER
}
