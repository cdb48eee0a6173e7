import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** The name of the hidden field of every form. */
export const CSRF_FIELD = 'csrf'

/** What a form's token is made from: the session, or a cookie that only forms before signing in have. */
export type CsrfBase = { readonly sessionId: string } | { readonly cookie: string }

/** Tells our own forms from those that another site makes a browser send. */
export interface Csrf {
  tokenOf(base: CsrfBase): string
  isToken(sent: unknown, base: CsrfBase): boolean
}

/** All processes make the same tokens, since they share the master key; nothing is stored. */
export function createCsrf(masterKey: Buffer): Csrf {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'tillhook csrf 1', 32))
  const tokenOf = (base: CsrfBase) => createHmac('sha256', key).update(textOf(base)).digest('base64url')
  return {
    tokenOf,
    isToken(sent, base) {
      const expected = Buffer.from(tokenOf(base))
      const given = Buffer.from(typeof sent === 'string' ? sent : '')
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

/** Of two kinds that never read alike. */
function textOf(base: CsrfBase): string {
  return 'sessionId' in base ? `session ${base.sessionId}` : `cookie ${base.cookie}`
}
