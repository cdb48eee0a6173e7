import type { Principal } from '../../core/principal.ts'
import type { NavLink } from './layout.ts'
import { english, sayText } from './say.ts'
import { surroundings } from './surroundings.ts'

/** The default page after sign-in; the workspace selects the final page. */
export const HOME = '/my'

export const ACCOUNT_PATH = '/account'
/** The people of the session's workspace. */
export const PEOPLE_PATH = '/people'

/** Ends "See as". */
export const STOP_VIEWING_PATH = '/stop-viewing'

export const WEBHOOKS_PATH = '/webhooks'

export const MERCHANT_PATHS = {
  subscriptions: '/my/subscriptions',
  invoices: '/my/invoices',
  paymentMethods: '/my/payment-methods',
  apps: '/my/apps',
  terminals: '/my/terminals',
  staff: '/my/staff',
  business: '/my/business',
} as const

export const OPERATOR_PATHS = {
  home: '/ops',
  reviews: '/ops/reviews',
  organizations: '/ops/organizations',
  apps: '/ops/apps',
  merchants: '/ops/merchants',
  subscriptions: '/ops/subscriptions',
  invoices: '/ops/invoices',
  terminals: '/ops/terminals',
  money: '/ops/money',
  tax: '/ops/tax',
  reports: '/ops/reports',
  endpoints: '/ops/endpoints',
  audit: '/ops/audit',
  brand: '/ops/brand',
  system: '/ops/system',
} as const

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
  organization: '/dev/organization',
} as const

/** The home of a workspace. An operator without a verified second factor has only the account page. */
export function homeOf(principal: Principal): string {
  if (principal.kind === 'merchant') return MERCHANT_PATHS.subscriptions
  if (principal.kind === 'developer') return DEVELOPER_PATHS.home
  return principal.kind === 'operator' && principal.role !== 'MFA_REQUIRED' ? OPERATOR_PATHS.home : ACCOUNT_PATH
}

/** The navigation, identical on all pages. */
export function navigationOf(principal: Principal, current: string): readonly NavLink[] {
  return pagesOf(principal)
    .filter(isOpen)
    .map(({ text, group, ...link }) => ({
      ...link,
      text: sayText(text),
      ...(group === undefined ? {} : { group: sayText(group) }),
      isCurrent: link.href === current,
    }))
}

/** An operator who sees a workspace as its viewer has no account there. */
function isOpen({ href }: Entry): boolean {
  return href !== ACCOUNT_PATH || surroundings().viewing === undefined
}

type Entry = Omit<NavLink, 'isCurrent'>

/** One line per page, in the order of the sidebar. Neighbours with the same group share a heading. */
const OF_ALL: readonly Entry[] = [
  { group: english('Settings'), href: PEOPLE_PATH, text: english('People') },
  { group: english('Settings'), href: ACCOUNT_PATH, text: english('Account') },
]

const OF_OPERATOR: readonly Entry[] = [
  { href: OPERATOR_PATHS.home, text: english('Home') },
  { group: english('Catalog'), href: OPERATOR_PATHS.reviews, text: english('Reviews') },
  { group: english('Catalog'), href: OPERATOR_PATHS.organizations, text: english('Organizations') },
  { group: english('Catalog'), href: OPERATOR_PATHS.apps, text: english('Apps') },
  { group: english('Customers'), href: OPERATOR_PATHS.merchants, text: english('Merchants') },
  { group: english('Customers'), href: OPERATOR_PATHS.subscriptions, text: english('Subscriptions') },
  { group: english('Customers'), href: OPERATOR_PATHS.invoices, text: english('Invoices') },
  { group: english('Customers'), href: OPERATOR_PATHS.terminals, text: english('Terminals') },
  { group: english('Customers'), href: OPERATOR_PATHS.money, text: english('Money') },
  { group: english('Customers'), href: OPERATOR_PATHS.tax, text: english('Tax') },
  { group: english('Customers'), href: OPERATOR_PATHS.reports, text: english('Reports') },
  { group: english('Integration'), href: WEBHOOKS_PATH, text: english('Webhooks') },
  { group: english('Integration'), href: OPERATOR_PATHS.endpoints, text: english('Failing endpoints') },
  { group: english('Integration'), href: OPERATOR_PATHS.audit, text: english('Audit') },
  { group: english('System'), href: OPERATOR_PATHS.system, text: english('System') },
  { group: english('System'), href: OPERATOR_PATHS.brand, text: english('Brand') },
  ...OF_ALL,
]

const OF_DEVELOPER: readonly Entry[] = [
  { href: DEVELOPER_PATHS.home, text: english('Home') },
  { group: english('Sell'), href: DEVELOPER_PATHS.apps, text: english('Apps') },
  { group: english('Sell'), href: DEVELOPER_PATHS.revenue, text: english('Revenue') },
  { group: english('Sell'), href: DEVELOPER_PATHS.subscriptions, text: english('Subscriptions') },
  { group: english('Sell'), href: DEVELOPER_PATHS.merchants, text: english('Merchants') },
  { group: english('Sell'), href: DEVELOPER_PATHS.invoices, text: english('Invoices') },
  { group: english('Sell'), href: DEVELOPER_PATHS.disputes, text: english('Disputes') },
  { group: english('Sell'), href: DEVELOPER_PATHS.statements, text: english('Statements') },
  { group: english('Sell'), href: DEVELOPER_PATHS.tax, text: english('Tax') },
  { group: english('Build'), href: WEBHOOKS_PATH, text: english('Webhooks') },
  { group: english('Build'), href: DEVELOPER_PATHS.events, text: english('Live events') },
  { group: english('Build'), href: DEVELOPER_PATHS.requests, text: english('API log') },
  { group: english('Build'), href: DEVELOPER_PATHS.testMerchants, text: english('Test merchants') },
  { group: english('Settings'), href: DEVELOPER_PATHS.organization, text: english('Organization') },
  ...OF_ALL,
]

const OF_MERCHANT: readonly Entry[] = [
  { href: MERCHANT_PATHS.subscriptions, text: english('Subscriptions') },
  { group: english('Billing'), href: MERCHANT_PATHS.invoices, text: english('Invoices') },
  { group: english('Billing'), href: MERCHANT_PATHS.paymentMethods, text: english('Payment methods') },
  { group: english('Business'), href: MERCHANT_PATHS.apps, text: english('Apps') },
  { group: english('Business'), href: MERCHANT_PATHS.terminals, text: english('Terminals') },
  { group: english('Business'), href: MERCHANT_PATHS.staff, text: english('Staff') },
  { group: english('Business'), href: MERCHANT_PATHS.business, text: english('Company') },
  ...OF_ALL,
]

function pagesOf(principal: Principal): readonly Entry[] {
  // An operator without a verified second factor has only the account page.
  if (principal.kind === 'operator') return principal.role === 'MFA_REQUIRED' ? [] : OF_OPERATOR
  return principal.kind === 'merchant' ? OF_MERCHANT : OF_DEVELOPER
}
