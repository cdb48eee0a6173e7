import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { addTerminal } from '../../../test/support/terminals.ts'
import { createWorld, type Json, type Merchant, type World } from '../../../test/support/world.ts'
import { formOf, visiting, visitor } from './merchant.fixture.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'
const LIST = '/my/subscriptions'

let world: World
let monthly: string
before(async () => {
  world = await createWorld({ at: '2026-03-01T09:00:00Z' })
  monthly = await world.plan({ name: 'Pro', cancelPolicy: 'BILLING' })
})
after(() => world?.close())

/** A subscriber of this plan on a test clock. */
async function subscribed(planId: string, card = 'tok_ok') {
  const isDeclined = card === 'tok_insufficient_funds'
  const at = isDeclined ? '2026-02-01T09:00:00Z' : '2026-03-01T09:00:00Z'
  const shop = await world.merchant({ at, card: isDeclined ? 'tok_ok' : card })
  const { subscriptionId } = isDeclined ? await shop.renewWith(planId, card) : await shop.subscribe(planId)
  return { shop, subscriptionId: String(subscriptionId), path: `${LIST}/${subscriptionId}` }
}

const owner = (shop: Merchant) => visitor(world, shop.businessId)

test('a subscription shows its price, and the date and amount of the next charge', async () => {
  const { shop, path, subscriptionId } = await subscribed(monthly)
  const ann = await owner(shop)
  for (const at of [LIST, path]) {
    const { status, words } = await ann.get(at)
    assert.equal(status, 200)
    assert.match(words, /Pro/)
    assert.match(words, /\$5\.00 per month, per business/)
    assert.match(words, /Next charge: \$5\.00 on 1 April 2026\./)
  }
  assert.match((await ann.get(path)).words, /This period 1 March 2026 to 1 April 2026/)
  assert.doesNotMatch((await ann.get(LIST)).words, /Price per month/)
  const { appId } = await world.developer('second')
  const yearly = await world.plan({ interval: 'YEAR' }, appId)
  await world.call('POST', `/apps/${appId}/subscriptions`, { businessId: shop.businessId, planId: yearly })
  await world.work()
  const both = (await ann.get(LIST)).words
  assert.match(both, /Price per month \$5\.42 2 subscriptions Next charge \$5\.00 1 April 2026/)
  await world.call('DELETE', `/apps/${world.appId}/subscriptions/${subscriptionId}`)
  assert.match((await ann.get(LIST)).words, /Price per month \$0\.42 1 subscription Next charge \$5\.00 1 March 2027/)
})

test('a trial shows its end and the price afterwards', async () => {
  const trial = await world.plan({ name: 'Try', trialPeriodDays: 14 })
  const { shop, path } = await subscribed(trial)
  const { words } = await (await owner(shop)).get(path)
  assert.match(words, /Free until 15 March 2026\. Then \$5\.00 per month, per business\./)
  assert.match(words, /First charge: \$5\.00 on 15 March 2026\./)
})

test('a merchant in a trial without a payment method is asked to add one', async () => {
  const trial = await world.plan({ name: 'Try', trialPeriodDays: 14 })
  const { shop, path } = await subscribed(trial, 'none')
  assert.match((await (await owner(shop)).get(path)).words, /Add a payment method before then/)
})

test('a failed payment shows the next retry and the deadline, and links to payment methods', async () => {
  const { shop, path } = await subscribed(monthly, 'tok_insufficient_funds')
  const ann = await owner(shop)
  const { words, text } = await ann.get(path)
  assert.match(words, /Overdue/)
  assert.match(words, /\$5\.00 could not be charged\./)
  assert.match(words, /We try again on 2 March 2026 at 09:00\./)
  assert.match(words, /If it is not paid by 8 March 2026 at 09:00, the subscription ends\./)
  assert.match(text, /href="\/my\/payment-methods"[^>]*>Change payment method/)
  const list = (await ann.get(LIST)).words
  assert.match(list, /A payment failed/)
  assert.match(list, /Needs attention: 1 Subscriptions 1 need attention/)
})

