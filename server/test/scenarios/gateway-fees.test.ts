import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Json, OPERATOR_KEY } from '../support/world.ts'
import { createStripeWorld, type StripeWorld } from './stripe.fixture.ts'

let story: StripeWorld
before(async () => {
  story = await createStripeWorld('2026-01-10T00:00:00Z')
})
after(() => story?.close())

test('the fee of a charge is booked once, by event or by the daily comparison, at the cost of the operator or of the developer', async () => {
  const { world, deliver, news, passTo } = story
  const { ports, jobs } = world.app
  const { appId, organizationId } = await world.developer()
  const buy = async () => {
    const shop = await world.merchant({ gateway: 'stripe', card: 'pm_card_visa' })
    const planId = await world.plan({}, appId)
    await world.call('POST', `/apps/${appId}/subscriptions`, { businessId: shop.businessId, planId })
    await world.work()
    return (await shop.invoices())[0]?.number
  }
  const feeOfOperator = async () =>
    (await world.call('GET', '/operator/balance')).balances.find(({ currency }: Json) => currency === 'USD')
      ?.gatewayFees ?? 0
  const balance = async () => (await world.call('GET', `/organizations/${organizationId}/balance`)).balances[0]

  await deliver(news())
  const before = await feeOfOperator()
  await buy()
  const events = news()
  await Promise.all([deliver(events), deliver(events.toReversed())])
  // 2.9 % of 5.00, and 30 cents.
  assert.equal((await feeOfOperator()) - before, 45)
  assert.partialDeepStrictEqual(await balance(), { charged: 500, share: 100, owed: 400 })
  assert.equal((await balance()).fees, undefined)

  // The event never arrives: the process died, or Stripe gave up.
  const { settings } = ports
  const number = await buy()
  news()
  Object.assign(settings, { developersPayFees: true })
  try {
    for (let days = 1; days <= 2; days++) {
      await passTo(new Date(world.clock.now().getTime() + 86_400_000).toISOString())
      await jobs.reconciliation.runOnce()
    }
  } finally {
    Object.assign(settings, { developersPayFees: false })
  }
  assert.equal((await feeOfOperator()) - before, 45)
  assert.partialDeepStrictEqual(await balance(), { charged: 1_000, share: 200, fees: 45, owed: 755 })
  const month = world.clock.now().toISOString().slice(0, 7)
  const statement = `/organizations/${organizationId}/statements/${month}`
  const { text } = await world.ask(OPERATOR_KEY, 'GET', `${statement}/journal.csv`)
  const fees = text.split('\r\n').filter(row => row.endsWith(`,USD,Fee,${number}`))
  assert.deepEqual(
    fees.map(row => row.split(',').slice(2, 5)),
    [
      ['Organization', '0.45', ''],
      ['Gateway', '', '0.45'],
    ],
  )
  assert.partialDeepStrictEqual((await world.call('GET', statement)).list, [{ fees: 45 }])
})
