import { type PageAnswer, type PageCall, type Shown, shown } from '../../http/page.ts'
import type { Html, Part } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { layout } from '../../web/layout.ts'
import type { Shop } from './own-page.ts'

/** Where the pages of a merchant are. */
export const PATHS = {
  subscriptions: '/my/subscriptions',
  invoices: '/my/invoices',
  paymentMethods: '/my/payment-methods',
  apps: '/my/apps',
} as const

const NAMES: Readonly<Record<keyof typeof PATHS, string>> = {
  subscriptions: 'Subscriptions',
  invoices: 'Invoices',
  paymentMethods: 'Payment methods',
  apps: 'Apps',
}

interface OwnFrame {
  readonly title: string
  /** Which of the four it belongs to. */
  readonly part: keyof typeof PATHS
  readonly main: Part
  readonly width?: 'narrow' | 'wide'
  /** Seconds, of a page that waits for something. */
  readonly looksAgainEach?: number
}

/** A page of a merchant in its frame: who is signed in where, and the way to the other pages. */
export function framed(
  call: PageCall<unknown, unknown, unknown>,
  { business }: Shop,
  { title, part, main, width = 'wide', looksAgainEach }: OwnFrame,
  more: Omit<Shown, 'html' | 'status'> & { status?: number } = {},
): PageAnswer {
  const own = Object.entries(PATHS).map(([key, href]) => ({
    href,
    text: NAMES[key as keyof typeof PATHS],
    isCurrent: key === part,
  }))
  const links = [...own, { href: '/account', text: 'Account' }]
  const signedIn = call.session && { ...call.session, csrf: call.csrf }
  const whole = html`${business.type === 'TEST_MERCHANT' && TEST}${main}`
  const waits = looksAgainEach === undefined ? {} : { looksAgainEach }
  return shown(layout({ title, width, links, signedIn, main: whole, ...waits }), more)
}

const TEST: Html = html`<p class="fine not-printed">This is a test business: no real money is charged.</p>
`
