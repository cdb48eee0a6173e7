import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import {
  activatedTerminal,
  addTerminal,
  newTerminalKey,
  signInAt,
  type Terminal,
  terminalToken,
} from '../../../test/support/terminals.ts'
import { MULTIPART, multipart, packageOf } from '../../../test/support/upload.ts'
import {
  type Answer,
  createWorld,
  type Json,
  type Method,
  OPERATOR_KEY,
  type World,
} from '../../../test/support/world.ts'
import { createTokenMemory } from '../../access/tokens/token-memory.ts'
import { signSubscriptions } from '../terminal-api/sign-subscriptions.ts'

const SIGNER = 'a'.repeat(64)

let world: World
/** An app whose releases have no APK. */
let packageName: string
before(async () => {
  world = await createWorld()
  packageName = (await world.call('GET', `/apps/${world.appId}`)).packageName
})
after(() => world?.close())

interface Till {
  readonly businessId: string
  readonly terminal: Terminal
  readonly token: string
  ask(method: Method, path: string, body?: unknown, session?: object): Promise<Answer>
}

async function newTill(businessId?: string): Promise<Till> {
  const shop = businessId ?? (await world.merchant()).businessId
  const terminal = await activatedTerminal(world, shop)
  const token = await terminalToken(world, terminal)
  return {
    ...{ businessId: shop, terminal, token },
    ask: (method, path, body, headers = {}) =>
      world.ask(token, method, path, { ...(body === undefined ? {} : { body }), headers: { ...headers } }),
  }
}

const at = (name = packageName, what = '') => `/terminal/apps/${name}${what}`
const report = (permissions: readonly string[] = [], signerSha256 = SIGNER) => ({
  version: '1.0',
  signerSha256,
  permissions,
})

test('an app’s own calls are served from the report of its installation to its removal', async () => {
  const { ask, terminal, token } = await newTill()
  const { headers } = await signInAt(world, terminal, token)
  const calls = async () => {
    const answers = [
      await ask('GET', at(packageName, '/subscriptions')),
      await ask('GET', at(packageName, '/subscriptions/signed')),
      await ask('GET', at(packageName, '/plans')),
      await ask('POST', at(packageName, '/purchases'), { planId: await world.plan() }, headers),
      await ask('POST', at(packageName, '/token'), undefined, headers),
    ]
    return answers.map(({ status, body }) => body.code ?? status)
  }
  const none = Array(5).fill('APPLICATION_NOT_INSTALLED')
  assert.deepEqual(await calls(), none)
  assert.equal((await ask('PUT', at(), report())).status, 200)
  assert.deepEqual(await calls(), [200, 200, 200, 201, 'APPROVAL_REQUIRED'])
  assert.equal((await ask('DELETE', at())).status, 204)
  assert.equal((await ask('DELETE', at())).status, 204)
  assert.deepEqual(await calls(), none)
})

test('a report keeps its first instant and returns what the merchant must approve', async () => {
  const { ask } = await newTill()
  const first = await ask('PUT', at(), report(['NFC', 'CAMERA', 'NFC'], SIGNER.toUpperCase()))
  assert.equal(first.status, 200, first.text)
  const { installedAt, updatedAt, ...rest } = first.body
  const permissions = ['CAMERA', 'NFC']
  assert.deepEqual(rest, {
    ...{ appId: world.appId, packageName, version: '1.0', signerSha256: SIGNER, permissions },
    permissionsToApprove: permissions,
  })
  const again = await ask('PUT', at(), { ...report(['NFC']), version: '2.0' })
  assert.deepEqual(
    [again.body.version, again.body.installedAt, again.body.permissionsToApprove],
    ['2.0', installedAt, ['NFC']],
  )
})

test('a manager approves the shown permissions for all terminals of the merchant, and for no other', async () => {
  const { ask, businessId, terminal, token } = await newTill()
  const [beside, stranger] = [await newTill(businessId), await newTill()]
  const permissions = ['CAMERA', 'NFC']
  for (const till of [{ ask }, beside, stranger]) await till.ask('PUT', at(), report(permissions))
  const pending = await ask('GET', at(packageName, '/subscriptions'))
  assert.deepEqual([pending.status, pending.body.code], [409, 'PERMISSIONS_NOT_APPROVED'])
  assert.match(pending.body.developerMessage, /CAMERA, NFC/)

  const approve = (given: unknown, headers: object) =>
    ask('POST', at(packageName, '/approval'), { permissions: given }, headers)
  assert.equal((await approve(permissions, {})).body.code, 'FORBIDDEN')
  const clerk = await signInAt(world, terminal, token, 'CLERK')
  assert.equal((await approve(permissions, clerk.headers)).body.code, 'FORBIDDEN')
  const { headers } = await signInAt(world, terminal, token)
  const unknown = await approve(['CAMERA', 'SMS'], headers)
  assert.deepEqual([unknown.status, unknown.body.fields[0].path], [400, 'permissions[1]'])

  // The app was updated after the screen was drawn: what was not shown stays to be approved.
  assert.deepEqual((await approve(['CAMERA'], headers)).body.permissionsToApprove, ['NFC'])
  assert.deepEqual((await approve(['NFC'], headers)).body.permissionsToApprove, [])
  assert.equal((await ask('GET', at(packageName, '/subscriptions'))).status, 200)
  assert.equal((await beside.ask('GET', at(packageName, '/subscriptions'))).status, 200)
  assert.equal((await stranger.ask('GET', at(packageName, '/subscriptions'))).body.code, 'PERMISSIONS_NOT_APPROVED')
  assert.deepEqual((await ask('PUT', at(), report([...permissions, 'SMS']))).body.permissionsToApprove, ['SMS'])
})

