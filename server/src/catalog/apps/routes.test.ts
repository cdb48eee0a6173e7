import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newKeyPair, pkcs8Of, spkiOf } from '../../../test/support/key-pairs.ts'
import { newDeveloper, newPackageName, OPERATOR, openTenants, type Tenants } from '../../../test/support/tenants.ts'
import type { Principal } from '../../core/principal.ts'
import { findActiveKeys, findApp, revokeKey } from './store.ts'

let tenants: Tenants
before(async () => {
  tenants = await openTenants()
})
after(() => tenants[Symbol.asyncDispose]())

const newPem = () => spkiOf(newKeyPair().publicKey)
const UNKNOWN = 'urn:aid:018f0000-0000-7000-8000-000000000000'

test('without a public key Tillhook creates a key pair and returns the private key once', async () => {
  const { developer, organizationId } = await newDeveloper(tenants)
  const packageName = newPackageName()
  const made = await tenants.call(developer, 'POST', '/apps', { organizationId, name: 'Till', packageName })
  assert.equal(made.status, 201)
  const { appId, privateKey, kid, keys, ...rest } = made.body
  assert.match(appId, /^urn:aid:[0-9a-f-]{36}$/)
  assert.deepEqual(rest, {
    ...{ organizationId, name: 'Till', packageName, callbackUrls: [], status: 'ACTIVE' },
    ...{ createdAt: '2026-03-01T10:00:00Z', updatedAt: '2026-03-01T10:00:00Z' },
  })
  assert.deepEqual(keys, [{ kid, createdAt: '2026-03-01T10:00:00Z' }])

  const read = await tenants.call(developer, 'GET', `/apps/${appId}`)
  assert.deepEqual(read, { status: 200, body: { ...rest, appId, keys } })
  const [key] = await findActiveKeys(tenants.db.sql, appId.slice(8))
  const shown = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' })
  assert.deepEqual(key?.publicJwk, { kty: 'RSA', n: shown.n, e: shown.e })
  assert.match(privateKey, /^-----BEGIN PRIVATE KEY-----/)
})

test('with a public key the response contains no private key', async () => {
  const { developer, organizationId } = await newDeveloper(tenants)
  const jwk = { ...createPublicKey(newPem()).export({ format: 'jwk' }), kid: 'first/key' }
  const body = { organizationId, name: 'Till', packageName: newPackageName(), publicKey: jwk }
  const made = await tenants.call(developer, 'POST', '/apps', body)
  assert.equal(made.status, 201)
  assert.equal(made.body.keys[0].kid, 'first/key')
  assert.ok(!('privateKey' in made.body) && !('kid' in made.body))
})

test('two concurrent requests with one package name create one app', async () => {
  const { developer, organizationId } = await newDeveloper(tenants)
  const body = { organizationId, name: 'Till', packageName: newPackageName(), publicKey: newPem() }
  const make = () => tenants.call(developer, 'POST', '/apps', body)
  const row = { table: 'organizations', column: 'organization_id', id: organizationId } as const
  const answers = await tenants.atOnce(row, [make, make, make, make])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
  const rejection = answers.find(({ status }) => status === 409)
  assert.equal(rejection?.body.code, 'PACKAGE_NAME_TAKEN')
})

test('a package name is unique across organizations', async () => {
  const one = await newDeveloper(tenants)
  const two = await newDeveloper(tenants)
  const body = { name: 'Till', packageName: newPackageName(), publicKey: newPem() }
  const first = await tenants.call(one.developer, 'POST', '/apps', { ...body, organizationId: one.organizationId })
  const second = await tenants.call(two.developer, 'POST', '/apps', { ...body, organizationId: two.organizationId })
  assert.deepEqual([first.status, second.status], [201, 409])
})

test('an app belongs to an existing organization, and only its developers create apps', async () => {
  const one = await newDeveloper(tenants)
  const two = await newDeveloper(tenants)
  const body = { organizationId: one.organizationId, name: 'Till', packageName: newPackageName(), publicKey: newPem() }
  assert.equal((await tenants.call(two.developer, 'POST', '/apps', body)).body.code, 'FORBIDDEN')
  assert.equal((await tenants.call(one.app, 'POST', '/apps', body)).body.code, 'FORBIDDEN')
  assert.equal((await tenants.call(null, 'POST', '/apps', body)).status, 401)
  const nobodys = { ...body, organizationId: UNKNOWN.slice(8) }
  assert.equal((await tenants.call(OPERATOR, 'POST', '/apps', nobodys)).body.code, 'ORGANIZATION_NOT_FOUND')
})

