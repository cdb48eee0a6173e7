import { createHash, randomBytes } from 'node:crypto'
import { emailKey } from '../../core/user.ts'
import type { Ports } from '../../ports.ts'
import { openFromText, sealAsText } from '../vault/vault.ts'

const PURPOSE = 'known browser'
const DAY_SECONDS = 86_400

/** After half a year without a sign-in the browser counts as unknown. */
export const KNOWN_FOR_SECONDS = 180 * DAY_SECONDS

/** The sealed content of the cookie. The cookie does not reveal the account. */
interface KnownBrowser {
  readonly browserId: string
  readonly accountHash: string
  readonly atMs: number
}

/**
 * Returns the cookie value for a browser that has just signed in to an account. The browser then has a separate attempt count
 * (`passwordThrottle`), so that strangers cannot lock the owner out. OWASP calls the cookie a device cookie.
 */
export function makeKnownBrowser({ vault, clock }: Pick<Ports, 'vault' | 'clock'>, email: string): string {
  const known: KnownBrowser = {
    browserId: randomBytes(16).toString('base64url'),
    accountHash: hashOf(email),
    atMs: clock.now().getTime(),
  }
  return sealAsText(vault, PURPOSE, known)
}

/** The browser of a cookie, if this account knows the browser. Empty for another account's cookie, a forged one or an expired one. */
export function knownBrowser(
  { vault, clock }: Pick<Ports, 'vault' | 'clock'>,
  cookie: string | null,
  email: string,
): { readonly browserId?: string } {
  const known = cookie === null ? null : openFromText<KnownBrowser>(vault, PURPOSE, cookie)
  if (known === null || known.accountHash !== hashOf(email)) return {}
  const ageMs = clock.now().getTime() - known.atMs
  return ageMs < KNOWN_FOR_SECONDS * 1000 ? { browserId: known.browserId } : {}
}

function hashOf(email: string): string {
  return createHash('sha256').update(emailKey(email)).digest('base64url')
}
