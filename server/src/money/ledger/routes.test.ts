import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import type { Principal } from '../../core/principal.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import { collectCharges } from '../billing/collect.ts'
import { subscribe as subscribeUncharged } from '../billing/subscribe.ts'
import { askAs } from './books.fixture.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
})
after(() => world?.close())

/** A new organization with a plan in three currencies. */
async function openShop() {
  const { appId, organizationId } = await world.developer()
  const amounts = [
    { country: 'US', currency: 'USD', value: 499 },
    { country: 'JP', currency: 'JPY', value: 1_001 },
    { country: 'KW', currency: 'KWD', value: 1_250 },
  ]
  const planId = await world.plan({ name: 'Pro', amounts }, appId)
  const subscribe = async ({ businessId }: Merchant, toPlan = planId) => {
    await world.call('POST', `/apps/${appId}/subscriptions`, { businessId, planId: toPlan })
    await world.work()
  }
  return { appId, organizationId, planId, subscribe }
}

const merchant = (country = 'US') => world.merchant({ type: 'MERCHANT', country })
const balanceOf = (organizationId: string) => world.call('GET', `/organizations/${organizationId}/balance`)
const firstInvoice = async (of: Merchant) => (await of.invoices())[0] as Json
const developerOf = (organizationId: string): Principal => ({
  kind: 'developer',
  role: 'ADMIN',
  userId: v7(),
  organizationId,
})

test('a developer is owed the charges less refunds and the operator share, in each currency', async () => {
  const { organizationId, subscribe } = await openShop()
  for (const country of ['US', 'JP', 'KW']) await subscribe(await merchant(country))
  const shop = await merchant()
  await subscribe(shop)
  await shop.refund((await firstInvoice(shop)).invoiceId, { amount: 200 })
  const none = { refunds: 0, refunded: 0, chargedBack: 0, credited: 0 }
  assert.deepEqual(await balanceOf(organizationId), {
    organizationId,
    balances: [
      // 20 % of 1,001 yen are 200.2, of 1.253 dinars 250.6 fils.
      { currency: 'JPY', charges: 1, charged: 1_001, ...none, share: 200, owed: 801 },
      { currency: 'KWD', charges: 1, charged: 1_250, ...none, share: 250, owed: 1_000 },
      // Shares: 99.8 cents of two charges of 4.99, less 40 of the refund of 2.00.
      {
        currency: 'USD',
        charges: 2,
        charged: 998,
        refunds: 1,
        refunded: 200,
        chargedBack: 0,
        credited: 0,
        share: 160,
        owed: 638,
      },
    ],
    testBalances: [],
  })
})

test('balances and statements separate the money of test merchants', async () => {
  const { organizationId, subscribe } = await openShop()
  await subscribe(await world.merchant())
  const { balances, testBalances } = await balanceOf(organizationId)
  assert.deepEqual(balances, [])
  assert.partialDeepStrictEqual(testBalances, [{ currency: 'USD', charged: 499, share: 100, owed: 399 }])
  const statement = `/organizations/${organizationId}/statements/2026-01`
  assert.deepEqual((await world.call('GET', statement)).list, [])
  const ofTests = await world.call('GET', `${statement}?merchantType=TEST_MERCHANT`)
  assert.partialDeepStrictEqual(ofTests, { status: 'OPEN', list: [{ closing: 399 }] })
  const months = await world.call('GET', `/organizations/${organizationId}/statements?merchantType=TEST_MERCHANT`)
  assert.deepEqual(
    months.list.map(({ month }: Json) => month),
    ['2026-01'],
  )
})

test('a charge refunded completely in parts leaves no balance', async () => {
  const { organizationId, subscribe } = await openShop()
  const shop = await merchant()
  await subscribe(shop)
  const { invoiceId } = await firstInvoice(shop)
  for (const amount of [1, 3, 7, 110, 1]) await shop.refund(invoiceId, { amount })
  await shop.refund(invoiceId, {})
  const [balance] = (await balanceOf(organizationId)).balances
  assert.partialDeepStrictEqual(balance, { charged: 499, refunds: 6, refunded: 499, chargedBack: 0, share: 0, owed: 0 })
})

test('a new operator share changes no earlier booking: a refund returns the share of its charge', async () => {
  const { organizationId, subscribe, appId, planId } = await openShop()
  const [before, afterwards] = [await merchant(), await merchant()]
  await subscribe(before)
  const { ports } = world.app
  const half = { ...ports, settings: { ...ports.settings, operatorShare: 5_000 } }
  await subscribeUncharged(world.app.ports, { appId: uuidOfUrn(appId), businessId: afterwards.businessId, planId })
  while ((await collectCharges(half)) > 0);
  assert.partialDeepStrictEqual((await balanceOf(organizationId)).balances, [{ charged: 998, share: 100 + 250 }])
  for (const shop of [before, afterwards]) await shop.refund((await firstInvoice(shop)).invoiceId, {})
  assert.partialDeepStrictEqual((await balanceOf(organizationId)).balances, [{ share: 0, owed: 0 }])
})