test('two concurrent approvals are both stored', async () => {
  const { ask, terminal, token } = await newTill()
  const { headers } = await signInAt(world, terminal, token)
  const permissions = Array.from({ length: 8 }, (_, i) => `P${i}`)
  await ask('PUT', at(), report(permissions))
  await Promise.all(permissions.map(one => ask('POST', at(packageName, '/approval'), { permissions: [one] }, headers)))
  assert.deepEqual((await ask('PUT', at(), report(permissions))).body.permissionsToApprove, [])
})

test('an APK on a terminal must have the approved signer and declare no further permissions', async () => {
  const { organizationId } = await world.developer()
  const { appId } = await world.call('POST', '/apps', { organizationId, name: 'Till', packageName: 'com.example.till' })
  const bytes = readFileSync(new URL('../../../test/vectors/apk/version-1.apk', import.meta.url))
  const form = multipart([{ name: 'release', content: '{"version":"1","plans":[]}' }, packageOf(bytes)])
  const submitted = await world.ask(OPERATOR_KEY, 'POST', `/apps/${appId}/releases`, { body: form, headers: MULTIPART })
  assert.equal(submitted.status, 201, submitted.text)
  const { signerSha256, permissions, versionCode } = submitted.body.package.apk
  const { ask } = await newTill()
  const name = 'com.example.till'
  // An unapproved release binds no terminal.
  assert.equal((await ask('PUT', at(name), report())).status, 200)
  assert.equal((await ask('GET', at(name))).body.approvedApk, undefined)
  await world.call('POST', `/apps/${appId}/releases/${submitted.body.releaseId}/approve`, undefined, 200)
  const foreign = await ask('PUT', at(name), report())
  assert.deepEqual([foreign.status, foreign.body.code], [409, 'RELEASE_NOT_APPROVED'])
  const more = await ask('PUT', at(name), report([...permissions, 'android.permission.SEND_SMS'], signerSha256))
  assert.equal(more.body.code, 'RELEASE_NOT_APPROVED')
  assert.match(more.body.developerMessage, /SEND_SMS/)
  assert.equal((await ask('PUT', at(name), report(permissions, signerSha256))).status, 200)
  assert.deepEqual((await ask('GET', at(name))).body.approvedApk, { versionCode, signerSha256, permissions })
  // An unknown package replaces the app: the earlier report no longer counts.
  assert.equal((await ask('GET', at(name, '/plans'))).body.code, 'PERMISSIONS_NOT_APPROVED')
  assert.equal((await ask('PUT', at(name), report())).body.code, 'RELEASE_NOT_APPROVED')
  assert.equal((await ask('GET', at(name, '/plans'))).body.code, 'APPLICATION_NOT_INSTALLED')
})

test('bad reports are rejected by field name, and unknown apps and other callers are not found', async () => {
  const { ask } = await newTill()
  const bad: readonly [Json, string][] = [
    [{ ...report(), signerSha256: 'abc' }, 'signerSha256'],
    [{ ...report(), permissions: 'CAMERA' }, 'permissions'],
    [{ ...report(), permissions: ['a\nb'] }, 'permissions[0]'],
    [{ ...report(), permissions: Array(501).fill('P') }, 'permissions'],
    [{ ...report(), version: '' }, 'version'],
  ]
  for (const [body, path] of bad) {
    const answer = await ask('PUT', at(), body)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.fields[0].path, path)
  }
  assert.equal((await ask('PUT', at('com.nobody.app'), report())).body.code, 'APPLICATION_NOT_FOUND')
  assert.equal((await ask('DELETE', at('com.nobody.app'))).body.code, 'APPLICATION_NOT_FOUND')
  assert.equal((await world.ask(OPERATOR_KEY, 'PUT', at(), { body: report() })).status, 403)
})

