import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { finishIntent } from '../support/stripe/intents.ts'
import { createStripeWorld, type StripeWorld } from './stripe.fixture.ts'

/**
 * The bank asks the payer, and then the invoice is closed. A payment would only be refunded, so the intent is
 * cancelled; a faster payer gets a refund.
 */

let story: StripeWorld
before(async () => {
  story = await createStripeWorld('2026-01-01T00:00:00Z')
})
after(() => story?.close())

const CANCEL = /POST \/v1\/payment_intents\/\w+\/cancel$/
const cancels = () => story.stripe.calls.filter(call => CANCEL.test(call)).length

/** A subscriber whose bank asks without an answer. */
async function asked(plan: Parameters<StripeWorld['world']['plan']>[0] = {}) {
  const { world, intentsOf } = story
  const shop = await world.merchant({ gateway: 'stripe', card: 'pm_card_authenticationRequired' })
  const { subscriptionId } = await shop.subscribeAfterTrial(plan)
  const [intent] = intentsOf(shop)
  assert.equal(intent?.status, 'requires_action')
  await shop.expectEvents('START', 'PHASE_CHANGE')
  const standing = async () => {
    const [invoice] = await shop.invoices()
    const attempts = invoice?.attempts.map(({ outcome, reason }: Record<string, string>) => reason ?? outcome)
    return [invoice?.status, intent.status, ...(attempts ?? [])]
  }
  return { shop, subscriptionId, intent, standing }
}

/** Lets hours pass until nothing is polled any more. */
async function later(hours: number): Promise<void> {
  await story.passTo(new Date(story.world.clock.now().getTime() + hours * 3_600_000).toISOString())
}

test('at the end the intent that waits for the payer is cancelled once, and never polled again', async () => {
  const { shop, subscriptionId, standing } = await asked()
  const other = await asked()
  const before = cancels()
  story.news()
  await shop.cancel(subscriptionId)
  await later(0)
  assert.deepEqual(await standing(), ['VOID', 'canceled', 'canceled_at_gateway'])
  await shop.expectEvents('END', 'PAYMENT_FAIL')
  await story.deliver(story.news())
  await later(24)
  assert.equal(cancels() - before, 1)
  await shop.expectEvents()
  const { sql } = story.world.app.ports.db
  const [row] = await sql<{ pollCount: number }[]>`
    select count(next_poll_at) as "pollCount" from charges where subscription_id = ${subscriptionId}`
  assert.equal(row?.pollCount, 0)
  assert.deepEqual(await other.standing(), ['OPEN', 'requires_action', 'ACTION_REQUIRED'])
})

test('a payment at the moment of the cancellation counts and is refunded', async () => {
  const { shop, subscriptionId, intent, standing } = await asked()
  story.stripe.meanwhile(CANCEL, async () => finishIntent(story.stripe.state, intent, 'succeeds'))
  await shop.cancel(subscriptionId)
  await later(0)
  assert.deepEqual(await standing(), ['PAID', 'succeeded', 'SUCCEEDED'])
  await shop.expectEvents('END', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.amountPaid, invoice?.amountRefunded], [500, 500])
})

for (const fault of ['500 before', '500 after'] as const) {
  test(`a cancellation without a response of Stripe (${fault}) is polled until it is known`, async () => {
    const { shop, subscriptionId, standing } = await asked()
    story.stripe.fail(CANCEL, fault)
    await shop.cancel(subscriptionId)
    await later(0)
    assert.deepEqual((await standing()).at(-1), 'ACTION_REQUIRED')
    await later(1)
    assert.deepEqual(await standing(), ['VOID', 'canceled', 'canceled_at_gateway'])
    await shop.expectEvents('END', 'PAYMENT_FAIL')
  })
}

test('after three days without a confirmation, and the end for it, the intent is cancelled as well', async () => {
  const { shop, standing } = await asked({ gracePeriodDays: 0 })
  await later(3 * 24 + 1)
  assert.deepEqual(await standing(), ['UNCOLLECTIBLE', 'requires_action', 'not_completed_in_time'])
  await shop.expectEvents('PAYMENT_FAIL', 'END')
  await later(7)
  assert.deepEqual(await standing(), ['UNCOLLECTIBLE', 'canceled', 'not_completed_in_time'])
  await shop.expectEvents()
})
