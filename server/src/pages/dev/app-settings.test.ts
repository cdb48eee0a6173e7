import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { MULTIPART, multipart } from '../../../test/support/upload.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { formOf, visiting } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

async function studio(role: PersonRole = 'ADMIN', of?: { organizationId: string; appId: string }) {
  const { organizationId, appId } = of ?? (await world.developer())
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, role)
  return {
    organizationId,
    appId,
    token,
    path: `/dev/apps/${appId.slice('urn:aid:'.length)}`,
    ...visiting(world, token),
  }
}

test('name and callbacks are saved, and wrong values are shown, stay in the form and change nothing', async () => {
  const ann = await studio()
  const { path, appId } = ann
  const at = `${path}/settings`
  const callbackUrls = 'https://a.example/back\r\nhttps://b.example/back'
  assert.equal((await ann.send(at, { name: 'كافيه <b>', callbackUrls }, at)).location, `${path}?done=saved`)
  const app = await world.call('GET', `/apps/${appId}`)
  assert.deepEqual([app.name, app.callbackUrls], ['كافيه <b>', callbackUrls.split('\r\n')])
  assert.match((await ann.send(at, { name: ' ', callbackUrls }, at)).words, /Enter the name/)
  const wrong = await ann.send(at, { name: 'Planner', callbackUrls: 'javascript:alert(1)' }, at)
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /javascript:alert\(1\)<\/textarea>/)
  assert.equal((await world.call('GET', `/apps/${appId}`)).name, 'كافيه <b>')
})

test('an icon file that is not a picture is rejected in the form', async () => {
  const ann = await studio()
  const at = `${ann.path}/settings`
  const { hidden } = formOf((await ann.get(at)).text, at) ?? assert.fail('a form')
  const parts = Object.entries({ ...hidden, name: 'Planner', callbackUrls: '' }).map(([name, content]) => ({
    name,
    content,
  }))
  const sent = await world.app.http.inject({
    ...{ method: 'POST', url: at, headers: { ...MULTIPART, cookie: `tillhook=${ann.token}` } },
    payload: multipart([...parts, { name: 'icon', content: '<svg/>', filename: 'a.png', type: 'image/png' }]),
  })
  assert.equal(sent.statusCode, 400)
  assert.match(sent.body, /id="icon-problem"/)
})

test('an app is disabled and enabled, and a plan is retired once', async () => {
  const ann = await studio('ADMIN', world)
  const { path, appId } = ann
  const planId = await world.plan()
  const retire = `${path}/plans/${planId}/retire`
  assert.match((await ann.get(`${path}/plans`)).text, new RegExp(`href="${retire}"`))
  assert.equal((await ann.send(retire)).location, `${path}/plans?done=retired`)
  assert.equal((await ann.get(retire)).location, `${path}/plans`)
  assert.equal((await world.call('GET', `/apps/${appId}/plans?status=INACTIVE`)).list.at(-1).planId, planId)
  const sell = () => ann.send(`${path}/settings`, {}, `${path}/settings/sell`)
  await sell()
  assert.equal((await world.call('GET', `/apps/${appId}`)).status, 'DISABLED')
  await sell()
  assert.equal((await world.call('GET', `/apps/${appId}`)).status, 'ACTIVE')
})

test('another organization gets 404 on each page, and a viewer 403 for changes and no buttons', async () => {
  const ann = await studio('ADMIN', world)
  const retire = `${ann.path}/plans/${await world.plan()}/retire`
  const eve = await studio()
  const vic = await studio('VIEWER', world)
  const csrf = formOf((await eve.get(`${eve.path}/settings`)).text)?.hidden.csrf ?? ''
  for (const url of [`${ann.path}/settings`, retire]) {
    assert.equal((await eve.get(url)).status, 404, url)
    assert.equal((await eve.post(url, { csrf, name: 'x', callbackUrls: '' })).status, 404, url)
    assert.equal((await vic.get(url)).status, 403, url)
  }
  const foreign = retire.replace(ann.path, eve.path)
  assert.equal((await eve.get(foreign)).status, 404, 'a plan of another app')
  assert.equal((await eve.post(foreign, { csrf })).status, 404)
  for (const tab of ['', '/plans', '/keys'])
    assert.doesNotMatch((await vic.get(`${ann.path}${tab}`)).text, /Settings<\/a>|Retire<|Create a key/)
})
