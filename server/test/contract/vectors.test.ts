import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { insertApp, insertKey } from '../../src/catalog/apps/store.ts'
import { checkAssertionClaims } from '../../src/core/assertion.ts'
import { BODY_EVENT_TYPES } from '../../src/core/event.ts'
import { isRejection, REJECTION_CODES } from '../../src/core/rejection.ts'
import { replaceDeviceKey } from '../../src/merchants/businesses/device-store.ts'
import { insertDevice } from '../../src/merchants/businesses/store.ts'
import { createWorld, type World } from '../support/world.ts'

/* The files of contract/ as somebody reads them who has nothing else: that they are true, not only that they are fresh. */

interface AssertionVector {
  readonly name: string
  readonly header: Record<string, unknown>
  readonly claims: Record<string, unknown>
  readonly assertion: string
  readonly expect:
    | { readonly accepted: true }
    | { readonly accepted: false; readonly code: string; readonly names: string; readonly decidedBy: string }
}

const assertions = read('assertions.json')
const vectors = assertions.vectors as AssertionVector[]

let world: World
before(async () => {
  world = await createWorld({ at: assertions.now })
  const { sql } = world.app.ports.db
  const { kid, kty, n, e } = assertions.publicKey
  const at = new Date(assertions.now)
  const appId = assertions.appId.slice('urn:aid:'.length)
  const { organizationId } = world
  const named = { name: 'Vectors', packageName: 'com.example.vectors', callbackUrls: [], status: 'ACTIVE' as const }
  await insertApp(sql, { appId, organizationId, ...named, createdAt: at, updatedAt: at })
  await insertKey(sql, { appId, kid, publicJwk: { kty, n, e }, createdAt: at })
  const { businessId } = await world.merchant({ card: 'none' })
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Main' })
  const deviceId = assertions.deviceId.slice('urn:tid:'.length)
  const device = { deviceId, businessId, storeId, name: 'Till', serialNumber: '1', status: 'ACTIVE' as const }
  await insertDevice(sql, { ...device, createdAt: at, updatedAt: at }, { codeHash: Buffer.alloc(32), expiresAt: at })
  await replaceDeviceKey(sql, { deviceKeyId: v7(), device, kid, publicJwk: { kty, n, e }, now: at })
})
after(() => world?.close())

test('every assertion has a unique name', () => {
  assert.ok(vectors.length >= 25)
  assert.equal(new Set(vectors.map(vector => vector.name)).size, vectors.length)
})

for (const { name, header, claims, assertion, expect } of vectors) {
  test(`assertion, ${expect.accepted ? 'accepted' : `rejected for ${expect.names}`}: ${name}`, async () => {
    const byClaims = checkAssertionClaims(header, claims, {
      baseUrl: assertions.baseUrl,
      now: new Date(assertions.now),
    })
    const { status, body } = await post(assertion)
    if (expect.accepted || expect.decidedBy === 'signature') assert.ok(!isRejection(byClaims))
    else assert.ok(isRejection(byClaims) && names(byClaims.developerMessage, expect.names), JSON.stringify(byClaims))
    if (expect.accepted) {
      assert.equal(status, 200, JSON.stringify(body))
      const again = await post(assertion)
      assert.deepEqual([again.status, names(again.body.developerMessage, 'jti')], [401, true])
    } else {
      assert.deepEqual([status, body.code, body.error], [401, expect.code, 'invalid_grant'])
      assert.ok(names(body.developerMessage, expect.names), body.developerMessage)
    }
  })
}

test('an independent HMAC implementation makes the same signatures', () => {
  const { vectors: signatures } = read('signatures.json')
  for (const { secret, secretHex, body, headers, source } of signatures) {
    const key = secretHex === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(secretHex, 'hex')
    const decoded = /^whsec_(.+)$/.exec(secret ?? '')?.[1]
    const hmac = (hash: string, text: string, by = key) =>
      createHmac(hash, by).update(Buffer.from(text, 'utf8')).digest('base64')
    assert.equal(headers['Service-Webhook-Signature'], hmac('sha1', body), source)
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const second = decoded === undefined ? '' : ` v1,${hmac('sha256', signed, Buffer.from(decoded, 'base64'))}`
    assert.equal(headers['webhook-signature'], `v1,${hmac('sha256', signed)}${second}`, source)
  }
  const published = JSON.parse(readFileSync(new URL('../vectors/signatures.json', import.meta.url), 'utf8')).vectors
  for (const { body, signature } of published) {
    const same = signatures.find((one: { body: string }) => one.body === body)
    assert.equal(same?.headers['Service-Webhook-Signature'], signature)
  }
})

test('each event type has one compact body with its keys in wire order', () => {
  const order = 'createdAt updatedAt links id deviceId hookId applicationId resource resourceId eventType merchantType'
  const keys = [...order.split(' '), 'businessId', 'storeId']
  const files = readdirSync(new URL('../../../contract/events/', import.meta.url)).sort()
  assert.deepEqual(files, BODY_EVENT_TYPES.map(type => `${type}.json`).sort())
  for (const eventType of BODY_EVENT_TYPES) {
    const text = readFileSync(new URL(`../../../contract/events/${eventType}.json`, import.meta.url), 'utf8')
    const body = JSON.parse(text)
    assert.equal(text, JSON.stringify(body))
    assert.equal(body.eventType, eventType)
    assert.deepEqual(
      Object.keys(body),
      keys.filter(key => key in body),
    )
    assert.equal('storeId' in body, eventType.startsWith('ORDER_'))
    assert.equal(body.links.length, /PAYMENT|REFUND|DISPUTE/.test(eventType) ? 2 : 1)
    assert.ok(
      body.links.every((link: { rel: string; method: string }) => `${link.rel} ${link.method}` === 'resource GET'),
    )
  }
})

test('errors.json has every code with a status and a message', () => {
  const errors = read('errors.json')
  assert.deepEqual(Object.keys(errors).sort(), [...REJECTION_CODES].sort())
  for (const { status, message } of Object.values<{ status: number; message: string }>(errors)) {
    assert.ok(status >= 400 && status <= 599)
    assert.match(message, /^[A-Z].*\.$/)
  }
})

async function post(assertion: string) {
  const form = { grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return await world.ask(null, 'POST', '/token', { headers, body: new URLSearchParams(form).toString() })
}

function names(message: string, claim: string): boolean {
  return message.startsWith(`assertion: ${claim} `)
}

function read(path: string) {
  return JSON.parse(readFileSync(new URL(`../../../contract/${path}`, import.meta.url), 'utf8'))
}
