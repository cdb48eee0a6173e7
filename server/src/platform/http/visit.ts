import { randomBytes } from 'node:crypto'
import type { NewCookie, ReadCookies } from './cookies.ts'
import type { Csrf } from './csrf.ts'
import type { WebSession } from './session.ts'

/** One request for a page: who is signed in, and what its forms are proven by. */
export interface Visit {
  readonly session: WebSession | null
  readonly cookies: ReadCookies
  /** Over TLS, as browsers see it. */
  readonly isSecure: boolean
  /** For the forms of the answer. Without a session it is made from a cookie, which this makes where there is none. */
  csrf(): string
  /** Whether a token that came with a form was made for this session, or for this cookie. */
  isProven(token: unknown): boolean
  /** Cookies that the answer must set for its forms to be taken. */
  readonly newCookies: readonly NewCookie[]
}

/** 256 bits: nobody guesses it. */
const FORM_COOKIE_BYTES = 32

export interface VisitOptions {
  readonly session: WebSession | null
  readonly cookies: ReadCookies
  readonly isSecure: boolean
}

export function beginVisit(csrf: Csrf, { session, cookies, isSecure }: VisitOptions): Visit {
  let formCookie = cookies.read('form')
  const newCookies: NewCookie[] = []
  const makeCookie = () => {
    const value = randomBytes(FORM_COOKIE_BYTES).toString('base64url')
    newCookies.push({ purpose: 'form', value })
    return value
  }
  return {
    session,
    cookies,
    isSecure,
    newCookies,
    csrf() {
      if (session !== null) return csrf.tokenOf(session)
      formCookie ??= makeCookie()
      return csrf.tokenOf({ cookie: formCookie })
    },
    isProven(token) {
      if (session !== null) return csrf.isToken(token, session)
      return formCookie !== null && csrf.isToken(token, { cookie: formCookie })
    },
  }
}