test('days are in the time zone of the business', async () => {
  const { shop, path } = await subscribed(monthly)
  await world.call('PATCH', `/businesses/${shop.businessId}`, { timezone: 'Pacific/Kiritimati' })
  await shop.until('2026-04-01T12:00:00Z')
  // 09:00 UTC is 23:00 there; the clock is past it, so the next charge is in May.
  assert.match((await (await owner(shop)).get(path)).words, /Next charge: \$5\.00 on 1 May 2026/)
})

test('a cancellation at the end of the period shows its date and can be undone', async () => {
  const { shop, path, subscriptionId } = await subscribed(monthly)
  const ann = await owner(shop)
  const asked = await ann.get(`${path}/cancel`)
  assert.match(asked.words, /You can use it until 1 April 2026/)
  assert.equal((await shop.subscription(subscriptionId)).cancelAt, undefined)
  const sent = await ann.send(`${path}/cancel`)
  assert.deepEqual([sent.status, sent.location], [303, `${path}?done=cancelled`])
  const after = await ann.get(sent.location)
  assert.match(after.words, /Ends on 1 April 2026/)
  assert.match(after.words, /nothing more is charged/)
  assert.equal((await shop.subscription(subscriptionId)).cancelAt, '2026-04-01T09:00:00Z')
  const kept = await ann.send(path, {}, `${path}/restore`)
  assert.equal(kept.location, `${path}?done=restored`)
  assert.match((await ann.get(kept.location)).words, /Next charge: \$5\.00 on 1 April 2026/)
})

test('an immediate cancellation says that the subscription ends and nothing is refunded', async () => {
  const { shop, path, subscriptionId } = await subscribed(await world.plan({ name: 'Now', cancelPolicy: 'IMMEDIATE' }))
  const ann = await owner(shop)
  const { words } = await ann.get(`${path}/cancel`)
  assert.match(words, /It ends at once\./)
  assert.match(words, /You have paid until 1 April 2026\. The rest of that time is not paid back\./)
  await ann.send(`${path}/cancel`)
  assert.equal((await shop.subscription(subscriptionId)).status, 'ENDED')
  const list = await ann.get(LIST)
  assert.match(list.words, /No subscriptions/)
  assert.match(list.words, /Ended \(1\)/)
  const ended = await ann.get(path)
  assert.match(ended.words, /It was cancelled on 1 March 2026\./)
  assert.doesNotMatch(ended.text, /\/cancel"|\/change"/)
})

test('cancelling a past-due subscription says that the invoice is no longer owed', async () => {
  const now = await world.plan({ name: 'Owed', cancelPolicy: 'IMMEDIATE' })
  const { shop, path } = await subscribed(now, 'tok_insufficient_funds')
  const { words } = await (await owner(shop)).get(`${path}/cancel`)
  assert.match(words, /You no longer owe the \$5\.00 that could not be charged\./)
  assert.doesNotMatch(words, /You have paid until/)
})

test('a cancellation pressed twice, also concurrently, is made once', async () => {
  const { shop, path, subscriptionId } = await subscribed(monthly)
  const ann = await owner(shop)
  const hidden = formOf((await ann.get(`${path}/cancel`)).text)?.hidden ?? {}
  const both = await Promise.all([ann.post(`${path}/cancel`, hidden), ann.post(`${path}/cancel`, hidden)])
  const again = await ann.post(`${path}/cancel`, hidden)
  assert.deepEqual(
    [...both, again].map(({ location }) => location),
    Array(3).fill(`${path}?done=cancelled`),
  )
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'CANCEL_SCHEDULED')
  assert.equal((await shop.subscription(subscriptionId)).status, 'ACTIVE')
})

