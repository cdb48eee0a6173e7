import type { Principal } from '../../core/principal.ts'
import type { NavLink } from './layout.ts'

/** Where those go who signed in for nothing else: what is home is decided there, once it is known as what they go on. */
export const HOME = '/my'

export const ACCOUNT_PATH = '/account'
/** The people of the place that one is signed in to. */
export const PEOPLE_PATH = '/people'

/** Where apps are told what happens, and how that goes. */
export const WEBHOOKS_PATH = '/webhooks'

/** Where the pages of a merchant are. */
export const MERCHANT_PATHS = {
  subscriptions: '/my/subscriptions',
  invoices: '/my/invoices',
  paymentMethods: '/my/payment-methods',
  apps: '/my/apps',
} as const

/** The page on which somebody begins: of a business, what it pays for; all others have their account. */
export function homeOf({ kind }: Principal): string {
  return kind === 'merchant' ? MERCHANT_PATHS.subscriptions : ACCOUNT_PATH
}

/** The way to every page that somebody has, the same on each of them. */
export function navigationOf(principal: Principal, current: string): readonly NavLink[] {
  return pagesOf(principal).map(link => ({ ...link, isCurrent: link.href === current }))
}

const OF_ALL = [
  { href: PEOPLE_PATH, text: 'People' },
  { href: ACCOUNT_PATH, text: 'Account' },
] as const

function pagesOf(principal: Principal): readonly Omit<NavLink, 'isCurrent'>[] {
  // Of an operator who is unproven nothing is open but the account: one page needs no way to others.
  if (principal.kind === 'operator' && principal.role === 'UNPROVEN') return []
  if (principal.kind !== 'merchant') return [{ href: WEBHOOKS_PATH, text: 'Webhooks' }, ...OF_ALL]
  return [
    { href: MERCHANT_PATHS.subscriptions, text: 'Subscriptions' },
    { href: MERCHANT_PATHS.invoices, text: 'Invoices' },
    { href: MERCHANT_PATHS.paymentMethods, text: 'Payment methods' },
    { href: MERCHANT_PATHS.apps, text: 'Apps' },
    ...OF_ALL,
  ]
}
