import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAssertionClaims } from './assertion.ts'
import { isRejection } from './rejection.ts'

const APP_ID = '0193b7a0-1111-7222-8333-444455556666'
const APP = `urn:aid:${APP_ID}`
const NOW = new Date('2026-03-01T12:00:00Z')
const AT = NOW.getTime() / 1000
const DAY = 86_400
const BASE_URL = 'https://api.tillhook.test'

const header = { alg: 'RS256' }
const claims = { sub: APP, iss: APP, aud: BASE_URL, jti: 'b0e7f7c2', iat: AT, exp: AT + 500 }

const check = (changedClaims: object, changedHeader: object = {}) =>
  checkAssertionClaims(
    { ...header, ...changedHeader },
    { ...claims, ...changedClaims },
    { baseUrl: BASE_URL, now: NOW },
  )

const accepted: [string, object, object?][] = [
  ['the sample of the interface', {}],
  ['a kid', {}, { kid: 'first' }],
  ['a typ of any kind', {}, { typ: 'whatever' }],
  ['an audience with a trailing slash', { aud: `${BASE_URL}/` }],
  ['an audience within an array', { aud: ['https://elsewhere.test', `${BASE_URL}/`] }],
  ['milliseconds', { iat: NOW.getTime(), exp: NOW.getTime() + 500_000 }],
  ['iat in seconds with exp in milliseconds', { exp: NOW.getTime() + 1 }],
  ['a fraction of a second', { iat: AT + 0.25, exp: AT + 0.5 }],
  ['an exp a year ahead', { exp: AT + 365 * DAY }],
  ['an exp 59 s ago', { exp: AT - 59 }],
  ['an iat 60 s ahead', { iat: AT + 60 }],
  ['an iat one second less than 24 h ago', { iat: AT - DAY + 1 }],
  ['an app id in upper case', { sub: `urn:aid:${APP_ID.toUpperCase()}` }],
  ['a jti of 255 characters', { jti: 'j'.repeat(255) }],
  ['claims that it does not know', { nonce: 1, scope: 'ALL' }],
]

for (const [title, changedClaims, changedHeader] of accepted) {
  test(`accepted: ${title}`, () => {
    const assertion = check(changedClaims, changedHeader)
    assert.ok(!isRejection(assertion), JSON.stringify(assertion))
    assert.deepEqual(assertion.issuer, { kind: 'app', id: APP_ID })
  })
}

test('accepted: a terminal, which signs assertions like apps', () => {
  const urn = `urn:tid:${APP_ID.toUpperCase()}`
  const assertion = check({ sub: urn, iss: urn.replace(APP_ID.toUpperCase(), APP_ID) })
  assert.ok(!isRejection(assertion), JSON.stringify(assertion))
  assert.deepEqual(assertion.issuer, { kind: 'terminal', id: APP_ID })
})

const rejected: [string, string, object, object?][] = [
  ['alg', 'no alg', {}, { alg: undefined }],
  ['alg', 'alg none', {}, { alg: 'none' }],
  ['alg', 'alg HS256', {}, { alg: 'HS256' }],
  ['alg', 'alg RS384', {}, { alg: 'RS384' }],
  ['alg', 'alg in lower case', {}, { alg: 'rs256' }],
  ['alg', 'alg in a list', {}, { alg: ['RS256'] }],
  ['crit', 'a critical extension', {}, { crit: ['b64'], b64: false }],
  ['kid', 'a kid that is not a string', {}, { kid: 7 }],
  ['service.biz', 'a business that is no UUID', { 'service.biz': 'x' }],
  ['service.uid', 'a user, whom only a terminal names', { 'service.uid': APP_ID }],
  ['service.x', 'a custom claim without meaning', { 'service.x': null }],
  ['sub', 'no sub', { sub: undefined }],
  ['sub', 'a bare UUID as sub', { sub: APP_ID }],
  ['iss', 'a terminal as sub, an app as iss', { sub: `urn:tid:${APP_ID}` }],
  ['iss', 'an app as sub, a terminal as iss', { iss: `urn:tid:${APP_ID}` }],
  ['sub', 'another kind of URN', { sub: `urn:bid:${APP_ID}` }],
  ['sub', 'more after the URN', { sub: `${APP}/x` }],
  ['sub', 'a line break after the URN', { sub: `${APP}\n` }],
  ['iss', 'no iss', { iss: undefined }],
  ['iss', 'another app as iss', { iss: 'urn:aid:0193b7a0-0000-7222-8333-444455556666' }],
  ['aud', 'no aud', { aud: undefined }],
  ['aud', 'another host', { aud: 'https://elsewhere.test' }],
  ['aud', 'a path after the host', { aud: `${BASE_URL}/token` }],
  ['aud', 'two slashes', { aud: `${BASE_URL}//` }],
  ['aud', 'no host in the array', { aud: [] }],
  ['aud', 'the host two arrays deep', { aud: [[BASE_URL]] }],
  ['iat', 'no iat', { iat: undefined }],
  ['iat', 'iat as text', { iat: String(AT) }],
  ['iat', 'iat beyond numbers', { iat: Number.POSITIVE_INFINITY }],
  ['iat', 'an iat 61 s ahead', { iat: AT + 61 }],
  ['iat', 'an iat 61 s ahead in milliseconds', { iat: NOW.getTime() + 61_000 }],
  ['iat', 'an iat 24 h ago, whatever exp says', { iat: AT - DAY, exp: AT + 365 * DAY }],
  ['iat', 'an iat before 1970', { iat: -1e300 }],
  ['exp', 'no exp', { exp: undefined }],
  ['exp', 'exp null', { exp: null }],
  ['exp', 'an exp 60 s ago', { exp: AT - 60 }],
  ['exp', 'an exp long ago in milliseconds', { exp: NOW.getTime() - DAY * 1000 }],
  ['jti', 'no jti', { jti: undefined }],
  ['jti', 'an empty jti', { jti: '' }],
  ['jti', 'a jti of 256 characters', { jti: 'j'.repeat(256) }],
  ['jti', 'a jti that is a number', { jti: 7 }],
  ['jti', 'a jti with NUL', { jti: 'a\u0000b' }],
  ['jti', 'a jti with half a surrogate pair', { jti: 'a\ud800' }],
]

for (const [claim, title, changedClaims, changedHeader] of rejected) {
  test(`an assertion is rejected, naming ${claim}: ${title}`, () => {
    const rejection = check(changedClaims, changedHeader)
    assert.ok(isRejection(rejection))
    assert.equal(rejection.rejected, 'INVALID_ASSERTION')
    assert.equal(rejection.oauthError, 'invalid_grant')
    assert.match(rejection.developerMessage, new RegExp(`^assertion: ${claim} `))
  })
}

test('the jti is stored as long as the assertion can be accepted', () => {
  const assertion = check({ iat: AT - 3_600, exp: AT + 365 * DAY })
  assert.ok(!isRejection(assertion))
  const lastAccepted = new Date((AT - 3_600 + DAY) * 1000 - 1)
  assert.ok(
    !isRejection(
      checkAssertionClaims(
        header,
        { ...claims, iat: AT - 3_600, exp: AT + 365 * DAY },
        { baseUrl: BASE_URL, now: lastAccepted },
      ),
    ),
  )
  assert.ok(assertion.expiresAt > lastAccepted)
  assert.deepEqual(assertion.expiresAt, new Date((AT - 3_600 + DAY + 60) * 1000))
})
