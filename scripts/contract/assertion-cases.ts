export const BASE_URL = 'http://127.0.0.1:8080'
export const NOW = '2026-01-31T12:00:00Z'

export interface AssertionCase {
  readonly name: string
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  readonly tampering?: 'no signature' | 'another signature' | 'other claims'
  readonly expect: Expected
}

/** `names`: the claim in developerMessage. `decidedBy`: whether the claims suffice for the decision or a key is needed. */
export type Expected =
  | { readonly accepted: true }
  | {
      readonly accepted: false
      readonly code: string
      readonly names: string
      readonly decidedBy: 'claims' | 'signature'
    }

const APP = 'urn:aid:019a3c7e-5c00-7000-8000-0000000000a1'
const NOBODY = '019a3c7e-5c00-7000-8000-0000000000ff'
export const DEVICE = 'urn:tid:019a3c7e-5c00-7000-8000-0000000000d1'
const OTHER_DEVICE = 'urn:tid:019a3c7e-5c00-7000-8000-0000000000d2'
const OTHER_APP = 'urn:aid:019a3c7e-5c00-7000-8000-0000000000a2'
const now = Date.parse(NOW) / 1000
const HOUR = 3600
const YEAR = 365 * 24 * HOUR
const RS256 = { alg: 'RS256' }
const SAMPLE = { sub: APP, iss: APP, aud: BASE_URL, iat: now, exp: now + 500 }

let made = 0
const nextJti = () => `jti-${String(++made).padStart(3, '0')}`

