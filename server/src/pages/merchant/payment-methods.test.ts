import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { formOf, type Visitor, visitor } from './merchant.fixture.ts'

const LIST = '/my/payment-methods'

let world: World
let monthly: string
before(async () => {
  world = await createWorld({ at: '2026-03-01T00:00:00Z' })
  monthly = await world.plan({ name: 'Pro' })
})
after(() => world?.close())

async function shopWith(card: string, at = '2026-03-01T00:00:00Z') {
  const shop = await world.merchant({ at, card })
  return { shop, ann: await visitor(world, shop.businessId) }
}

async function csrfOf(ann: Visitor): Promise<string> {
  return formOf((await ann.get(`${LIST}/add`)).text)?.hidden.csrf ?? ''
}

const methodsOf = async (businessId: string) =>
  (await world.call('GET', `/businesses/${businessId}/payment-methods`)).list

test('an added card becomes the default, and a repeated form adds it once', async () => {
  const { shop, ann } = await shopWith('none')
  assert.match((await ann.get(LIST)).words, /No payment method/)
  const hidden = formOf((await ann.get(`${LIST}/add`)).text)?.hidden ?? {}
  const fields = { ...hidden, token: 'tok_ok' }
  const answers = await Promise.all([ann.post(`${LIST}/add`, fields), ann.post(`${LIST}/add`, fields)])
  answers.push(await ann.post(`${LIST}/add`, fields))
  for (const { status, location } of answers) assert.deepEqual([status, location], [303, `${LIST}?done=added`])
  assert.match((await ann.get(`${LIST}?done=added`)).words, /Added Test card ok is now your default\./)
  assert.equal((await methodsOf(shop.businessId)).length, 1)
  // The back button, and another card chosen on the same form: that is another one.
  await ann.post(`${LIST}/add`, { ...hidden, token: 'tok_stolen' })
  assert.equal((await methodsOf(shop.businessId)).length, 2)
})

test('another payment method can become the default', async () => {
  const { shop, ann } = await shopWith('tok_stolen')
  await shop.card('tok_ok')
  const stolen = (await methodsOf(shop.businessId)).find(({ label }: { label: string }) => label === 'Test card stolen')
  const action = `${LIST}/${stolen.paymentMethodId}/default`
  const sent = await ann.send(LIST, {}, action)
  assert.equal(sent.location, `${LIST}?done=chosen`)
  assert.match((await ann.get(LIST)).words, /Test card stolen Default/)
})

test('a past-due invoice is charged at once with another card, and the page shows the outcome', async () => {
  const { shop, ann } = await shopWith('tok_ok')
  const { subscriptionId } = await shop.renewWith(monthly, 'tok_insufficient_funds')
  assert.match((await ann.get(LIST)).words, /what is due is charged to it/)
  const [, { invoiceId } = {}] = await shop.invoices()

  const bad = await ann.send(`${LIST}/add`, { token: 'tok_stolen' })
  assert.equal(bad.location, `${LIST}?done=added&paying=${invoiceId}`)
  const waiting = await ann.get(bad.location)
  assert.match(waiting.words, /Pending: \$5\.00 for Pro/)
  assert.match(waiting.text, /<noscript><meta http-equiv="refresh" content="3"><\/noscript>/)
  assert.match(waiting.text, /<main [^>]*data-refresh="3"/)
  await world.work()
  const declined = await ann.get(bad.location)
  assert.match(declined.words, /Declined: \$5\.00 for Pro The bank declined the payment\./)
  assert.doesNotMatch(declined.words, /stolen_card/)
  assert.doesNotMatch(declined.text, /http-equiv="refresh"|data-refresh/)

  const good = await ann.send(`${LIST}/add`, { token: 'tok_ok' })
  await world.work()
  assert.match((await ann.get(good.location)).words, /Paid: \$5\.00 for Pro/)
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
  assert.doesNotMatch((await ann.get(LIST)).words, /A payment failed/)
})

test('a bank that does not respond and a bank that asks for confirmation are explained', async () => {
  const late = await shopWith('tok_ok')
  await late.shop.renewWith(monthly, 'tok_insufficient_funds')
  const unknown = await late.ann.send(`${LIST}/add`, { token: 'tok_pending' })
  await world.work()
  assert.match((await late.ann.get(unknown.location)).words, /Pending: .* Nothing is charged twice\./)
  assert.match((await late.ann.get('/my/subscriptions')).words, /A payment of \$5\.00 is being confirmed\./)

  const asking = await shopWith('tok_ok')
  await asking.shop.renewWith(monthly, 'tok_insufficient_funds')
  const asked = await asking.ann.send(`${LIST}/add`, { token: 'tok_action_required' })
  await world.work()
  const { words, text } = await asking.ann.get(asked.location)
  assert.match(words, /Your bank needs you to confirm: \$5\.00 for Pro/)
  const [, bank = ''] = /href="http:\/\/[^/]+(\/test-bank\/[^"]+)"/.exec(text) ?? assert.fail(text)
  assert.match(
    (await asking.ann.get('/my/subscriptions')).words,
    /Your bank needs you to confirm a payment of \$5\.00\./,
  )
  assert.match((await asking.ann.get(bank)).words, /Confirm the payment of \$5\.00\? This is a test bank/)
  const confirmed = await asking.ann.send(bank, { answer: 'confirm', back: '/my/subscriptions' })
  assert.match(confirmed.text, /Confirmed<\/h1>\s*<p><a href="\/my\/subscriptions"[^>]*>Go back/)
  await world.work()
  assert.match((await asking.ann.get('/my/subscriptions')).words, /Active Next charge: \$5\.00/)
  assert.match((await asking.ann.get(bank)).words, /does not wait for you/)
})

