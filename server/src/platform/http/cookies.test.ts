import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printCookie, readCookies } from './cookies.ts'

const PATH = '/purchases/01900000-0000-7000-8000-000000000001'

test('the cookie of a purchase is sent only below its path, and over TLS has a name that requires TLS', () => {
  const cookie = { purpose: 'purchase', value: 'secret', path: PATH, maxAgeSeconds: 60 } as const
  const rest = `Path=${PATH}; HttpOnly; SameSite=Lax`
  assert.equal(printCookie(cookie, false), `tillhook-purchase=secret; ${rest}; Max-Age=60`)
  assert.equal(printCookie(cookie, true), `__Secure-tillhook-purchase=secret; ${rest}; Secure; Max-Age=60`)
  assert.equal(readCookies('__Secure-tillhook-purchase=secret', true).read('purchase'), 'secret')
  assert.equal(readCookies('tillhook-purchase=secret', true).read('purchase'), null)
})

test('all other cookies apply to the whole host, and a path cannot inject attributes', () => {
  assert.match(printCookie({ purpose: 'session', value: 'x' }, true), /^__Host-tillhook=x; Path=\/; HttpOnly/)
  assert.throws(() => printCookie({ purpose: 'session', value: 'x', path: PATH }, true), /no other has one/)
  assert.throws(() => printCookie({ purpose: 'purchase', value: 'x' }, true), /has its path/)
  assert.throws(() => printCookie({ purpose: 'purchase', value: 'x', path: '/; Domain=x' }, true), /plain/)
})
