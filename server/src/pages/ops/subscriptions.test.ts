import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { formOf, visiting } from '../merchant/merchant.fixture.ts'
import { operator } from '../webhooks/webhooks.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

/** A live merchant who paid $5.00. */
async function paidFive(name = 'Corner Shop') {
  const shop = await world.merchant({ type: 'MERCHANT' })
  await world.call('PATCH', `/businesses/${shop.businessId}`, { doingBusinessAs: name })
  const { subscriptionId } = await shop.subscribe(await world.plan({ cancelPolicy: 'BILLING' }))
  const [invoice] = await shop.invoices()
  const { invoiceId, number } = invoice ?? assert.fail('the first invoice')
  const of = `/ops/apps/${world.appId.split(':').at(-1)}/subscriptions/${subscriptionId}`
  return { shop, of, subscriptionId, invoiceId, number, refund: `${of}/invoices/${invoiceId}/refund` }
}

test('the operator finds a subscription by name, state and invoice number, and opens it', async () => {
  const { of, shop, subscriptionId, number, invoiceId } = await paidFive('Harbour <b>Books</b>')
  const olga = await operator(world)
  for (const path of [
    '/ops/subscriptions?q=harbour',
    `/ops/subscriptions?q=${subscriptionId}`,
    `/ops/subscriptions?appId=${world.appId.split(':').at(-1)}`,
    `/ops/invoices?q=${number}`,
    '/ops/invoices?status=PAID&q=harbour',
    `/ops/merchants/${shop.businessId}`,
    `/search?q=${subscriptionId}`,
  ]) {
    const { text, status } = await olga.get(path)
    assert.equal(status, 200, path)
    assert.ok(text.includes(`href="${of}"`), path)
    assert.ok(!text.includes('<b>Books'), path)
  }
  assert.ok(!(await olga.get('/ops/subscriptions?state=ENDED&q=harbour')).text.includes(of))
  assert.match((await olga.get(of)).words, /Invoices, newest first .* Timeline .* Details Merchant Harbour/)
  const pdf = await olga.get(`/ops/invoices/${invoiceId}.pdf`)
  assert.equal(pdf.status, 200)
  assert.ok(pdf.text.startsWith('%PDF'))
  assert.match((await olga.get('/ops/subscriptions/file.csv')).text, new RegExp(subscriptionId))
  for (const bad of ['/ops/subscriptions?state=GONE', '/ops/invoices?status=GONE', '/ops/subscriptions?appId=me']) {
    assert.equal((await olga.get(bad)).status, 400, bad)
  }
})

test('the operator refunds a part once, and the preview names the developer’s share', async () => {
  const { of, refund, shop } = await paidFive()
  const olga = await operator(world)
  assert.match((await olga.get(of)).text, new RegExp(`href="${refund}"`))
  const preview = await olga.send(refund, { amount: '2.01', reason: 'Goodwill' }, `${refund}/preview`)
  assert.match(
    preview.words,
    /Invoice [\d-]+, \S.* The merchant receives \$2\.01 Taken from the developer’s balance \$1\.61 Returned by the platform \$0\.40/,
  )
  const fields = formOf(preview.text, refund)?.hidden ?? assert.fail('the form that refunds')
  for (let times = 0; times < 2; times++)
    assert.equal((await olga.post(refund, fields)).location, `${of}?done=refunded`)
  const [invoice] = await shop.invoices()
  assert.deepEqual(
    invoice?.refunds.map(({ amount, reason }: { amount: number; reason: string }) => [amount, reason]),
    [[201, 'Goodwill']],
  )
  for (const amount of ['', '0', '3.00', 'all']) {
    assert.equal((await olga.send(refund, { amount, reason: '' }, `${refund}/preview`)).status, 400, amount)
  }
})

test('the operator cancels a subscription, and ends it at once with a second press that changes nothing', async () => {
  const { of, subscriptionId } = await paidFive()
  const olga = await operator(world)
  assert.equal((await olga.send(`${of}/cancel`)).location, `${of}?done=cancelled`)
  assert.match((await olga.get(`${of}/end`)).words, /Nothing is paid back/)
  assert.equal((await olga.send(`${of}/end`)).location, `${of}?done=ended`)
  assert.equal((await olga.get(`${of}/end`)).location, of)
  const record = await world.call('GET', `/apps/${world.appId}/subscriptions/${subscriptionId}`)
  assert.equal(record.status, 'ENDED')
  const { words, text } = await olga.get(of)
  assert.match(words, /Ended by the operator .* Cancelled by the operator .* Subscribed by the operator/)
  assert.ok(!text.includes(`${of}/end`))
})

test('a viewer has no buttons, a developer no page, and the ids must belong together', async () => {
  const { of, refund, invoiceId } = await paidFive()
  const viewer = await operator(world, 'VIEWER')
  const { text } = await viewer.get(of)
  for (const button of ['/cancel"', '/end"', '/refund"']) assert.ok(!text.includes(button), button)
  for (const path of [`${of}/end`, `${of}/cancel`, refund]) assert.equal((await viewer.get(path)).status, 403, path)
  const person = await newPerson(world, { kind: 'DEVELOPER', organizationId: world.organizationId }, 'ADMIN')
  const dora = visiting(world, person.token)
  for (const path of [
    of,
    `${of}/end`,
    refund,
    '/ops/subscriptions',
    '/ops/invoices',
    `/ops/invoices/${invoiceId}.pdf`,
  ]) {
    assert.equal((await dora.get(path)).status, 404, path)
  }
  const olga = await operator(world)
  const other = await paidFive()
  const { appId } = await world.developer()
  const ofOtherApp = of.replace(/apps\/[^/]+/, `apps/${appId.split(':').at(-1)}`)
  for (const path of [ofOtherApp, `${ofOtherApp}/end`, `${of}/invoices/${other.invoiceId}/refund`]) {
    assert.equal((await olga.get(path)).status, 404, path)
  }
})
