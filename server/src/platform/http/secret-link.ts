import type { NewCookie } from './cookies.ts'
import { type Redirect, redirect } from './page.ts'

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
