import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { type PublicKey, parsePublicKey, thumbprint } from './public-key.ts'
import { isRejection } from './rejection.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const spki = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const pkcs1 = pair.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const jwk = pair.publicKey.export({ format: 'jwk' })
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey

test('a key has the same value in every accepted format', () => {
  const forms = [
    spki,
    pkcs1,
    `  ${spki}\n`,
    spki.replaceAll('\n', '\r\n'),
    jwk,
    JSON.stringify(jwk),
    { ...jwk, use: 'sig' },
  ]
  const kids = new Set(forms.map(form => accepted(form).kid))
  assert.equal(kids.size, 1)
})

test('the thumbprint equals the example of RFC 7638, 3.1', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs' +
    'tn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5h' +
    'ajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw'
  assert.equal(thumbprint({ kty: 'RSA', n, e: 'AQAB' }), 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
})

test('the kid of a JWK is stored', () => {
  assert.equal(accepted({ ...jwk, kid: 'my-key/1' }).kid, 'my-key/1')
  assert.equal(accepted({ ...jwk, kid: 'k'.repeat(128) }).kid.length, 128)
})

test('only public members are stored', () => {
  assert.deepEqual(Object.keys(accepted({ ...jwk, x5u: 'https://a.example', note: 'x' }).publicJwk).sort(), [
    'e',
    'kty',
    'n',
  ])
})

const privateForms: [string, unknown][] = [
  ['PKCS#8', pair.privateKey.export({ type: 'pkcs8', format: 'pem' })],
  ['PKCS#1', pair.privateKey.export({ type: 'pkcs1', format: 'pem' })],
  ['encrypted', pair.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })],
  ['after the public key', `${spki}${pair.privateKey.export({ type: 'pkcs8', format: 'pem' })}`],
  ['a JWK', pair.privateKey.export({ format: 'jwk' })],
  ['the text of a JWK', JSON.stringify(pair.privateKey.export({ format: 'jwk' }))],
  ['a JWK with only p', { ...jwk, p: 'AQAB' }],
]
for (const [name, form] of privateForms) {
  test(`a private key is recognised, rejected and not repeated: ${name}`, () => {
    const rejection = parsePublicKey(form)
    assert.ok(isRejection(rejection))
    assert.equal(rejection.rejected, 'INVALID_PARAMETER')
    assert.match(rejection.developerMessage, /private key/)
    assert.ok(!JSON.stringify(rejection).includes((jwk.n ?? '').slice(0, 20)))
    assert.ok(JSON.stringify(rejection).length < 400)
  })
}

const rejected: [string, unknown, RegExp][] = [
  ['1024 bits', weak.export({ type: 'spki', format: 'pem' }), /2048 bits/],
  ['1024 bits as a JWK', weak.export({ format: 'jwk' }), /2048 bits/],
  ['an elliptic curve', curve.export({ type: 'spki', format: 'pem' }), /RSA/],
  ['an elliptic curve as a JWK', curve.export({ format: 'jwk' }), /RSA/],
  ['RSA-PSS', pss.export({ type: 'spki', format: 'pem' }), /RSA key/],
  ['an exponent of 1', { ...jwk, e: 'AQ' }, /exponent|cannot be read/],
  ['an even exponent', { ...jwk, e: 'AQAA' }, /exponent|cannot be read/],
  ['too many bits', { ...jwk, n: Buffer.alloc(2048, 255).toString('base64url') }, /8192 bits/],
  ['an alg of another kind', { ...jwk, alg: 'RS512' }, /alg/],
  ['a key for encryption', { ...jwk, use: 'enc' }, /use/],
  ['a symmetric key', { kty: 'oct', k: 'AAAA' }, /RSA/],
  ['a set', { keys: [jwk] }, /set/],
  ['no modulus', { kty: 'RSA', e: 'AQAB' }, /n and e/],
  ['an empty modulus', { ...jwk, n: '' }, /read|bits/],
  ['a kid too long', { ...jwk, kid: 'k'.repeat(129) }, /kid/],
  ['a kid with a space', { ...jwk, kid: 'a b' }, /kid/],
  ['a kid that is a number', { ...jwk, kid: 7 }, /kid/],
  ['nothing', '', /PEM/],
  ['text', 'hello', /PEM/],
  ['broken JSON', '{"kty":', /JSON/],
  ['a list', [jwk], /PEM text or a JWK/],
  ['null', null, /PEM text or a JWK/],
  ['two keys', spki + spki, /one public key/],
  ['a PEM of nonsense', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /cannot be read/],
  ['a label that does not match', spki.replace('BEGIN PUBLIC', 'BEGIN RSA PUBLIC'), /./],
]
for (const [name, form, message] of rejected) {
  test(`a key is rejected with its reason: ${name}`, () => {
    const rejection = parsePublicKey(form)
    assert.ok(isRejection(rejection))
    assert.equal(rejection.fields?.[0]?.path, 'publicKey')
    assert.match(rejection.developerMessage, message)
  })
}

function accepted(form: unknown): PublicKey {
  const key = parsePublicKey(form)
  assert.ok(!isRejection(key), JSON.stringify(key))
  return key
}
