import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { formOf, visitor } from './merchant.fixture.ts'

let world: World
const plans = { small: '', large: '', yearly: '', ofStores: '', elsewhere: '', retired: '', foreign: '' }
before(async () => {
  world = await createWorld({ at: '2026-03-01T00:00:00Z' })
  const us = (value: number) => [{ country: 'US', currency: 'USD', value }]
  plans.small = await world.plan({ name: 'Small', amounts: us(1_000), cancelPolicy: 'BILLING' })
  plans.large = await world.plan({ name: 'Large', amounts: us(3_100) })
  plans.yearly = await world.plan({ name: 'Yearly', amounts: us(9_000), interval: 'YEAR' })
  plans.ofStores = await world.plan({ name: 'Of stores', scope: 'STORE' })
  plans.elsewhere = await world.plan({ name: 'Elsewhere', amounts: [{ country: 'DE', currency: 'EUR', value: 900 }] })
  plans.retired = await world.plan({ name: 'Retired' })
  await world.call('POST', `/apps/${world.appId}/plans/${plans.retired}/retire`, {}, 200)
  plans.foreign = await world.plan({ name: 'Foreign' }, (await world.developer()).appId)
})
after(() => world?.close())

async function subscribed(planId: string, card = 'tok_ok') {
  const isDeclined = card !== 'tok_ok'
  const shop = await world.merchant({ at: isDeclined ? '2026-02-01T00:00:00Z' : '2026-03-01T00:00:00Z' })
  const { subscriptionId } = isDeclined ? await shop.renewWith(planId, card) : await shop.subscribe(planId)
  const path = `/my/subscriptions/${subscriptionId}`
  return { shop, path, subscriptionId: String(subscriptionId), ann: await visitor(world, shop.businessId) }
}

const previewOf = (path: string, planId: string, when: string) => `${path}/change/preview?planId=${planId}&when=${when}`

test('only possible plans are offered, cheapest first, with their prices', async () => {
  const { ann, path } = await subscribed(plans.small)
  const { words } = await ann.get(`${path}/change`)
  assert.match(words, /Large \$31\.00 per month, per business Yearly \$90\.00 per year, per business/)
  assert.doesNotMatch(words, /Of stores|Elsewhere|Retired|Foreign/)
})

test('an immediate change shows the lines to the cent and charges the shown amount', async () => {
  const { ann, path, shop, subscriptionId } = await subscribed(plans.small)
  // Half of 31 days.
  await shop.until('2026-03-16T12:00:00Z')
  const preview = previewOf(path, plans.large, 'NOW')
  const { words } = await ann.get(preview)
  assert.match(words, /Large 16 March 2026 to 16 April 2026 \$31\.00/)
  assert.match(words, /16 March 2026 to 16 April 2026 −\$5\.00/)
  assert.match(words, /Charged today \$26\.00/)
  assert.match(words, /For the time that you paid for and do not use, \$5\.00 is taken off\./)
  assert.match(words, /Next charge: \$31\.00 on 16 April 2026\./)
  assert.match(words, /Pay \$26\.00 and change now/)
  assert.equal((await shop.subscription(subscriptionId)).planId, plans.small)
  const sent = await ann.send(preview)
  assert.deepEqual([sent.status, sent.location], [303, `${path}?done=changed`])
  assert.match((await ann.get(sent.location)).words, /You are on Large now/)
  const invoices = await shop.invoices()
  assert.deepEqual(
    invoices.map(({ amount }) => amount),
    [1_000, 2_600],
  )
})

test('a change pressed twice at once is made and charged once', async () => {
  const { ann, path, shop } = await subscribed(plans.small)
  const hidden = formOf((await ann.get(previewOf(path, plans.large, 'NOW'))).text)?.hidden ?? {}
  const answers = await Promise.all([1, 2, 3].map(() => ann.post(`${path}/change`, hidden)))
  answers.push(await ann.post(`${path}/change`, hidden))
  for (const { location } of answers) assert.equal(location, `${path}?done=changed`)
  assert.equal((await shop.invoices()).length, 2)
})

test('a cost above the shown cost is shown again, and nothing is charged', async () => {
  const { ann, path, shop, subscriptionId } = await subscribed(plans.small)
  const hidden = formOf((await ann.get(previewOf(path, plans.large, 'NOW'))).text)?.hidden ?? {}
  assert.equal(hidden.amount, '2100')
  await shop.until('2026-03-16T12:00:00Z')
  const answered = await ann.post(`${path}/change`, hidden)
  assert.equal(answered.status, 200)
  assert.match(answered.words, /The price has changed a little It is \$26\.00 now/)
  assert.match(answered.words, /Pay \$26\.00 and change now/)
  assert.equal((await shop.subscription(subscriptionId)).planId, plans.small)
  assert.equal((await shop.invoices()).length, 1)
  const fresh = formOf(answered.text)?.hidden ?? {}
  assert.equal((await ann.post(`${path}/change`, fresh)).location, `${path}?done=changed`)
})

