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
  audit: '/ops/audit',
} as const

/** A developer's pages. */
export const DEVELOPER_PATHS = { home: '/dev', apps: '/dev/apps', testMerchants: '/dev/test-merchants' } as const

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

const OF_ALL = [
  { href: PEOPLE_PATH, text: 'People' },
  { href: ACCOUNT_PATH, text: 'Account' },
] as const

const OF_OPERATOR = [
  { href: OPERATOR_PATHS.home, text: 'Home' },
  { href: OPERATOR_PATHS.reviews, text: 'Reviews' },
  { href: OPERATOR_PATHS.organizations, text: 'Organizations' },
  { href: OPERATOR_PATHS.apps, text: 'Apps' },
  { href: OPERATOR_PATHS.merchants, text: 'Merchants' },
  { href: OPERATOR_PATHS.money, text: 'Money' },
  { href: OPERATOR_PATHS.audit, text: 'Audit' },
  { href: WEBHOOKS_PATH, text: 'Webhooks' },
] as const

function pagesOf(principal: Principal): readonly Omit<NavLink, 'isCurrent'>[] {
  // An operator without a verified second factor has only the account page.
  if (principal.kind === 'operator' && principal.role === 'MFA_REQUIRED') return []
  if (principal.kind === 'operator') return [...OF_OPERATOR, ...OF_ALL]
  if (principal.kind !== 'merchant') {
    return [
      { href: DEVELOPER_PATHS.home, text: 'Home' },
      { href: DEVELOPER_PATHS.apps, text: 'Apps' },
      { href: WEBHOOKS_PATH, text: 'Webhooks' },
      { href: DEVELOPER_PATHS.testMerchants, text: 'Test merchants' },
      ...OF_ALL,
    ]
  }
  return [
    { href: MERCHANT_PATHS.subscriptions, text: 'Subscriptions' },
    { href: MERCHANT_PATHS.invoices, text: 'Invoices' },
    { href: MERCHANT_PATHS.paymentMethods, text: 'Payment methods' },
    { href: MERCHANT_PATHS.apps, text: 'Apps' },
    { href: MERCHANT_PATHS.business, text: 'Company' },
    ...OF_ALL,
  ]
}