test('a statement lists the plans of a month between the balances before and after', async () => {
  world.clock.set('2026-03-31T23:00:00Z')
  const { organizationId, appId, planId, subscribe } = await openShop()
  const other = await world.plan({ name: 'Basic', amounts: [{ country: 'US', currency: 'USD', value: 1_000 }] }, appId)
  const shop = await merchant()
  await subscribe(shop)
  world.clock.set('2026-04-02T00:00:00Z')
  await subscribe(shop, other)
  await shop.refund((await firstInvoice(shop)).invoiceId, { amount: 499 })
  const statement = (month: string) => world.call('GET', `/organizations/${organizationId}/statements/${month}`)
  const line = { appId, appName: 'Stories', currency: 'USD', chargedBack: 0, credited: 0 }
  const april = await statement('2026-04')
  assert.deepEqual(april, {
    organizationId,
    month: '2026-04',
    status: 'OPEN',
    list: [
      {
        currency: 'USD',
        opening: 399,
        ...{ charges: 1, charged: 1_000, refunds: 1, refunded: 499, chargedBack: 0, share: 100, credited: 0, net: 401 },
        closing: 800,
        lines: [
          {
            ...line,
            planId: other,
            planName: 'Basic',
            charges: 1,
            charged: 1_000,
            refunds: 0,
            refunded: 0,
            share: 200,
            net: 800,
          },
          {
            ...line,
            planId,
            planName: 'Pro',
            charges: 0,
            charged: 0,
            refunds: 1,
            refunded: 499,
            share: -100,
            net: -399,
          },
        ].toSorted((one, two) => (one.planId < two.planId ? -1 : 1)),
      },
    ],
  })
  const march = await statement('2026-03')
  assert.partialDeepStrictEqual(march, { status: 'CLOSED', list: [{ opening: 0, net: 399, closing: 399 }] })
  assert.partialDeepStrictEqual(await statement('2026-05'), {
    list: [{ opening: 800, net: 0, closing: 800, lines: [] }],
  })
  assert.deepEqual((await statement('2026-02')).list, [])
  const { list } = await world.call('GET', `/organizations/${organizationId}/statements`)
  assert.deepEqual(
    list.map(({ month, status, opening, net, closing }: Json) => [month, status, opening, net, closing]),
    [
      ['2026-04', 'OPEN', 399, 401, 800],
      ['2026-03', 'CLOSED', 0, 399, 399],
    ],
  )
  world.clock.set('2026-05-01T01:00:00Z')
  assert.deepEqual(await statement('2026-04'), { ...april, status: 'CLOSED' })
})

test('a closed month never changes', async () => {
  world.clock.set('2026-06-15T00:00:00Z')
  const { organizationId, subscribe } = await openShop()
  const shop = await merchant()
  await subscribe(shop)
  world.clock.set('2026-07-01T01:00:00Z')
  const june = () => world.ask(OPERATOR_KEY, 'GET', `/organizations/${organizationId}/statements/2026-06`)
  const closed = (await june()).text
  world.clock.set('2026-09-20T00:00:00Z')
  await world.work()
  await shop.refund((await firstInvoice(shop)).invoiceId, {})
  assert.equal((await balanceOf(organizationId)).balances[0].charges, 4)
  assert.equal((await june()).text, closed)
})

