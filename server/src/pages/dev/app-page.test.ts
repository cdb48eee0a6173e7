import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { tokenOf } from '../../../test/support/tokens.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { formOf, visiting } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

async function studio(role: PersonRole = 'ADMIN', of?: Awaited<ReturnType<World['developer']>>) {
  const app = of ?? (await world.developer())
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId: app.organizationId }, role)
  return { ...app, path: `/dev/apps/${app.appId.slice('urn:aid:'.length)}`, ...visiting(world, token) }
}

test('each tab of an app is a page and is marked as current', async () => {
  const ann = await studio()
  for (const tab of ['', '/plans', '/releases', '/keys', '/settings']) {
    const { status, text } = await ann.get(`${ann.path}${tab}`)
    assert.equal(status, 200, tab)
    assert.match(text, new RegExp(`<a href="${ann.path}${tab}" aria-current="page">`), tab)
  }
  assert.match((await ann.get(ann.path)).words, /Active subscriptions 0 .* Active keys 1/)
  assert.match((await ann.get(`${ann.path}/plans`)).words, /No approved plans yet/)
  assert.match((await ann.get(`${ann.path}/releases`)).words, /No releases yet/)
})

test('a new key shows no use, then its use, and a revoked key gets no token and leaves the list', async () => {
  const ann = await studio()
  const keys = `${ann.path}/keys`
  assert.match((await ann.get(keys)).words, new RegExp(`${ann.kid} .* Never`))
  assert.ok(!('lastUsedAt' in (await world.call('GET', `/apps/${ann.appId}`)).keys[0]))
  await tokenOf(world, ann)
  const [key] = (await world.call('GET', `/apps/${ann.appId}`)).keys
  assert.match(key.lastUsedAt, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  assert.match((await ann.get(keys)).words, new RegExp(`${ann.kid} .* just now from 127\\.0\\.0\\.1`))

  const revoke = `${keys}/${ann.kid}/revoke`
  assert.match((await ann.get(keys)).text, new RegExp(`href="${revoke}"`))
  assert.equal((await ann.send(revoke)).location, `${keys}?done=revoked`)
  const csrf = formOf((await ann.get(keys)).text, keys)?.hidden.csrf ?? assert.fail('a form')
  assert.equal((await ann.post(revoke, { csrf })).location, `${keys}?done=revoked`, 'pressed twice')
  assert.match((await ann.get(`${keys}?done=revoked`)).words, /Key revoked .* No active keys/)
  assert.equal((await ann.get(revoke)).status, 404)
  await assert.rejects(tokenOf(world, ann))
})

test('a kid with a slash has a page', async () => {
  const ann = await studio()
  const { generateKeyPairSync } = await import('node:crypto')
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = 'team/2026 #1?'.replace(' ', '')
  await world.call('POST', `/apps/${ann.appId}/keys`, { publicKey: { ...publicKey.export({ format: 'jwk' }), kid } })
  const revoke = `${ann.path}/keys/${encodeURIComponent(kid)}/revoke`
  assert.equal((await ann.send(revoke)).status, 303)
  const left = (await world.call('GET', `/apps/${ann.appId}`)).keys
  assert.deepEqual(
    left.map((one: { kid: string }) => one.kid),
    [ann.kid],
  )
})

test('another organization gets 404 for tabs and keys, and a member sees keys without buttons', async () => {
  const ann = await studio()
  const eve = await studio()
  const csrf = formOf((await eve.get(`${eve.path}/keys`)).text)?.hidden.csrf ?? ''
  const revoke = `${ann.path}/keys/${ann.kid}/revoke`
  for (const url of [`${ann.path}/plans`, `${ann.path}/releases`, `${ann.path}/keys`, revoke])
    assert.equal((await eve.get(url)).status, 404, url)
  for (const url of [revoke, `${ann.path}/keys`]) assert.equal((await eve.post(url, { csrf })).status, 404, url)
  assert.equal((await eve.get(`${eve.path}/keys/${ann.kid}x/revoke`)).status, 404)
  const max = await studio('MEMBER', ann)
  const shown = await max.get(`${ann.path}/keys`)
  assert.doesNotMatch(shown.text, /Create a key|Revoke<|\/revoke"/)
  const own = formOf((await max.get(`${ann.path}/settings`)).text)?.hidden.csrf ?? ''
  for (const url of [revoke, `${ann.path}/keys`]) assert.equal((await max.post(url, { csrf: own })).status, 403, url)
  assert.equal((await world.call('GET', `/apps/${ann.appId}`)).keys.length, 1)
})
