import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
  planId = await world.plan({
    amounts: [
      { country: 'US', currency: 'USD', value: 500 },
      { country: 'DE', currency: 'EUR', value: 400 },
      { country: 'FR', currency: 'EUR', value: 300 },
    ],
  })
})
after(() => world?.close())

const path = '/reports/revenue/countries'

async function countries(query = '', bearer = OPERATOR_KEY): Promise<readonly Json[]> {
  const { status, body, text } = await world.ask(bearer, 'GET', `${path}?from=2026-01${query}`)
  assert.equal(status, 200, text)
  return body.list
}

const row = (country: string, mrr: number, subscribers: number, collected: number, returned: number) => ({
  ...{ currency: country === 'US' ? 'USD' : 'EUR', country, mrr, subscribers, collected, returned },
})

async function holds(): Promise<void> {
  const { checks } = await world.call('GET', '/operations/checks?check=revenueCountriesMatch')
  assert.deepEqual([checks[0].status, checks[0].violations], ['PASSED', []])
}

async function fold(): Promise<void> {
  while ((await world.app.jobs.revenueSums.runOnce()) > 0);
}

test('starts, refunds, ends and renewals count in the country of the subscription, before and after folds', async () => {
  const shops = []
  for (const country of ['US', 'DE', 'DE', 'FR']) shops.push(await world.merchant({ type: 'MERCHANT', country }))
  const [us, leaving, german, french] = shops
  assert.ok(us && leaving && german && french)
  await us.subscribe(planId)
  await german.subscribe(planId)
  await french.subscribe(planId)
  const { subscriptionId } = await leaving.subscribe(planId)
  await world.call('POST', `/apps/${world.appId}/subscriptions/${subscriptionId}/end`, {}, 200)
  const [invoice] = await french.invoices()
  await french.refund(invoice?.invoiceId, { amount: 100 })
  world.clock.set('2026-02-10T13:00:00Z')
  await world.work()
  const january = [row('DE', 400, 1, 800, 0), row('FR', 300, 1, 300, 100), row('US', 500, 1, 500, 0)]
  const both = [row('DE', 400, 1, 1_200, 0), row('FR', 300, 1, 600, 100), row('US', 500, 1, 1_000, 0)]
  for (let turn = 0; turn < 2; turn++) {
    assert.deepEqual(await countries(), both)
    assert.deepEqual(await countries('&to=2026-01'), january)
    assert.deepEqual(await countries(`&appId=${world.appId}&currency=EUR`), both.slice(0, 2))
    await holds()
    await fold()
  }
})

test('after a business has moved, its subscription stays in the old country and a new subscription counts in the new one', async () => {
  const app = await world.developer('moving')
  const amounts = ['US', 'FR'].map(country => ({ country, currency: country === 'US' ? 'USD' : 'EUR', value: 700 }))
  const plan = await world.plan({ amounts }, app.appId)
  const other = await world.plan({ amounts, scope: 'STORE' }, app.appId)
  const shop = await world.merchant({ type: 'MERCHANT', country: 'FR' })
  const subscriptions = `/apps/${app.appId}/subscriptions`
  await world.call('POST', subscriptions, { businessId: shop.businessId, planId: plan })
  await world.call('PATCH', `/businesses/${shop.businessId}`, { country: 'US' })
  world.clock.set('2026-03-10T14:00:00Z')
  await world.work()
  const { storeId } = await world.call('POST', `/businesses/${shop.businessId}/stores`, { displayName: 'New' })
  await world.call('POST', subscriptions, { businessId: shop.businessId, planId: other, storeId })
  await world.work()
  assert.deepEqual(await countries(`&appId=${app.appId}`), [row('FR', 700, 1, 1_400, 0), row('US', 700, 1, 700, 0)])
  await holds()
})

test('test merchants are reported separately, and a developer sees only the own apps', async () => {
  const shop = await world.merchant({ country: 'FR' })
  await shop.subscribe(planId)
  const asTest = '&merchantType=TEST_MERCHANT'
  assert.deepEqual(await countries(asTest), [row('FR', 300, 1, 300, 0)])
  const { organizationId } = world
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')
  assert.deepEqual(await countries(asTest, token), [row('FR', 300, 1, 300, 0)])
  const other = await world.developer('stranger')
  const workspace = { kind: 'DEVELOPER', organizationId: other.organizationId } as const
  const { token: stranger } = await newPerson(world, workspace, 'ADMIN')
  assert.deepEqual(await countries('', stranger), [])
  for (const report of [path, `${path}.csv`]) {
    assert.equal((await world.ask(stranger, 'GET', `${report}?appId=${world.appId}`)).status, 404)
    assert.equal((await world.ask(stranger, 'GET', `${report}?organizationId=${organizationId}`)).status, 403)
  }
})

test('the csv has the same rows with decimal amounts, and a wrong month or currency is rejected by name', async () => {
  const { text, headers } = await world.ask(OPERATOR_KEY, 'GET', `${path}.csv?from=2026-01&to=2026-01&currency=USD`)
  assert.match(String(headers['content-disposition']), /countries-2026-01\.csv/)
  const [head, first] = text.replace('\ufeff', '').trim().split('\r\n')
  assert.equal(head, 'country,currency,mrr,subscribers,collected,returned')
  assert.equal(first, 'US,USD,12.00,2,5.00,0.00')
  for (const query of ['from=2026-13', 'to=2025-12', 'to=soon', 'currency=usd', 'currency=ZZZ']) {
    for (const report of [path, `${path}.csv`]) {
      const { status, body } = await world.ask(OPERATOR_KEY, 'GET', `${report}?${query}`)
      assert.deepEqual([status, body.fields?.[0]?.path], [400, query.split('=')[0]], query)
    }
  }
})