test('a new activation and the closing of a terminal delete its installed apps', async () => {
  const { ask, businessId, terminal } = await newTill()
  await ask('PUT', at(), report())
  const of = `/businesses/${businessId}/devices/${terminal.deviceId}`
  const { activationCode } = await world.call('POST', `${of}/activation-code`)
  const key = newTerminalKey()
  const body = { activationCode, publicKey: key.publicKey }
  const activated = await world.ask(null, 'POST', '/devices/activate', { body })
  const next = await terminalToken(world, { ...terminal, kid: activated.body.kid, privateKey: key.privateKey })
  assert.equal((await world.ask(next, 'GET', at(packageName, '/plans'))).body.code, 'APPLICATION_NOT_INSTALLED')
  await world.ask(next, 'PUT', at(), { body: report() })
  assert.equal((await world.ask(OPERATOR_KEY, 'DELETE', of)).status, 204)
  const rows = await world.app.ports.db.sql`
    select 1 from installed_apps where device_id = ${terminal.deviceId.slice('urn:tid:'.length)}`
  assert.equal(rows.length, 0)
  assert.ok((await addTerminal(world, businessId)).deviceId)
})

test('signed subscriptions are the list, signed for this terminal and app, and are not an access token', async () => {
  const merchant = await world.merchant()
  const { ask, terminal } = await newTill(merchant.businessId)
  await ask('PUT', at(), report())
  const { subscriptionId } = await merchant.subscribe(await world.plan())
  await world.work()
  const { body } = await ask('GET', at(packageName, '/subscriptions/signed'))
  const [header = '', payload = '', signature = ''] = body.jws.split('.')
  const { alg, typ, kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  assert.deepEqual([alg, typ], ['RS256', 'subscriptions+jwt'])
  const { keys } = (await world.ask(null, 'GET', '/.well-known/jwks.json')).body
  const key = createPublicKey({ key: keys.find((one: Json) => one.kid === kid), format: 'jwk' })
  const isSigned = verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))
  assert.ok(isSigned)
  const { iat, exp, subscriptions, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  assert.deepEqual(claims, { iss: world.app.ports.settings.baseUrl, sub: packageName, aud: terminal.deviceId })
  assert.equal(exp - iat, 72 * 3600)
  assert.equal(body.expiresAt, `${new Date(exp * 1000).toISOString().slice(0, 19)}Z`)
  assert.deepEqual(subscriptions, (await ask('GET', at(packageName, '/subscriptions'))).body)
  assert.equal(subscriptions.list[0].subscriptionId, subscriptionId)
  for (const path of [at(packageName, '/plans'), `/apps/${world.appId}/plans`]) {
    assert.equal((await world.ask(body.jws, 'GET', path)).status, 401)
  }
})

test('a setting limits the validity of the signed list', async () => {
  const { ports: own } = world.app
  const ports = { ...own, ...createTokenMemory(own), settings: { ...own.settings, offlineHours: 5 } }
  const app = { packageName } as Parameters<typeof signSubscriptions>[1]['app']
  const { jws } = await signSubscriptions(ports, { deviceId: 'd', app, subscriptions: {} })
  const { iat, exp } = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())
  assert.equal(exp - iat, 5 * 3600)
})

test('an unknown package is 404 for each call', async () => {
  const { ask, terminal, token } = await newTill()
  const { headers } = await signInAt(world, terminal, token)
  const none = 'com.example.nothing'
  const answers = [
    await ask('PUT', at(none), report()),
    await ask('DELETE', at(none)),
    await ask('POST', at(none, '/approval'), { permissions: [] }, headers),
    await ask('GET', at(none, '/subscriptions')),
    await ask('GET', at(none, '/subscriptions/signed')),
    await ask('GET', at(none, '/plans')),
    await ask('POST', at(none, '/token'), undefined, headers),
  ]
  for (const { status, body } of answers) assert.deepEqual([status, body.code], [404, 'APPLICATION_NOT_FOUND'])
})

test('a terminal lists each plan with the price of its merchant’s country', async () => {
  const { businessId } = await world.merchant({ country: 'DE' })
  const { ask } = await newTill(businessId)
  await ask('PUT', at(), report())
  const dollars = { country: 'US', currency: 'USD', value: 500 }
  const euros = { country: 'DE', currency: 'EUR', value: 500 }
  const both = await world.plan({ amounts: [dollars, euros] })
  const abroad = await world.plan({ amounts: [dollars] })
  const { body } = await ask('GET', at(packageName, '/plans'))
  const amountsOf = (id: string) => body.list.find(({ planId }: Json) => planId === id).amounts
  assert.deepEqual(amountsOf(both), [euros])
  assert.deepEqual(amountsOf(abroad), [dollars])
})
