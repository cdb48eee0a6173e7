import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

test('REQUIRE_HTTPS rejects plain http in the callback URLs of a new app and of a changed app', async () => {
  const { settings } = world.app.ports
  const app = await world.openAnother({ settings: { ...settings, requireHttps: true } })
  const send = (method: 'POST' | 'PATCH', path: string, body: object) =>
    world.ask(OPERATOR_KEY, method, path, { app, body })
  const callbackUrls = ['https://acme.example/back', 'http://acme.example/back']
  const made = { organizationId: world.organizationId, name: 'Till', packageName: 'com.example.https' }
  for (const rejected of [
    await send('POST', '/apps', { ...made, callbackUrls }),
    await send('PATCH', `/apps/${world.appId}`, { callbackUrls }),
  ]) {
    assert.equal(rejected.status, 400)
    assert.match(JSON.stringify(rejected.body.fields), /callbackUrls\[1\].*must be an https URL/)
  }
  assert.equal((await send('POST', '/apps', { ...made, callbackUrls: callbackUrls.slice(0, 1) })).status, 201)
  assert.equal((await world.ask(OPERATOR_KEY, 'PATCH', `/apps/${world.appId}`, { body: { callbackUrls } })).status, 200)
})
