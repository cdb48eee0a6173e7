import { assert } from '../../core/assert.ts'

/** The purposes of our cookies. Only this file makes their wire names. */
type CookiePurpose = 'session' | 'form' | 'purchase' | 'link' | 'browser' | 'theme' | 'mode'

export interface NewCookie {
  readonly purpose: CookiePurpose
  /** '' removes the cookie. */
  readonly value: string
  /** Absent: as long as the browser runs. */
  readonly maxAgeSeconds?: number
  /** Sent only at or below this path. Absent: sent everywhere. Required for `purchase` and `link`, absent for all others. */
  readonly path?: string
}

export interface ReadCookies {
  read(purpose: CookiePurpose): string | null
}

/** Longer than any cookie of Tillhook. The whole header has at most 16 KiB. */
const MAX_VALUE = 256

/** A secret from one page's URL belongs to that page alone. */
const OF_A_PATH: readonly CookiePurpose[] = ['purchase', 'link']

const PATH = /^\/[a-z0-9/-]*$/

/** RFC 6265, 4.1.1: cookie-octet. */
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/**
 * RFC 6265bis, 4.1.3.2: browsers accept a `__Host-` cookie only over TLS, for this host and its root path, so no other host or plain
 * connection can set one. A cookie with a path uses `__Secure-`, the closest protection. Plain HTTP supports neither prefix.
 */
function cookieName(purpose: CookiePurpose, isSecure: boolean): string {
  const name = purpose === 'session' ? 'tillhook' : `tillhook-${purpose}`
  if (!isSecure) return name
  return OF_A_PATH.includes(purpose) ? `__Secure-${name}` : `__Host-${name}`
}

/** The cookies of a request. A repeated cookie is dropped, because one of the two is foreign and the request does not say which. */
export function readCookies(header: string | undefined, isSecure: boolean): ReadCookies {
  const pairs = (header ?? '').split(';').map(pair => pair.trim())
  return {
    read(purpose) {
      const start = `${cookieName(purpose, isSecure)}=`
      const [value, another] = pairs.filter(pair => pair.startsWith(start)).map(pair => pair.slice(start.length))
      if (value === undefined || another !== undefined || value === '') return null
      return value.length <= MAX_VALUE && VALUE.test(value) ? value : null
    },
  }
}

/**
 * The value of a Set-Cookie header. Scripts cannot read the cookie. Browsers send the cookie with a link from another site, and not with a form
 * of another site.
 */
export function printCookie({ purpose, value, maxAgeSeconds, path }: NewCookie, isSecure: boolean): string {
  assert(VALUE.test(value) && value.length <= MAX_VALUE, 'a cookie has a short value of plain characters')
  assert(
    OF_A_PATH.includes(purpose) === (path !== undefined),
    'a cookie of one purchase or link has its path, and no other has one',
  )
  assert(PATH.test(path ?? '/'), 'the path of a cookie is plain')
  const age = value === '' ? 0 : maxAgeSeconds
  const parts = [`${cookieName(purpose, isSecure)}=${value}`, `Path=${path ?? '/'}`, 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(isSecure ? ['Secure'] : []), ...(age === undefined ? [] : [`Max-Age=${age}`])].join('; ')
}