test('a change at the period’s end shows its effect, is pending, and can be withdrawn', async () => {
  const { ann, path, shop, subscriptionId } = await subscribed(plans.small)
  const preview = previewOf(path, plans.large, 'PERIOD_END')
  const { words } = await ann.get(preview)
  assert.match(words, /Charged on 1 April 2026 \$31\.00/)
  assert.match(words, /Nothing is charged today\./)
  const sent = await ann.send(preview)
  assert.equal(sent.location, `${path}?done=postponed`)
  const after = await ann.get(sent.location)
  assert.match(after.words, /The change to Large is scheduled/)
  assert.match(after.words, /Changes to Large on 1 April 2026: \$31\.00 per month, per business\./)
  assert.match(after.words, /Next charge: \$31\.00 on 1 April 2026\./)
  const kept = await ann.send(path, {}, `${path}/keep`)
  assert.equal(kept.location, `${path}?done=kept`)
  assert.match((await ann.get(kept.location)).words, /Next charge: \$10\.00 on 1 April 2026\./)
  assert.equal((await shop.subscription(subscriptionId)).pendingPlanId, undefined)
})

test('a plan change in a trial keeps the trial', async () => {
  const trial = await world.plan({ name: 'Try', trialPeriodDays: 14 })
  const { ann, path, shop } = await subscribed(trial)
  const preview = previewOf(path, plans.large, 'NOW')
  assert.match(
    (await ann.get(preview)).words,
    /Your free trial goes on until 15 March 2026; then \$31\.00 is charged\./,
  )
  await ann.send(preview)
  assert.match((await ann.get(path)).words, /Free until 15 March 2026\. Then \$31\.00 per month/)
  assert.equal((await shop.invoices()).length, 0)
})

test('without a choice the form is shown again with the error', async () => {
  const { ann, path } = await subscribed(plans.small)
  const { status, words } = await ann.get(`${path}/change/preview?when=PERIOD_END`)
  assert.equal(status, 400)
  assert.match(words, /Choose one of the plans\./)
})

test('an impossible change is rejected with advice, and nothing changes', async () => {
  const due = await subscribed(plans.small, 'tok_insufficient_funds')
  const rejected = await due.ann.get(previewOf(due.path, plans.large, 'NOW'))
  assert.equal(rejected.status, 409)
  assert.match(rejected.words, /A payment has failed\. Once it is paid, you can change the plan\./)
  assert.match(rejected.text, /href="\/my\/payment-methods"/)
  const { ann, path, shop, subscriptionId } = await subscribed(plans.small)
  const { csrf = '' } = formOf((await ann.get(`${path}/cancel`)).text)?.hidden ?? {}
  const change = (fields: Record<string, string>) =>
    ann.post(`${path}/change`, { csrf, planId: plans.large, when: 'NOW', amount: '9999999', ...fields })
  for (const [planId, status] of [
    [plans.ofStores, 409],
    [plans.elsewhere, 409],
    [plans.retired, 409],
    [plans.foreign, 404],
    ['018f0000-0000-7000-8000-000000000000', 404],
  ] as const) {
    assert.equal((await change({ planId })).status, status)
    assert.equal((await ann.get(previewOf(path, planId, 'NOW'))).status, status)
  }
  for (const wrong of [
    { planId: 'x' },
    { when: 'SOON' },
    { amount: '-1' },
    { amount: '1e9' },
    { amount: '9'.repeat(20) },
  ]) {
    assert.equal((await change(wrong)).status, 400, JSON.stringify(wrong))
  }
  assert.equal((await shop.subscription(subscriptionId)).planId, plans.small)
})

test('without another plan the page says so', async () => {
  const { appId } = await world.developer()
  const only = await world.plan({ name: 'Only' }, appId)
  const shop = await world.merchant()
  const made = await world.call('POST', `/apps/${appId}/subscriptions`, { businessId: shop.businessId, planId: only })
  const ann = await visitor(world, shop.businessId)
  assert.match((await ann.get(`/my/subscriptions/${made.subscriptionId}/change`)).words, /No other plan/)
})

test('the only other plan is preselected', async () => {
  const { appId } = await world.developer()
  const [small, large] = [await world.plan({ name: 'S' }, appId), await world.plan({ name: 'L' }, appId)]
  const shop = await world.merchant()
  const { subscriptionId } = await world.call('POST', `/apps/${appId}/subscriptions`, {
    ...{ businessId: shop.businessId, planId: small },
  })
  await world.work()
  const ann = await visitor(world, shop.businessId)
  const { text } = await ann.get(`/my/subscriptions/${subscriptionId}/change`)
  assert.match(text, new RegExp(`<input [^>]*value="${large}"[^>]* checked`))
})
