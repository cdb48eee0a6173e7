import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { makeAssertion } from '../src/assertion.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

test('an assertion holds the claims of the interface, is signed RS256, and never repeats its jti', () => {
  const app = { appId: 'urn:aid:018f2f2e-0000-7000-8000-000000000000', kid: 'k', privateKey }
  const [one, two] = [claimsOf(makeAssertion(app, 'http://host')), claimsOf(makeAssertion(app, 'http://host'))]
  assert.deepEqual(Object.keys(one).sort(), ['aud', 'exp', 'iat', 'iss', 'jti', 'sub'])
  assert.deepEqual([one.sub, one.iss, one.aud], [app.appId, app.appId, 'http://host'])
  assert.equal(one.exp - one.iat, 500)
  assert.notEqual(one.jti, two.jti)
})

function claimsOf(jwt: string) {
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  assert.deepEqual(decode(header), { alg: 'RS256', typ: 'JWT', kid: 'k' })
  assert.ok(verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url')))
  return decode(claims)
}

function decode(part: string) {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}