test('a cancellation confirmed on an old page is asked again after a new period began', async () => {
  const { shop, path, subscriptionId } = await subscribed(monthly)
  const ann = await owner(shop)
  const hidden = formOf((await ann.get(`${path}/cancel`)).text)?.hidden ?? {}
  await shop.until('2026-04-02T00:00:00Z')
  const answered = await ann.post(`${path}/cancel`, hidden)
  assert.equal(answered.status, 200)
  assert.match(answered.words, /Something has changed since you opened this page\. Nothing was cancelled\./)
  assert.match(answered.words, /You can use it until 1 May 2026/)
  assert.equal((await shop.subscription(subscriptionId)).cancelAt, undefined)
})

test('restoring an active or ended subscription changes nothing and shows its state', async () => {
  const { shop, path } = await subscribed(monthly)
  const ann = await owner(shop)
  const { csrf = '' } = formOf((await ann.get(`${path}/cancel`)).text)?.hidden ?? {}
  assert.equal((await ann.post(`${path}/restore`, { csrf })).location, path)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
})

test('a success message in the address is shown only if it is true', async () => {
  const { shop, path } = await subscribed(monthly)
  const ann = await owner(shop)
  const { words } = await ann.get(`${path}?done=cancelled`)
  assert.doesNotMatch(words, /Cancelled/)
  assert.equal((await ann.get(`${path}?done=nonsense`)).status, 400)
})

async function locationIn({ businessId }: Merchant) {
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Main' })
  const { deviceId } = await addTerminal(world, businessId, String(storeId))
  return { storeId: String(storeId), deviceId: String(deviceId) }
}

test('a subscription moves to another terminal or store of the business, once, at the same price', async () => {
  for (const scope of ['STORE', 'DEVICE'] as const) {
    const field = scope === 'STORE' ? 'storeId' : 'deviceId'
    const planId = await world.plan({ name: 'Local', scope })
    const shop = await world.merchant({ at: '2026-03-01T09:00:00Z' })
    const [here, there] = [await locationIn(shop), await locationIn(shop)]
    const abroad = await locationIn(await world.merchant())
    const idOf = ({ storeId, deviceId }: Json) => String(scope === 'STORE' ? storeId : deviceId)
    const at = scope === 'STORE' ? { storeId: here.storeId } : { deviceId: here.deviceId }
    const body = { businessId: shop.businessId, planId, ...at }
    const subscribe = () => world.call('POST', `/apps/${world.appId}/subscriptions`, body)
    const { subscriptionId, nextChargeAt } = await subscribe()
    const path = `${LIST}/${subscriptionId}`
    const ann = await owner(shop)
    assert.match((await ann.get(path)).text, /\/move"/)
    const asked = await ann.get(`${path}/move`)
    const [target, foreign] = [idOf(there), idOf(abroad)]
    assert.ok(asked.text.includes(`value="${target}"`) && !asked.text.includes(foreign))
    const { csrf = '' } = formOf(asked.text)?.hidden ?? {}
    assert.match((await ann.post(`${path}/move`, { csrf })).words, /Choose one of them\./)
    assert.equal((await ann.post(`${path}/move`, { csrf, [field]: foreign })).status, 404)
    const fields = { csrf, [field]: target }
    for (const { location } of await Promise.all([1, 2].map(() => ann.post(`${path}/move`, fields)))) {
      assert.equal(location, `${path}?done=moved`)
    }
    assert.match((await ann.get(`${path}?done=moved`)).words, /The subscription is for .+ now/)
    const moved = await shop.subscription(String(subscriptionId))
    assert.deepEqual([idOf(moved), moved.nextChargeAt], [idOf(there), nextChargeAt])
    await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'TRANSFERRED')
    await subscribe()
    const taken = await ann.post(`${path}/move`, { csrf, [field]: idOf(here) })
    assert.deepEqual([taken.status, /The subscription was not moved/.test(taken.words)], [409, true])
  }
})