test('the test bank declines on request, asks once, and knows no other charges', async () => {
  const { shop, ann } = await shopWith('tok_action_required')
  const wanted = { businessId: shop.businessId, planId: monthly }
  const { actionUrl } = await world.call('POST', `/apps/${world.appId}/subscriptions`, wanted, 202)
  const bank = new URL(actionUrl).pathname
  const { hidden = {} } = formOf((await ann.get(bank)).text) ?? {}
  const declined = await ann.post(bank, { ...hidden, answer: 'decline', back: '//evil.example/' })
  assert.match(declined.words, /Declined You can close this page/)
  assert.doesNotMatch(declined.text, /evil/)
  assert.match((await ann.post(bank, { ...hidden, answer: 'confirm' })).words, /does not wait for you/)
  await world.work()
  await shop.expectEvents('PAYMENT_FAIL')
  assert.equal((await ann.get(`/test-bank/${world.app.ports.newId()}`)).status, 404)
})

test('an address reveals nothing about the debts of another business', async () => {
  const { shop } = await shopWith('tok_ok')
  await shop.renewWith(monthly, 'tok_insufficient_funds')
  const [, { invoiceId } = {}] = await shop.invoices()
  const { ann: bob } = await shopWith('tok_ok')
  const { status, words } = await bob.get(`${LIST}?done=added&paying=${invoiceId}`)
  assert.equal(status, 200)
  assert.doesNotMatch(words, /Declined|\$5\.00/)
  for (const paying of ['x', `${invoiceId},`, Array(11).fill(invoiceId).join(','), '-'.repeat(36)]) {
    const answer = await bob.get(`${LIST}?paying=${paying}`)
    assert.ok(answer.status === 400 || !/Declined/.test(answer.words), paying)
  }
})

test('without a choice, or with an invalid token, the form is shown again with the error', async () => {
  const { ann, shop } = await shopWith('none')
  const none = await ann.send(`${LIST}/add`)
  assert.equal(none.status, 400)
  assert.match(none.words, /Choose a card\./)
  const wrong = await ann.send(`${LIST}/add`, { token: 'tok_nothing' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.words, /This card could not be read\./)
  const { csrf = '' } = formOf(wrong.text)?.hidden ?? {}
  for (const fields of [{ token: 'tok_ok' }, { token: 'tok_ok', once: 'x' }, { token: 'x'.repeat(256), once: 'x' }]) {
    assert.equal((await ann.post(`${LIST}/add`, { csrf, ...fields })).status, 400)
  }
  assert.equal((await methodsOf(shop.businessId)).length, 0)
})

test("another business's payment method is not found", async () => {
  const { shop } = await shopWith('tok_ok')
  const { ann: bob } = await shopWith('tok_ok')
  const csrf = await csrfOf(bob)
  const [{ paymentMethodId }] = await methodsOf(shop.businessId)
  for (const id of [paymentMethodId, '018f0000-0000-7000-8000-000000000000']) {
    assert.equal((await bob.post(`${LIST}/${id}/default`, { csrf })).status, 404)
  }
})

test('a viewer sees the payment methods and cannot change them', async () => {
  const { shop } = await shopWith('tok_ok')
  const vera = await visitor(world, shop.businessId, 'VIEWER')
  const { words, text } = await vera.get(LIST)
  assert.match(words, /Test card ok Default/)
  assert.doesNotMatch(text, /payment-methods\/add|\/default/)
  assert.equal((await vera.get(`${LIST}/add`)).status, 403)
})

test('a merchant retries the same card, removes another card, and is warned of an expiry', async () => {
  const { shop, ann } = await shopWith('tok_insufficient_funds', '2026-02-28T00:00:00Z')
  await shop.subscribeAfterTrial()
  const [{ invoiceId } = {}] = await shop.invoices()
  const page = await ann.get(`/my/invoices/${invoiceId}`)
  assert.match(page.words, /Declined: \$5\.00 for Pro There was not enough money/)
  const sent = await ann.send(`/my/invoices/${invoiceId}`, {}, `/my/invoices/${invoiceId}/pay`)
  assert.equal(sent.location, `/my/invoices/${invoiceId}?paying=yes`)
  assert.match((await ann.get(sent.location)).words, /Pending: \$5\.00 for Pro/)
  // Pressed twice: the page shows the state.
  const { csrf = '' } = formOf(page.text, `/my/invoices/${invoiceId}/pay`)?.hidden ?? {}
  assert.equal((await ann.post(`/my/invoices/${invoiceId}/pay`, { csrf })).location, sent.location)
  await world.work()
  assert.equal((await shop.invoices())[0]?.attempts.length, 2)

  const [first] = await methodsOf(shop.businessId)
  const declined = await ann.send(`${LIST}/${first.paymentMethodId}/remove`)
  assert.equal(declined.status, 409)
  assert.match(declined.words, /Make another card the default first\./)
  await ann.send(`${LIST}/add`, { token: 'tok_expires_soon' })
  await world.work()
  const listed = await ann.get(LIST)
  assert.match(listed.words, /Expires soon ends in \d{4}, valid until 03\/2026/)
  assert.match(
    (await ann.get(`${LIST}/${first.paymentMethodId}/remove`)).words,
    /Remove Test card insufficient funds\?/,
  )
  assert.equal((await ann.send(`${LIST}/${first.paymentMethodId}/remove`)).location, `${LIST}?done=removed`)
  assert.doesNotMatch((await ann.get(LIST)).words, /insufficient funds/)
})
