import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { insertMoneyMails } from '../../money/mails/store.ts'
import { visiting, visitor } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

async function developer(role: PersonRole = 'ADMIN', organizationId = world.organizationId) {
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, role)
  return visiting(world, token)
}

async function subscribed() {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan({ cancelPolicy: 'BILLING' }))
  await world.work()
  const path = `/dev/apps/${world.appId.split(':').at(-1)}/subscriptions/${subscriptionId}`
  return { shop, subscriptionId, path }
}

test('one timeline shows invoices, charges, refunds, webhooks, mails and actions of people, and the next charge', async () => {
  const ann = await developer()
  const { shop, path, subscriptionId } = await subscribed()
  const [invoice] = await shop.invoices()
  await world.call('POST', `/businesses/${shop.businessId}/invoices/${invoice?.invoiceId}/refunds`, {
    ...{ amount: 100, reason: 'Two <bad> days' },
  })
  await world.work()
  await insertMoneyMails(
    world.app.ports.db.sql,
    [
      {
        ...{ moneyMailId: v7(), kind: 'RECEIPT', sourceId: v7(), sourceSeq: 0, businessId: shop.businessId },
        ...{ subscriptionId, occurredAt: world.clock.now() },
      },
    ],
    world.clock.now(),
  )
  const { words, text } = await ann.get(path)
  assert.match(words, /Mail: receipt/)
  for (const pattern of [/Invoice \S+ issued/, /\$5\.00 paid/, /Refund of \$1\.00 paid/, /Two &lt;bad&gt; days/]) {
    assert.match(words, pattern)
  }
  assert.match(words, /Next charge \$5\.00 on/)
  assert.ok(!text.includes('<bad>'))
})

test('a subscription is cancelled once after a confirmation, and the timeline names the person', async () => {
  const ann = await developer()
  const { path, subscriptionId } = await subscribed()
  assert.match((await ann.get(`${path}/cancel`)).words, /The merchant can use the app until/)
  assert.equal((await ann.send(`${path}/cancel`)).location, `${path}?done=cancelled`)
  assert.equal((await ann.get(`${path}/cancel`)).location, path)
  const { words } = await ann.get(path)
  assert.match(words, /Ends soon/)
  assert.match(words, /Cancelled by your organization/)
  const subscription = await world.call('GET', `/apps/${world.appId}/subscriptions/${subscriptionId}`)
  assert.ok(subscription.cancelAt !== undefined)
})

test("the page of a real merchant's subscription names the merchant's page that changes the plan", async () => {
  const ann = await developer()
  const { shop, path, subscriptionId } = await subscribed()
  const link = `/my/subscriptions/${subscriptionId}/change`
  const seen = await ann.get(path)
  assert.match(seen.words, /Only the merchant can change the plan/)
  assert.ok(seen.text.includes(`${world.app.ports.settings.baseUrl}${link}</code>`))
  assert.equal((await (await visitor(world, shop.businessId)).get(link)).status, 200)
})

test('another organization can cancel and see nothing, and a viewer has no buttons', async () => {
  const { path } = await subscribed()
  const { organizationId } = await world.developer()
  const eve = await developer('ADMIN', organizationId)
  for (const url of [path, `${path}/cancel`]) assert.equal((await eve.get(url)).status, 404, url)
  const csrf = /name="csrf" value="([^"]+)"/.exec((await eve.get('/account')).text)?.[1] ?? ''
  assert.equal((await eve.post(`${path}/cancel`, { csrf })).status, 404)
  const vic = await developer('VIEWER')
  assert.doesNotMatch((await vic.get(path)).text, /\/cancel"/)
  assert.equal((await vic.get(`${path}/cancel`)).status, 403)
})
