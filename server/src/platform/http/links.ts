import type { NewCookie } from './cookies.ts'
import { type Redirect, redirect } from './page.ts'

/** Longer than any address of a page of ours with its query: an app's context takes at most 7,000 of it. */
const MAX_PATH = 8_000

/**
 * A path of this service, to go on to after something else; null for whatever a browser could take for another site's address:
 * `//evil.example`, `/\evil.example`, `https:…`, a tab or a line end inside, which browsers drop.
 */
export function ownPath(text: string | undefined): string | null {
  if (text === undefined || text.length > MAX_PATH) return null
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null
  const url = URL.parse(text, 'http://own.invalid')
  if (url === null || url.host !== 'own.invalid') return null
  // Once more: dots are resolved by now, as in /.//evil.example.
  const path = `${url.pathname}${url.search}`
  return path.startsWith('//') ? null : path
}

/** Long enough to think of a password, and to come back to the page. */
const COOKIE_SECONDS = 3_600

/**
 * The secret of a link that was mailed leaves the address bar at once, and with it histories, and whatever else keeps addresses:
 * from here on a cookie has it, which is sent to this page alone.
 */
export function takeFromAddress(path: string, secret: string): Redirect {
  return redirect(path, [{ purpose: 'link', value: secret, path, maxAgeSeconds: COOKIE_SECONDS }])
}

/** The link was used: nothing is to be come back to. */
export function forgetLink(path: string): NewCookie {
  return { purpose: 'link', value: '', path }
}
