import type { NewCookie } from './cookies.ts'
import { type Redirect, redirect } from './page.ts'

/** Longer than any address of a page of ours with its query: an app's context takes at most 7,000 of it. */
const MAX_PATH = 8_000

/**
 * A path of this service that is safe to redirect to. Null for text that a browser may read as another site's address: `//evil.example`,
 * `/\evil.example`, `https:…`, and paths with tabs or line breaks, which browsers drop.
 */
export function ownPath(text: string | undefined): string | null {
  if (text === undefined || text.length > MAX_PATH) return null
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null
  const url = URL.parse(text, 'http://own.invalid')
  if (url === null || url.host !== 'own.invalid') return null
  // Checks again, because the parser has resolved dots, as in /.//evil.example.
  const path = `${url.pathname}${url.search}`
  return path.startsWith('//') ? null : path
}

/** Long enough to think of a password, and to come back to the page. */
const COOKIE_SECONDS = 3_600

/** Moves the secret of a mailed link from the address bar, and so from histories, into a cookie that is sent to this page only. */
export function takeFromAddress(path: string, secret: string): Redirect {
  return redirect(path, [{ purpose: 'link', value: secret, path, maxAgeSeconds: COOKIE_SECONDS }])
}

/** Removes the cookie of a used link. */
export function forgetLink(path: string): NewCookie {
  return { purpose: 'link', value: '', path }
}
