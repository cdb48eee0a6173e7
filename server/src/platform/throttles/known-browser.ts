import { createHash, randomBytes } from 'node:crypto'
import { emailKey } from '../../core/user.ts'
import type { Ports } from '../../ports.ts'
import { VaultError } from '../vault/vault.ts'

const PURPOSE = 'known browser'
const DAY_SECONDS = 86_400

/** Who has been away for half a year is a stranger's equal again. */
export const KNOWN_FOR_SECONDS = 180 * DAY_SECONDS

/** What the cookie holds, sealed: only we make and read it, and it tells nobody who signed in. */
interface KnownBrowser {
  readonly browserId: string
  readonly accountHash: string
  readonly atMs: number
}

/**
 * For the cookie of a browser in which somebody has just signed in to this account. From then on it is counted for itself
 * (`passwordTries`), so that the tries of strangers do not keep the account's owner out. OWASP calls it a device cookie.
 */
export function makeKnownBrowser({ vault, clock }: Pick<Ports, 'vault' | 'clock'>, email: string): string {
  const known: KnownBrowser = {
    browserId: randomBytes(16).toString('base64url'),
    accountHash: hashOf(email),
    atMs: clock.now().getTime(),
  }
  return vault.seal(PURPOSE, JSON.stringify(known)).toString('base64url')
}

/** The browser that a cookie names, if it is known to this account; nothing for one that is another's, forged or too old. */
export function knownBrowser(
  { vault, clock }: Pick<Ports, 'vault' | 'clock'>,
  cookie: string | null,
  email: string,
): { readonly browserId?: string } {
  const known = cookie === null ? null : open(vault, cookie)
  if (known === null || known.accountHash !== hashOf(email)) return {}
  const ageMs = clock.now().getTime() - known.atMs
  return ageMs < KNOWN_FOR_SECONDS * 1000 ? { browserId: known.browserId } : {}
}

function open(vault: Ports['vault'], cookie: string): KnownBrowser | null {
  try {
    return JSON.parse(vault.openText(PURPOSE, Buffer.from(cookie, 'base64url'))) as KnownBrowser
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}

function hashOf(email: string): string {
  return createHash('sha256').update(emailKey(email)).digest('base64url')
}