interface Changes {
  readonly header?: Readonly<Record<string, unknown>>
  /** Undefined removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly tampering?: NonNullable<AssertionCase['tampering']>
}

function accepted(name: string, changes: Changes = {}): AssertionCase {
  return { ...caseOf(name, changes), expect: { accepted: true } }
}

function rejected(names: string, name: string, changes: Changes): AssertionCase {
  const decidedBy = names === 'signature' ? 'signature' : 'claims'
  return { ...caseOf(name, changes), expect: { accepted: false, code: 'INVALID_ASSERTION', names, decidedBy } }
}

function caseOf(name: string, { header = {}, claims = {}, tampering }: Changes) {
  const given = Object.entries({ ...SAMPLE, jti: nextJti(), ...claims }).filter(([, value]) => value !== undefined)
  return {
    name,
    header: { ...RS256, ...header },
    claims: Object.fromEntries(given),
    ...(tampering === undefined ? {} : { tampering }),
  }
}

/** Interface, Self-issued JWT; decisions 2. */
export const ASSERTION_CASES: readonly AssertionCase[] = [
  accepted('the sample of the interface: 500 seconds'),
  accepted('with typ, and the kid of the key', { header: { typ: 'JWT', kid: 'contract' } }),
  accepted('aud with a trailing slash', { claims: { aud: `${BASE_URL}/` } }),
  accepted('aud as an array', { claims: { aud: [BASE_URL] } }),
  accepted('aud as an array with others', { claims: { aud: ['https://elsewhere.example', `${BASE_URL}/`] } }),
  accepted('iat and exp in milliseconds', { claims: { iat: now * 1000, exp: (now + 500) * 1000 } }),
  accepted('exp in milliseconds, iat in seconds', { claims: { exp: (now + 500) * 1000 } }),
  accepted('iat and exp with fractions of a second', { claims: { iat: now - 0.5, exp: now + 0.5 } }),
  accepted('exp a year ahead', { claims: { exp: now + YEAR } }),
  accepted('exp a year ahead, made almost 24 hours ago', { claims: { iat: now - 24 * HOUR + 1, exp: now + YEAR } }),
  accepted('iat 60 seconds ahead: a clock may go so wrong', { claims: { iat: now + 60 } }),
  accepted('exp 59 seconds ago: a clock may go so wrong', { claims: { iat: now - 600, exp: now - 59 } }),
  accepted('the app id in capitals', { claims: { sub: APP.replace(/[0-9a-f-]{36}$/, id => id.toUpperCase()) } }),
  accepted('unknown claims', { claims: { scope: 'ALL', nbf: now + YEAR, nonce: 'anything' } }),
  rejected('service.biz', 'a business that is no UUID', { claims: { 'service.biz': 'anything' } }),
  rejected('service.uid', 'a user, whom only a terminal names', { claims: { 'service.uid': NOBODY } }),
  accepted('a jti of 255 characters', { claims: { jti: 'j'.repeat(255) } }),
  rejected('alg', 'alg none, without a signature', { header: { alg: 'none' }, tampering: 'no signature' }),
  rejected('alg', 'alg HS256', { header: { alg: 'HS256' } }),
  rejected('alg', 'alg RS512', { header: { alg: 'RS512' } }),
  rejected('alg', 'alg in small letters', { header: { alg: 'rs256' } }),
  rejected('crit', 'a header extension that must be understood', { header: { crit: ['exp'] } }),
  rejected('kid', 'a kid that is a number', { header: { kid: 1 } }),
  rejected('sub', 'no sub', { claims: { sub: undefined } }),
  rejected('sub', 'sub without its prefix', { claims: { sub: APP.slice('urn:aid:'.length) } }),
  rejected('iss', 'no iss', { claims: { iss: undefined } }),
  rejected('iss', 'iss of another app', { claims: { iss: OTHER_APP } }),
  rejected('aud', 'no aud', { claims: { aud: undefined } }),
  rejected('aud', 'aud of another service', { claims: { aud: 'https://elsewhere.example' } }),
  rejected('aud', 'aud with a path', { claims: { aud: `${BASE_URL}/token` } }),
  rejected('aud', 'aud as an empty array', { claims: { aud: [] } }),
  rejected('aud', 'aud within an array within an array', { claims: { aud: [[BASE_URL]] } }),
  rejected('iat', 'no iat', { claims: { iat: undefined } }),
  rejected('iat', 'iat as text', { claims: { iat: String(now) } }),
  rejected('exp', 'no exp', { claims: { exp: undefined } }),
  rejected('exp', 'exp as text', { claims: { exp: String(now + 500) } }),
  rejected('exp', 'exp null', { claims: { exp: null } }),
  rejected('exp', 'exp 60 seconds ago', { claims: { iat: now - 600, exp: now - 60 } }),
  rejected('exp', 'exp 60 seconds ago, in milliseconds', { claims: { iat: now - 600, exp: (now - 60) * 1000 } }),
  rejected('iat', 'iat 61 seconds ahead', { claims: { iat: now + 61 } }),
  rejected('iat', '24 hours after iat, whatever exp says', { claims: { iat: now - 24 * HOUR, exp: now + YEAR } }),
  rejected('jti', 'no jti', { claims: { jti: undefined } }),
  rejected('jti', 'jti empty', { claims: { jti: '' } }),
  rejected('jti', 'jti a number', { claims: { jti: 7 } }),
  rejected('jti', 'jti of 256 characters', { claims: { jti: 'j'.repeat(256) } }),
  rejected('jti', 'jti with a NUL', { claims: { jti: 'a\u0000b' } }),
  rejected('signature', 'another app, with the key of this one', { claims: { sub: OTHER_APP, iss: OTHER_APP } }),
  rejected('signature', 'a kid that is not a key of the app', { header: { kid: 'unknown' } }),
  rejected('signature', 'a signature of something else', { tampering: 'another signature' }),
  rejected('signature', 'claims changed after signing', { tampering: 'other claims' }),
  accepted('of a terminal', { claims: { sub: DEVICE, iss: DEVICE } }),
  accepted('of a terminal, in upper case', {
    claims: { sub: DEVICE.toUpperCase().replace('URN:TID:', 'urn:tid:'), iss: DEVICE },
  }),
  rejected('signature', 'of a terminal that there is not', { claims: { sub: OTHER_DEVICE, iss: OTHER_DEVICE } }),
  rejected('signature', 'of a terminal, by the UUID of an app', {
    claims: { sub: APP.replace('aid', 'tid'), iss: APP.replace('aid', 'tid') },
  }),
  rejected('iss', 'of a terminal, as if by an app', { claims: { sub: DEVICE } }),
]
