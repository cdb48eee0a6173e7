import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createStripeWorld, type StripeWorld } from '../../../test/scenarios/stripe.fixture.ts'
import { finishSetupIntent } from '../../../test/support/stripe/methods.ts'
import { formOf, visitor } from './merchant.fixture.ts'

const ADD = '/my/payment-methods/add'

let story: StripeWorld
before(async () => {
  story = await createStripeWorld('2026-03-01T00:00:00Z')
})
after(() => story?.close())

async function shopOf(type: 'MERCHANT' | 'TEST_MERCHANT') {
  const shop = await story.world.merchant({ card: 'none', type })
  return { shop, ann: await visitor(story.world, shop.businessId) }
}

test("a merchant's card is entered into Stripe's own element, and only that page loads foreign resources", async () => {
  const { shop, ann } = await shopOf('MERCHANT')
  const page = await ann.get(ADD)
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /script-src 'self' https:\/\/js\.stripe\.com/)
  assert.match(policy, /connect-src 'self' https:\/\/api\.stripe\.com/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.doesNotMatch(String((await ann.get('/my/payment-methods')).headers['content-security-policy']), /stripe/)
  const secret = /data-secret="([^"]+)"/.exec(page.text)?.[1] ?? ''
  assert.match(page.text, /data-key="pk_test_1"/)

  const intentId = secret.split('_secret_')[0] ?? ''
  const hidden = formOf(page.text)?.hidden ?? {}
  const early = await ann.post(ADD, { ...hidden, token: intentId })
  assert.equal(early.status, 400)
  assert.match(early.words, /The bank declined this card\. Try another one\.|could not be read/)

  const again = await ann.get(ADD)
  const second = /data-secret="([^"]+)"/.exec(again.text)?.[1]?.split('_secret_')[0] ?? ''
  finishSetupIntent(story.stripe.state, second, 'pm_card_visa')
  const fields = { ...formOf(again.text)?.hidden, token: second }
  for (let i = 0; i < 2; i++) assert.equal((await ann.post(ADD, fields)).location, '/my/payment-methods?done=added')
  const { list } = await story.world.call('GET', `/businesses/${shop.businessId}/payment-methods`)
  assert.deepEqual(
    list.map(({ gateway, label }: { gateway: string; label: string }) => [gateway, label]),
    [['stripe', 'Visa •••• 4242']],
  )
})

test("another merchant's SetupIntent is rejected", async () => {
  const [own, other] = [await shopOf('MERCHANT'), await shopOf('MERCHANT')]
  const foreign = /data-secret="([^"]+)"/.exec((await other.ann.get(ADD)).text)?.[1]?.split('_secret_')[0] ?? ''
  finishSetupIntent(story.stripe.state, foreign, 'pm_card_visa')
  const hidden = formOf((await own.ann.get(ADD)).text)?.hidden ?? {}
  const answered = await own.ann.post(ADD, { ...hidden, token: foreign })
  assert.equal(answered.status, 400)
  assert.match(answered.words, /This card could not be read\./)
})

test('a test merchant pays with test cards, also in an installation with Stripe', async () => {
  const { ann } = await shopOf('TEST_MERCHANT')
  const page = await ann.get(ADD)
  assert.match(page.words, /Which test card\?/)
  assert.doesNotMatch(String(page.headers['content-security-policy']), /stripe/)
})