test('the CSV has the amounts of the statement, in decimals, and no name becomes a formula', async () => {
  world.clock.set('2026-10-05T00:00:00Z')
  const { organizationId, appId, subscribe } = await openShop()
  const amounts = [
    { country: 'US', currency: 'USD', value: 500 },
    { country: 'KW', currency: 'KWD', value: 1_250 },
  ]
  const evil = await world.plan({ name: '=HYPERLINK("http://x","y")', amounts }, appId)
  const [us, kw] = [await merchant(), await merchant('KW')]
  await subscribe(us, evil)
  await subscribe(kw, evil)
  await us.refund((await firstInvoice(us)).invoiceId, { amount: 100 })
  const url = `/organizations/${organizationId}/statements/2026-10/lines.csv`
  const answer = await world.ask(OPERATOR_KEY, 'GET', url)
  const plan = `${appId},Stories,${evil},"'=HYPERLINK(""http://x"",""y"")"`
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present')
  assert.equal(answer.headers['content-disposition'], 'attachment; filename="statement-2026-10.csv"')
  assert.deepEqual(answer.text.split('\r\n'), [
    'line,month,status,currency,appId,app,planId,plan,charges,charged,refunds,refunded,chargedBack,share,credited,tax,fees,paidOut,adjusted,net,balance',
    'OPENING,2026-10,OPEN,KWD,,,,,,,,,,,,,,,,,0.000',
    `PLAN,2026-10,OPEN,KWD,${plan},1,1.250,0,0.000,0.000,0.250,0.000,0.000,0.000,0.000,0.000,1.000,`,
    'CLOSING,2026-10,OPEN,KWD,,,,,1,1.250,0,0.000,0.000,0.250,0.000,0.000,0.000,0.000,0.000,1.000,1.000',
    'OPENING,2026-10,OPEN,USD,,,,,,,,,,,,,,,,,0.00',
    `PLAN,2026-10,OPEN,USD,${plan},1,5.00,1,1.00,0.00,0.80,0.00,0.00,0.00,0.00,0.00,3.20,`,
    'CLOSING,2026-10,OPEN,USD,,,,,1,5.00,1,1.00,0.00,0.80,0.00,0.00,0.00,0.00,0.00,3.20,3.20',
    '',
  ])
  const dinars = await world.ask(OPERATOR_KEY, 'GET', `${url}?currency=KWD`)
  assert.deepEqual(dinars.text.match(/,(USD|KWD),/g), [',KWD,', ',KWD,', ',KWD,'])
})

test('a developer reads only the books of its own organization', async () => {
  const { organizationId, subscribe } = await openShop()
  const other = await openShop()
  await subscribe(await merchant())
  for (const path of ['/balance', '/statements', '/statements/2026-10', '/statements/2026-10/lines.csv?currency=USD']) {
    const url = `/organizations/${organizationId}${path}`
    if (!path.includes('csv')) assert.equal((await askAs(world, developerOf(organizationId), url)).status, 200, path)
    for (const id of [organizationId, v7()]) {
      const foreign = `/organizations/${id}${path}`
      const { status, body } = await askAs(world, developerOf(other.organizationId), foreign)
      assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], path)
    }
  }
  assert.deepEqual((await balanceOf(other.organizationId)).balances, [])
})

test('a merchant reads its payments, and a developer the payments for its own apps', async () => {
  const [one, two] = [await openShop(), await openShop()]
  const [shop, stranger] = [await merchant(), await merchant()]
  await one.subscribe(shop)
  await two.subscribe(shop)
  await shop.refund((await firstInvoice(shop)).invoiceId, { amount: 9 })
  const url = `/businesses/${shop.businessId}/balance`
  const paid = (organizationId: string, refunded: number) => ({
    ...{ organizationId, currency: 'USD', charged: 499, refunded, chargedBack: 0, credit: 0 },
  })
  const all = [paid(one.organizationId, 9), paid(two.organizationId, 0)]
  assert.deepEqual(await world.call('GET', url), { businessId: shop.businessId, balances: all })
  const user: Principal = { kind: 'merchant', role: 'OWNER', userId: v7(), businessId: shop.businessId }
  assert.deepEqual((await askAs(world, user, url)).body.balances, all)
  assert.deepEqual((await askAs(world, developerOf(two.organizationId), url)).body.balances, [all[1]])
  assert.equal((await askAs(world, { ...user, businessId: stranger.businessId }, url)).status, 403)
  assert.equal((await askAs(world, developerOf((await openShop()).organizationId), url)).status, 403)
})

test('the operator’s balance is its share and its debt over all organizations', async () => {
  const usd = async (): Promise<Json> => {
    const { balances } = await world.call('GET', '/operator/balance')
    return balances.find(({ currency }: Json) => currency === 'USD') ?? { share: 0, owed: 0, charged: 0 }
  }
  const earlier = await usd()
  for (const { subscribe } of [await openShop(), await openShop()]) await subscribe(await merchant())
  const { share, owed, charged } = await usd()
  assert.deepEqual([share - earlier.share, owed - earlier.owed, charged - earlier.charged], [200, 798, 998])
})

for (const path of [
  '/statements/2026-13',
  '/statements/2026-1',
  '/statements/0000-01',
  '/statements?merchantType=NONE',
]) {
  test(`a wrong query is rejected with 400: ${path}`, async () => {
    const { body } = await world.ask(OPERATOR_KEY, 'GET', `/organizations/${v7()}${path}`)
    assert.deepEqual([body.httpStatus, body.code], [400, 'INVALID_PARAMETER'])
  })
}

test('an unknown organization has no books', async () => {
  for (const path of ['/balance', '/statements', '/statements/2026-10', '/statements/2026-10/lines.csv']) {
    const { body } = await world.ask(OPERATOR_KEY, 'GET', `/organizations/${v7()}${path}`)
    assert.equal(body.code, 'ORGANIZATION_NOT_FOUND', path)
  }
})
