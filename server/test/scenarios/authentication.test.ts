import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { finishIntent } from '../support/stripe/intents.ts'
import { createStripeWorld, postEvent, type StripeWorld } from './stripe.fixture.ts'

/**
 * Off session, Stripe first reports the bank's question like any decline; only the second confirmation asks the payer. Nothing counts as
 * declined before the payer was asked.
 */

let story: StripeWorld
before(async () => {
  story = await createStripeWorld('2026-01-01T00:00:00Z')
})
after(() => story?.close())

/** The second confirmation of an attempt has a return URL for the payer. */
const QUESTION = /\/confirm\?.*return_url/

/** A subscriber whose bank always asks, up to the first charge. */
async function subscribed() {
  const shop = await story.world.merchant({ gateway: 'stripe', card: 'pm_card_authenticationRequired' })
  const { subscriptionId } = await shop.subscribeAfterTrial()
  const standing = async () => {
    const [invoice] = await shop.invoices()
    const { paymentStatus } = await shop.subscription(subscriptionId)
    return [paymentStatus, ...(invoice?.attempts ?? []).map(({ outcome }: { outcome: string }) => outcome)]
  }
  const answers = async () => {
    const [intent] = story.intentsOf(shop)
    assert.ok(intent)
    finishIntent(story.stripe.state, intent, 'succeeds')
    await story.deliver(story.news())
  }
  return { shop, standing, answers }
}

test('if the decline event arrives before the question, the payer is asked and can pay', async () => {
  const { world, stripe, news } = story
  news()
  const statuses: number[] = []
  stripe.meanwhile(QUESTION, async () => {
    for (const event of news()) {
      const { payload, headers } = stripe.sign(event)
      statuses.push((await postEvent(world, payload, headers)).status)
    }
    while ((await world.app.jobs.gatewayEvents.runOnce()) > 0);
  })
  const { shop, standing, answers } = await subscribed()
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.deepEqual(await standing(), ['CURRENT', 'ACTION_REQUIRED'])
  await shop.expectEvents('START', 'PHASE_CHANGE')
  await answers()
  assert.deepEqual(await standing(), ['CURRENT', 'SUCCEEDED'])
  await shop.expectEvents('PAYMENT_SUCCESS')
})

for (const lost of ['before', 'after'] as const) {
  test(`after a crash ${lost} the question, the next process asks once`, async () => {
    const { world, stripe, news, deliver, passTo } = story
    news()
    // Stripe stays away, so that no poll happens before the lease is over.
    stripe.fail(QUESTION, `500 ${lost}`)
    stripe.fail(/GET \/v1\/payment_intents\/\w+$/, '500 before')
    const { shop, standing, answers } = await subscribed()
    assert.deepEqual(await standing(), ['CURRENT', 'UNKNOWN'])
    await deliver(news())
    await passTo(new Date(world.clock.now().getTime() + 3_600_000).toISOString())
    assert.deepEqual(await standing(), ['CURRENT', 'ACTION_REQUIRED'])
    assert.equal(story.intentsOf(shop).length, 1)
    await shop.expectEvents('START', 'PHASE_CHANGE')
    await answers()
    assert.deepEqual(await standing(), ['CURRENT', 'SUCCEEDED'])
    await shop.expectEvents('PAYMENT_SUCCESS')
  })
}
