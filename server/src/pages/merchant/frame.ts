import { type PageAnswer, type PageCall, type Shown, shown } from '../../platform/http/page.ts'
import type { Html, Part } from '../../platform/web/html.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { MERCHANT_PATHS, navigationOf } from '../../platform/web/navigation.ts'
import type { Shop } from './own-page.ts'

export const PATHS = MERCHANT_PATHS

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
  const links = navigationOf(call.principal, PATHS[part])
  const signedIn = call.session && { ...call.session, csrf: call.csrf }
  const whole = html`${business.type === 'TEST_MERCHANT' && TEST}${main}`
  const waits = looksAgainEach === undefined ? {} : { looksAgainEach }
  return shown(layout({ title, width, links, signedIn, main: whole, ...waits }), more)
}

const TEST: Html = html`<p class="fine not-printed">This is a test business: no real money is charged.</p>
`
