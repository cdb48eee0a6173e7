import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** The name of the hidden field of every form. */
export const CSRF_FIELD = 'csrf'

const NONCE_LENGTH = 16

/** What a form's token is made from: the session, or a cookie that only forms before signing in have. */
export type CsrfBase = { readonly sessionId: string } | { readonly cookie: string }

/** Tells our own forms from those that another site makes a browser send. */
export interface Csrf {
  tokenOf(base: CsrfBase): string
  isToken(sent: unknown, base: CsrfBase): boolean
}

/**
 * All processes accept each other's tokens, since they share the master key; nothing is stored. Each token begins with random characters, so
 * that no two answers repeat one: the size of compressed answers would otherwise reveal the token (BREACH).
 */
export function createCsrf(masterKey: Buffer): Csrf {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'tillhook csrf 1', 32))
  const tokenWith = (nonce: string, base: CsrfBase) =>
    nonce +
    createHmac('sha256', key)
      .update(`${nonce} ${textOf(base)}`)
      .digest('base64url')
  return {
    tokenOf: base => tokenWith(randomBytes(NONCE_LENGTH).toString('base64url').slice(0, NONCE_LENGTH), base),
    isToken(sent, base) {
      const text = typeof sent === 'string' ? sent : ''
      const expected = Buffer.from(tokenWith(text.slice(0, NONCE_LENGTH), base))
      const given = Buffer.from(text)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

/** Of two kinds that never read alike. */
function textOf(base: CsrfBase): string {
  return 'sessionId' in base ? `session ${base.sessionId}` : `cookie ${base.cookie}`
}
