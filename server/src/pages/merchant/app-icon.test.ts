import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pngOf } from '../../../test/support/pictures.ts'
import { newTill } from '../../../test/support/purchases.ts'
import { sendIcon } from '../../../test/support/upload.ts'
import { newVisitor } from '../../../test/support/visitor.ts'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { visitor } from './merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

test("merchants see an app's icon wherever the app is named, or its initial without an icon", async () => {
  const { appId } = world
  await world.call('PATCH', `/apps/${appId}`, { callbackUrls: ['https://app.example/back'] })
  const till = await newTill(world)
  await till.merchant.subscribe(await world.plan())
  await world.call('POST', `/businesses/${till.businessId}/approvals`, { appId, rights: ['READ'] })
  const [owner, stranger] = [
    await visitor(world, till.businessId),
    await visitor(world, (await newTill(world)).businessId),
  ]
  const screen = await till.open({ planId: await world.plan() })
  const browser = newVisitor(world.app)
  await browser.get(screen.url)
  const looks = {
    'their subscriptions': async () => (await owner.get('/my/subscriptions')).text,
    'their apps': async () => (await owner.get('/my/apps')).text,
    'an app that asks to be let in': async () =>
      (await stranger.get(`/applications/authorize?client_id=${appId}`)).text,
    'the screen of a purchase': async () => (await browser.get(screen.path)).body,
  }
  for (const [where, look] of Object.entries(looks)) {
    assert.match(await look(), /<span class="app-icon" aria-hidden="true">\w<\/span>/, where)
  }
  const { icon } = (await sendIcon(world, OPERATOR_KEY, { appId, icon: pngOf() })).body
  const { pathname, search } = new URL(icon.url)
  for (const [where, look] of Object.entries(looks)) {
    assert.ok((await look()).includes(`<img class="app-icon" src="${pathname}${search}" alt=""`), where)
  }
})
