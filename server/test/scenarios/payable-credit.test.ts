import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runChecks } from '../../src/money/invariant-checks/run.ts'
import { createStripeWorld, type StripeWorld } from './stripe.fixture.ts'

const stories: StripeWorld[] = []
after(async () => {
  for (const story of stories) await story.close()
})

/** With all of the credit, no card could pay the rest. The change is at noon of 16 January or on the 11th. */
const CASES = [
  { country: 'US', currency: 'USD', from: 3_100, to: 1_560, at: '2026-01-16T12:00:00Z', granted: 1_550, kept: 40 },
  { country: 'KW', currency: 'KWD', from: 10_000, to: 20_000, at: '2026-01-11T00:00:00Z', granted: 6_774, kept: 4 },
]
/** The charges of each case: at once, and a month later. */
const CHARGED = [
  [50, 1_520],
  // The least step is ten fils, so four fils wait.
  [13_230, 20_000],
]

for (const [i, { country, currency, from, to, at, granted, kept }] of CASES.entries()) {
  test(`credit in ${currency} leaves an amount that a card can pay, as in the preview, and the rest stays`, async () => {
    const story = await createStripeWorld('2026-01-01T00:00:00Z')
    stories.push(story)
    const { world, passTo, intentsOf } = story
    const price = (value: number) => ({ amounts: [{ country, currency, value }] })
    const [planId, other] = [await world.plan(price(from)), await world.plan(price(to))]
    const shop = await world.merchant({ gateway: 'stripe', card: 'pm_card_visa', country })
    const { subscriptionId } = await shop.subscribe(planId)
    const path = `/apps/${world.appId}/subscriptions/${subscriptionId}`
    const body = { planId: other, when: 'NOW' }

    await passTo(at)
    const preview = await world.call('POST', `${path}/preview`, body, 200)
    await world.call('PATCH', path, body)
    await world.work()

    const [now, later] = CHARGED[i] ?? []
    const changed = (await shop.invoices()).at(-1)
    assert.deepEqual([preview.amount, preview.creditGranted, preview.creditBalance], [now, granted, kept])
    assert.deepEqual([changed?.status, changed?.amountPaid, changed?.lines], ['PAID', now, preview.lines])

    await passTo(new Date(Date.parse(at) + 31 * 86_400_000).toISOString())
    assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
    const taken = intentsOf(shop).map(intent => intent.amount_received)
    assert.deepEqual(taken, [from, now, later])
    await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
    for (const checker of [
      'ledgerBalances',
      'linesAddUp',
      'creditMatches',
      'creditWithinPaid',
      'moneyMatches',
    ] as const) {
      const [result] = await runChecks(world.app.ports, { only: checker })
      assert.equal(result?.status, 'PASSED', `${checker}: ${JSON.stringify(result?.violations)}`)
    }
  })
}