test('a subscription of the whole business cannot move', async () => {
  const { shop, path } = await subscribed(monthly)
  const ann = await owner(shop)
  assert.doesNotMatch((await ann.get(path)).text, /\/move"/)
  assert.match((await ann.get(`${path}/move`)).words, /Nothing to move/)
})

test("another business's subscription is not found", async () => {
  const { path, subscriptionId, shop } = await subscribed(monthly)
  const { shop: other, path: own } = await subscribed(monthly)
  const bob = await owner(other)
  const { csrf = '' } = formOf((await bob.get(`${own}/cancel`)).text)?.hidden ?? {}
  const unknown = `${LIST}/${UNKNOWN}`
  for (const end of ['', '/cancel', '/change', '/move', `/change/preview?planId=${monthly}`]) {
    assert.deepEqual(
      [(await bob.get(`${path}${end}`)).status, (await bob.get(`${unknown}${end}`)).status],
      [404, 404],
      `GET ${end}`,
    )
  }
  for (const end of ['/cancel', '/restore', '/keep', '/change', '/move']) {
    const fields = { csrf, shown: 'now', planId: monthly, when: 'NOW', amount: '0' }
    assert.equal((await bob.post(`${path}${end}`, fields)).status, 404, `POST ${end}`)
  }
  assert.doesNotMatch((await bob.get(LIST)).text, new RegExp(subscriptionId))
  assert.equal((await shop.subscription(subscriptionId)).cancelAt, undefined)
})

test('an unauthenticated visitor sees nothing, and forms without their token are rejected', async () => {
  const { shop, path, subscriptionId } = await subscribed(monthly)
  const nobody = visiting(world, null)
  for (const at of [LIST, path, `${path}/cancel`, '/my/invoices', '/my/payment-methods', '/my/apps']) {
    const { status, location } = await nobody.get(at)
    assert.deepEqual([status, location], [303, `/sign-in?next=${encodeURIComponent(at)}`])
  }
  const ann = await owner(shop)
  const [one, two] = [formOf((await ann.get(`${path}/cancel`)).text)?.hidden ?? {}, await owner(shop)]
  const { csrf: foreign = '' } = formOf((await two.get(`${path}/cancel`)).text)?.hidden ?? {}
  for (const csrf of ['', 'wrong', foreign]) {
    assert.equal((await ann.post(`${path}/cancel`, { ...one, csrf })).status, 403, csrf)
  }
  const elsewhere = await ann.post(`${path}/cancel`, one, { origin: 'https://evil.example' })
  assert.equal(elsewhere.status, 403)
  assert.equal((await shop.subscription(subscriptionId)).cancelAt, undefined)
})

test('a viewer sees every page without buttons, and a submitted form is rejected', async () => {
  const { shop, path } = await subscribed(monthly)
  const vera = await visitor(world, shop.businessId, 'VIEWER')
  const page = await vera.get(path)
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /\/cancel"|\/change"|\/restore"|\/move"/)
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page.text)?.groups ?? {}
  for (const at of ['/cancel', '/change', '/change/preview', '/move'])
    assert.equal((await vera.get(`${path}${at}`)).status, 403)
  for (const at of ['/cancel', '/restore', '/change', '/keep', '/move']) {
    const fields = { csrf, shown: 'now', planId: monthly, when: 'NOW', amount: '0' }
    assert.equal((await vera.post(`${path}${at}`, fields)).status, 403, at)
  }
  for (const at of ['/my/invoices', '/my/payment-methods', '/my/apps']) assert.equal((await vera.get(at)).status, 200)
})

test('people without a business cannot open the pages', async () => {
  const dev = await newPerson(world, { kind: 'DEVELOPER', organizationId: world.organizationId }, 'ADMIN')
  for (const at of [LIST, '/my/invoices', '/my/payment-methods', '/my/apps']) {
    assert.equal((await visiting(world, dev.token).get(at)).status, 403, at)
  }
  assert.equal((await visiting(world, dev.token).get('/my')).location, '/dev')
  const ann = await owner(await world.merchant())
  assert.equal((await ann.get('/my')).location, LIST)
})