const privatePem = pkcs8Of(newKeyPair().privateKey)
const rejected: [string, Record<string, unknown>][] = [
  ['name', { name: '' }],
  ['name', { name: 'n'.repeat(256) }],
  ['packageName', { packageName: 'till' }],
  ['packageName', { packageName: 'com.9acme' }],
  ['packageName', { packageName: 'com.acme-till' }],
  ['packageName', { packageName: 'com..acme' }],
  ['packageName', { packageName: `com.${'a'.repeat(252)}` }],
  ['packageName', { packageName: 'com.acme.till\n' }],
  ['callbackUrls', { callbackUrls: 'https://acme.example' }],
  ['callbackUrls', { callbackUrls: Array.from({ length: 21 }, (_, n) => `https://acme.example/${n}`) }],
  ['callbackUrls[0]', { callbackUrls: ['/back'] }],
  ...['\r', '\n', '\t', ' ', '\\', '\u0001'].map((character): [string, Record<string, unknown>] => [
    'callbackUrls[0]',
    { callbackUrls: [`https://acme.example/b${character}ack`] },
  ]),
  ['name', { name: 'Till\nhttps://evil.example' }],
  ['name', { name: 'Till\u202Egnp' }],
  ['name', { name: 'Till\u2028' }],
  ['callbackUrls[1]', { callbackUrls: ['https://acme.example', 'javascript:alert(1)'] }],
  ['callbackUrls[0]', { callbackUrls: ['https:acme.example/back'] }],
  ['callbackUrls[0]', { callbackUrls: ['https:///acme.example/back'] }],
  ['callbackUrls[0]', { callbackUrls: ['https://me:secret@acme.example'] }],
  ['callbackUrls[0]', { callbackUrls: ['https://acme.example/#part'] }],
  ['callbackUrls[0]', { callbackUrls: [`https://acme.example/${'a'.repeat(2048)}`] }],
  ['publicKey', { publicKey: 7 }],
  ['publicKey', { publicKey: null }],
  ['publicKey', { publicKey: 'hello' }],
  ['publicKey', { publicKey: privatePem }],
  ['organizationId', { organizationId: 'acme' }],
]
for (const [path, change] of rejected) {
  test(`a wrong field is rejected, naming ${path}: ${JSON.stringify(change).slice(0, 70)}`, async () => {
    const { developer, organizationId } = await newDeveloper(tenants)
    const good = { organizationId, name: 'Till', packageName: newPackageName(), publicKey: newPem() }
    const answer = await tenants.call(developer, 'POST', '/apps', { ...good, ...change })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.fields[0].path, path)
    assert.ok(!JSON.stringify(answer.body).includes('PRIVATE KEY-'))
  })
}

test('a PATCH changes only the given fields', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const before = (await tenants.call(developer, 'GET', `/apps/${appId}`)).body
  tenants.setNow(new Date('2026-03-02T10:00:00Z'))
  const callbackUrls = ['https://acme.example/back?x=1', 'http://127.0.0.1:3000/back']
  const changed = await tenants.call(developer, 'PATCH', `/apps/${appId}`, { callbackUrls })
  tenants.setNow(new Date('2026-03-01T10:00:00Z'))
  assert.deepEqual(changed.body, { ...before, callbackUrls, updatedAt: '2026-03-02T10:00:00Z' })
  const disabled = await tenants.call(developer, 'PATCH', `/apps/${appId}`, { status: 'DISABLED', name: 'Old Till' })
  assert.partialDeepStrictEqual(disabled.body, { status: 'DISABLED', name: 'Old Till', callbackUrls })
  assert.equal((await findApp(tenants.db.sql, appId.slice(8)))?.status, 'DISABLED')
})

test('only the operator enables an app that the operator disabled', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const patch = (who: Principal, changes: object) => tenants.call(who, 'PATCH', `/apps/${appId}`, changes)
  const disabled = await patch(OPERATOR, { status: 'DISABLED' })
  assert.partialDeepStrictEqual(disabled.body, { status: 'DISABLED', disabledBy: 'OPERATOR' })

  const rejected = await patch(developer, { status: 'ACTIVE', name: 'Back' })
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'FORBIDDEN'])
  // The developer's own DISABLED does not lift the operator's.
  const again = await patch(developer, { status: 'DISABLED' })
  assert.partialDeepStrictEqual(again.body, { status: 'DISABLED', disabledBy: 'OPERATOR', name: 'Till' })
  assert.equal((await patch(developer, { status: 'ACTIVE' })).status, 403)
  assert.partialDeepStrictEqual((await patch(developer, { name: 'Renamed' })).body, {
    disabledBy: 'OPERATOR',
    name: 'Renamed',
  })

  const enabled = await patch(OPERATOR, { status: 'ACTIVE' })
  assert.deepEqual([enabled.body.status, 'disabledBy' in enabled.body], ['ACTIVE', false])
  assert.equal((await patch(developer, { status: 'DISABLED' })).body.disabledBy, 'DEVELOPER')
  assert.equal((await patch(developer, { status: 'ACTIVE' })).body.status, 'ACTIVE')
})

test('disabling by the operator overrides disabling by the developer', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const patch = (who: Principal, status: string) => tenants.call(who, 'PATCH', `/apps/${appId}`, { status })
  await patch(developer, 'DISABLED')
  assert.equal((await patch(OPERATOR, 'DISABLED')).body.disabledBy, 'OPERATOR')
  assert.equal((await patch(developer, 'ACTIVE')).status, 403)
  assert.equal((await findApp(tenants.db.sql, appId.slice(8)))?.status, 'DISABLED')
})

test('an app that the operator disables while its developer enables the app stays disabled', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const row = { table: 'apps', column: 'app_id', id: appId.slice(8) } as const
  await tenants.call(developer, 'PATCH', `/apps/${appId}`, { status: 'DISABLED' })
  await tenants.atOnce(row, [
    () => tenants.call(OPERATOR, 'PATCH', `/apps/${appId}`, { status: 'DISABLED' }),
    () => tenants.call(developer, 'PATCH', `/apps/${appId}`, { status: 'ACTIVE' }),
  ])
  assert.partialDeepStrictEqual(await findApp(tenants.db.sql, appId.slice(8)), {
    ...{ status: 'DISABLED', disabledBy: 'OPERATOR' },
  })
})

test('an invalid change changes nothing', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  for (const changes of [{ status: 'GONE' }, { name: null }, { name: 'New', callbackUrls: ['back'] }]) {
    assert.equal((await tenants.call(developer, 'PATCH', `/apps/${appId}`, changes)).status, 400)
  }
  assert.equal((await tenants.call(developer, 'GET', `/apps/${appId}`)).body.name, 'Till')
})

test("another organization's app is not found", async () => {
  const { appId } = await newDeveloper(tenants)
  const { developer } = await newDeveloper(tenants)
  for (const id of [appId, UNKNOWN]) {
    const answers = [
      await tenants.call(developer, 'GET', `/apps/${id}`),
      await tenants.call(developer, 'PATCH', `/apps/${id}`, { name: 'Mine' }),
      await tenants.call(developer, 'POST', `/apps/${id}/keys`, {}),
    ]
    for (const { status, body } of answers) assert.deepEqual([status, body.code], [404, 'APPLICATION_NOT_FOUND'])
  }
  assert.equal((await tenants.call(OPERATOR, 'GET', `/apps/${UNKNOWN}`)).status, 404)
  assert.equal((await tenants.call(OPERATOR, 'GET', '/apps/urn:aid:x')).status, 400)
})

test('an app has at most five active keys, also with concurrent requests', async () => {
  const { developer, appId, uuid } = await newDeveloper(tenants)
  const add = () => tenants.call(developer, 'POST', `/apps/${appId}/keys`, { publicKey: newPem() })
  const row = { table: 'apps', column: 'app_id', id: uuid } as const
  const answers = await tenants.atOnce(row, [add, add, add, add, add, add])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 409, 409])
  assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'TOO_MANY_KEYS')
  const { keys } = (await tenants.call(developer, 'GET', `/apps/${appId}`)).body
  assert.equal(keys.length, 5)
  assert.ok(await revokeKey(tenants.db.sql, appId.slice(8), keys[0].kid, new Date()))
  const again = await tenants.call(developer, 'POST', `/apps/${appId}/keys`, { publicKey: newPem() })
  assert.equal(again.status, 201)
})

test('an app may have several keys', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const made = await tenants.call(developer, 'POST', `/apps/${appId}/keys`)
  assert.equal(made.status, 201)
  assert.deepEqual(Object.keys(made.body).sort(), ['createdAt', 'kid', 'privateKey'])
})

test('registering the same key again returns the key; a revoked key and a used kid are rejected', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const path = `/apps/${appId}/keys`
  const publicKey = newPem()
  const add = () => tenants.call(developer, 'POST', path, { publicKey })
  const twice = await tenants.atOnce({ table: 'apps', column: 'app_id', id: appId.slice(8) }, [add, add])
  assert.deepEqual(twice.map(({ status }) => status).sort(), [200, 201])
  assert.deepEqual(twice[0]?.body, twice[1]?.body)

  const { kid } = twice[0]?.body ?? {}
  const other = { ...createPublicKey(newPem()).export({ format: 'jwk' }), kid }
  assert.equal((await tenants.call(developer, 'POST', path, { publicKey: other })).status, 400)
  await revokeKey(tenants.db.sql, appId.slice(8), kid, new Date())
  assert.equal((await tenants.call(developer, 'POST', path, { publicKey })).status, 400)
  assert.equal(await revokeKey(tenants.db.sql, appId.slice(8), kid, new Date()), false)
})
