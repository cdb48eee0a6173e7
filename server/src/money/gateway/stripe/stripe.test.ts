import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { actsOn, atOnce } from '../../../../test/support/conformance/bench.ts'
import { gatewayConformance } from '../../../../test/support/conformance/suite.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/postgres.ts'
import { serviceOnBench } from '../../../../test/support/service-on-bench.ts'
import { benchOf } from '../../../../test/support/stripe/bench.ts'
import { cancelIntent, finishIntent } from '../../../../test/support/stripe/intents.ts'
import { finishSetupIntent, makeMethod } from '../../../../test/support/stripe/methods.ts'
import { type FakeStripe, startStripe } from '../../../../test/support/stripe/server.ts'
import { type Database, openDatabase } from '../../../platform/db/db.ts'
import { type Gateway, GatewayUnreachable } from '../gateway.ts'
import { createStripe } from './stripe.ts'

let fresh: FreshDatabase
let db: Database
let stripe: FakeStripe
let gateway: Gateway
let acts: ReturnType<typeof actsOn>
const clock = { now: () => new Date('2026-01-31T00:00:00Z') }

before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url })
  stripe = await startStripe(clock)
  gateway = open()
  acts = actsOn(benchOf(gateway, stripe))
})
after(async () => {
  await stripe.close()
  await db.close()
  await fresh.drop()
})

function open(more: { timeoutMs?: number; secretKey?: string; apiBase?: string } = {}): Gateway {
  const { url: apiBase, secretKey, webhookSecret } = stripe
  const returnUrl = 'https://tillhook.example.com'
  return createStripe({ secretKey, webhookSecret, apiBase, publishableKey: 'pk_test_1', returnUrl, db, clock, ...more })
}

test('Stripe passes the conformance suite', t =>
  gatewayConformance(t, { ...benchOf(gateway, stripe), service: () => serviceOnBench('stripe') }, clock.now()))

const intentOf = (id: string) => stripe.state.things.get(id) ?? {}
const WAYS_TO_LOSE = ['closed before', 'closed after', '500 before', '500 after', '429', '409'] as const

test('an invoice has one PaymentIntent of the customer of the business, with both ids', async () => {
  const [first, second] = [intentOf(await acts.charge()), intentOf(await acts.charge())]
  assert.equal(first.customer, second.customer)
  assert.equal(first.metadata.businessId, acts.businessId)
  assert.match(first.metadata.invoiceId, /^[0-9a-f-]{36}$/)
})

test('a retry confirms the same intent, also after Stripe has forgotten the keys', async () => {
  const [id, bad, good] = [
    await acts.charge(),
    await acts.save('pm_saved_insufficientFunds'),
    await acts.save('pm_card_visa'),
  ]
  assert.equal((await acts.confirm(id, bad)).kind, 'declined')
  stripe.forgetKeys()
  const key = randomUUID()
  assert.equal((await acts.confirm(id, good, key)).kind, 'succeeded')
  stripe.forgetKeys()
  assert.equal((await acts.confirm(id, good, key)).kind, 'succeeded')
  await acts.isBooked(id, 1_999, 0)
})

for (const fault of WAYS_TO_LOSE) {
  test(`a call with the failure "${fault}" is unknown and has one effect in the end`, async () => {
    const [id, reference, key] = [await acts.charge(), await acts.save('pm_card_visa'), randomUUID()]
    // The SDK repeats once after a closed connection.
    const times = fault.startsWith('closed') ? 2 : 1
    stripe.fail(/confirm$/, fault, times)
    assert.equal((await acts.confirm(id, reference, key)).kind, 'unknown')
    const settled = await gateway.findConfirmation({ gatewayChargeId: id, key })
    assert.deepEqual(settled, fault.endsWith('after') ? { kind: 'succeeded' } : null)
    assert.deepEqual(await acts.confirm(id, reference, key), { kind: 'succeeded' })
    stripe.fail(/POST .*refunds$/, fault, times)
    assert.equal((await acts.refund(id, 100, key)).kind, 'unknown')
    // Only the key prevents a second partial refund: after a stored 500, another key must wait.
    if (fault.startsWith('500')) assert.equal((await acts.refund(id, 100, key)).kind, 'unknown')
    const again = { gatewayChargeId: id, key, amount: 100, currency: 'USD', isLongUnseen: true } as const
    const [outcome] = await atOnce([gateway.refund(again), gateway.refund(again)])
    assert.deepEqual(outcome, { kind: 'succeeded' })
    await acts.isBooked(id, 1_999, 100)
  })
}

for (const fault of ['500 before', '500 after'] as const) {
  test(`with the failure "${fault}" Stripe stores the effect, and repeated calls result in one intent and one charge`, async () => {
    const [businessId, key] = [randomUUID(), randomUUID()]
    const metadata = { invoiceId: randomUUID(), businessId }
    const create = () => gateway.createCharge({ key, amount: 500, currency: 'USD', metadata })
    // The second key fails like the first; the repeat of the first takes one of the three. Results are found, except a customer: the first row wins.
    stripe.fail(/POST \/v1\/customers$/, fault, 3)
    for (let n = 0; n < 2; n++) await assert.rejects(create(), GatewayUnreachable)
    const isLost = fault === '500 before'
    stripe.fail(/POST \/v1\/payment_intents$/, fault, isLost ? 3 : 1)
    for (let n = 0; n < (isLost ? 2 : 1); n++) await assert.rejects(create(), GatewayUnreachable)
    const [made, ...others] = await atOnce([create(), create()])
    assert.ok(made && 'gatewayChargeId' in made)
    for (const other of others) assert.deepEqual(other, made)
    const intents = [...stripe.state.things.values()].filter(({ metadata: of }) => of.key === key)
    assert.deepEqual(
      intents.map(({ id }) => id),
      [made.gatewayChargeId],
    )
    stripe.fail(/attach$/, fault)
    const saving = { businessId, token: 'pm_card_visa', key: randomUUID() }
    await assert.rejects(gateway.savePaymentMethod(saving), GatewayUnreachable)
    const saved = await gateway.savePaymentMethod(saving)
    assert.ok(saved && 'reference' in saved)
    const [id, tried] = [made.gatewayChargeId, randomUUID()]
    const confirm = () => acts.confirm(id, saved.reference, tried)
    for (const call of [/POST \/v1\/payment_intents\/\w+$/, /confirm$/]) {
      stripe.fail(call, fault)
      assert.equal((await confirm()).kind, 'unknown')
    }
    assert.deepEqual((await atOnce([confirm(), confirm()]))[0], { kind: 'succeeded' })
    await acts.isBooked(id, 500, 0)
  })
}

test('the current state of an intent is read, also after a replayed response "processing"', async () => {
  const [slow, other, key] = [await acts.save('pm_saved_processing'), await acts.save('pm_card_visa'), randomUUID()]
  const id = await acts.charge()
  assert.equal((await acts.confirm(id, slow)).kind, 'pending')
  assert.equal((await acts.confirm(id, other, key)).kind, 'pending')
  finishIntent(stripe.state, intentOf(id), 'succeeds')
  assert.deepEqual(await acts.confirm(id, other, key), { kind: 'succeeded' })
  await acts.isBooked(id, 1_999, 0)
})

test('a new attempt on a processing intent waits for the failure of the earlier attempt', async () => {
  const [slow, other, key] = [await acts.save('pm_saved_processing'), await acts.save('pm_card_visa'), randomUUID()]
  const id = await acts.charge()
  assert.equal((await acts.confirm(id, slow)).kind, 'pending')
  assert.equal((await acts.confirm(id, other, key)).kind, 'pending')
  finishIntent(stripe.state, intentOf(id), 'declines')
  assert.equal(await gateway.findConfirmation({ gatewayChargeId: id, key }), null)
  assert.deepEqual(await acts.confirm(id, other, key), { kind: 'succeeded' })
  await acts.isBooked(id, 1_999, 0)
})

for (const became of ['is still open', 'failed'] as const) {
  test(`an attempt that was never confirmed takes nothing from an earlier authentication that ${became}`, async () => {
    const asks = await acts.save('pm_card_authenticationRequired')
    const [id, first, second] = [await acts.charge(), randomUUID(), randomUUID()]
    assert.equal((await acts.confirm(id, asks, first)).kind, 'actionRequired')
    if (became === 'failed') finishIntent(stripe.state, intentOf(id), 'declines')
    const ofFirst = await gateway.findConfirmation({ gatewayChargeId: id, key: first })
    assert.equal(ofFirst?.kind, became === 'failed' ? 'declined' : 'actionRequired')
    // The same card: the payment method does not distinguish the attempts. A closed connection is tried twice.
    stripe.fail(/confirm$/, 'closed before', 2)
    assert.equal((await acts.confirm(id, asks, second)).kind, 'unknown')
    assert.equal(await gateway.findConfirmation({ gatewayChargeId: id, key: second }), null)
    stripe.forgetKeys()
    assert.equal((await acts.confirm(id, asks, second)).kind, 'actionRequired')
    assert.equal((await gateway.findConfirmation({ gatewayChargeId: id, key: second }))?.kind, 'actionRequired')
    finishIntent(stripe.state, intentOf(id), 'succeeds')
    assert.equal((await gateway.findConfirmation({ gatewayChargeId: id, key: second }))?.kind, 'succeeded')
    await acts.isBooked(id, 1_999, 0)
  })
}

test('an intent that is cancelled, or loses its card, before the payer is asked has an outcome', async () => {
  const [id, other] = [await acts.charge(), await acts.charge()]
  const [asks, removed] = [
    await acts.save('pm_card_authenticationRequired'),
    await acts.save('pm_card_authenticationRequired'),
  ]
  const beforeAsking = /confirm\?.*return_url/
  stripe.meanwhile(beforeAsking, async () => cancelIntent(stripe.state, intentOf(id)))
  assert.deepEqual(await acts.confirm(id, asks), { kind: 'cancelled' })
  stripe.meanwhile(beforeAsking, async () => Object.assign(intentOf(removed), { customer: null }))
  const gone = { kind: 'declined', severity: 'hard', code: 'payment_method_unexpected_state' }
  assert.deepEqual(await acts.confirm(other, removed), gone)
  for (const each of [id, other]) await acts.isBooked(each, 0, 0)
})

test('a missing response is unknown after the timeout, and the outcome is found', async () => {
  const hasty = open({ timeoutMs: 200 })
  const [id, reference, key] = [await acts.charge(), await acts.save('pm_card_visa'), randomUUID()]
  stripe.fail(/confirm$/, 'silent after')
  const outcome = await hasty.confirmCharge({ gatewayChargeId: id, key, reference })
  assert.deepEqual(outcome, { kind: 'unknown', reason: 'unreachable' })
  assert.deepEqual(await hasty.findConfirmation({ gatewayChargeId: id, key }), { kind: 'succeeded' })
})

test('a call with `until` is unknown after that time and sends nothing later', async () => {
  const patient = open()
  const [id, reference, key] = [await acts.charge(), await acts.save('pm_card_visa'), randomUUID()]
  stripe.fail(/confirm$/, 'silent after')
  const until = new Date(clock.now().getTime() + 200)
  const asked = { gatewayChargeId: id, key, reference }
  assert.equal((await patient.confirmCharge({ ...asked, until })).kind, 'unknown')
  const over = { ...asked, key: randomUUID(), until: clock.now() }
  assert.deepEqual(await patient.confirmCharge(over), { kind: 'unknown', reason: 'out_of_time' })
  assert.notEqual(intentOf(id).metadata.try, over.key)
  assert.deepEqual(await patient.findConfirmation(over), { kind: 'unknown', reason: 'out_of_time' })
  const refund = { ...over, amount: 1, currency: 'USD' }
  assert.deepEqual(await patient.refund(refund), { kind: 'unknown', reason: 'out_of_time' })
  assert.deepEqual(await patient.findRefund(over), { kind: 'unknown', reason: 'out_of_time' })
  const make = { key: randomUUID(), amount: 500, currency: 'USD', until: clock.now() }
  const metadata = { invoiceId: randomUUID(), businessId: acts.businessId }
  await assert.rejects(patient.createCharge({ ...make, metadata }), GatewayUnreachable)
  const { businessId } = acts
  await assert.rejects(patient.findCharge({ key: make.key, businessId, until: clock.now() }), GatewayUnreachable)
  assert.deepEqual(await patient.confirmCharge(asked), { kind: 'succeeded' })
})

test('after a closed connection the SDK repeats the same key', async () => {
  const [id, reference] = [await acts.charge(), await acts.save('pm_card_visa')]
  stripe.fail(/confirm$/, 'closed after')
  assert.deepEqual(await acts.confirm(id, reference), { kind: 'succeeded' })
  await acts.isBooked(id, 1_999, 0)
})

test('an unavailable Stripe makes the outcome unknown, and calls without an unknown outcome throw', async () => {
  const away = open({ apiBase: 'http://127.0.0.1:9' })
  const request = { gatewayChargeId: 'pi_1', key: 'k', reference: 'pm', amount: 1, currency: 'USD' }
  assert.equal((await away.confirmCharge(request)).kind, 'unknown')
  assert.equal((await away.findConfirmation(request))?.kind, 'unknown')
  assert.equal((await away.refund(request)).kind, 'unknown')
  await assert.rejects(away.listTouched({ since: new Date(0) }), GatewayUnreachable)
})

test('a wrong key makes the outcome unknown and declines no charge', async () => {
  const wrong = open({ secretKey: 'sk_test_wrong' })
  const request = { gatewayChargeId: 'pi_1', key: 'k', reference: 'pm' }
  assert.deepEqual(await wrong.confirmCharge(request), { kind: 'unknown', reason: 'authentication_error' })
})

test('a missing intent, and a key with another refund, throw', async () => {
  const reference = await acts.save('pm_card_visa')
  await assert.rejects(acts.confirm('pi_none', reference))
  const [id, key] = [await acts.paid('pm_card_visa'), randomUUID()]
  await acts.refund(id, 100, key)
  await assert.rejects(acts.refund(id, 200, key))
})

test('an amount or currency that Stripe never accepts is declined, not unknown', async () => {
  const metadata = { invoiceId: randomUUID(), businessId: acts.businessId }
  const make = (amount: number, currency: string) =>
    gateway.createCharge({ key: randomUUID(), amount, currency, metadata })
  assert.deepEqual(await make(49, 'USD'), { declined: 'amount_too_small' })
  assert.deepEqual(await make(5_124, 'KWD'), { declined: 'amount_not_representable' })
  assert.deepEqual(await make(5_000, 'LYD'), { declined: 'currency_not_supported' })
})

test('krónur are sent in hundredths and converted back to krónur', async () => {
  const metadata = { invoiceId: randomUUID(), businessId: acts.businessId }
  const made = await gateway.createCharge({ key: randomUUID(), amount: 700, currency: 'ISK', metadata })
  assert.ok('gatewayChargeId' in made)
  const id = made.gatewayChargeId
  assert.equal(intentOf(id).amount, 70_000)
  await acts.confirm(id, await acts.save('pm_card_visa'))
  await gateway.refund({ gatewayChargeId: id, key: randomUUID(), amount: 200, currency: 'ISK' })
  const money = await gateway.findMoney(id)
  assert.deepEqual([money?.charged, money?.refunds[0]?.amount, money?.currency], [700, 200, 'ISK'])
})

test('a succeeded SetupIntent becomes a payment method only for its own business', async () => {
  const { businessId } = acts
  const { clientSecret, publishableKey } = await gateway.beginPaymentMethod({ businessId, key: randomUUID() })
  assert.equal(publishableKey, 'pk_test_1')
  const token = clientSecret.replace(/_secret_.*/, '')
  const save = (of: string) => gateway.savePaymentMethod({ businessId: of, token, key: randomUUID() })
  assert.deepEqual(await save(businessId), { declined: 'setup_requires_payment_method' })
  finishSetupIntent(stripe.state, token, 'pm_card_visa')
  const saved = await save(businessId)
  assert.ok(saved && 'reference' in saved)
  assert.equal(saved.label, 'Visa •••• 4242')
  assert.equal(await save(randomUUID()), null)
  assert.deepEqual(await acts.confirm(await acts.charge(), saved.reference), { kind: 'succeeded' })
})

for (const fault of ['500 before', '500 after'] as const) {
  test(`a card is saved once, and one SetupIntent is created, after ${fault} that Stripe stores`, async () => {
    const [businessId, key] = [acts.businessId, randomUUID()]
    const token = makeMethod(stripe.state, 'pm_card_visa').id
    const save = (of = businessId) => gateway.savePaymentMethod({ businessId: of, token, key })
    stripe.fail(/attach$/, fault)
    await assert.rejects(save(), GatewayUnreachable)
    const saved = { reference: token, label: 'Visa •••• 4242' }
    assert.deepEqual(await atOnce([save(), save()]), [saved, saved])
    // Repeated after Stripe has forgotten the keys, and by another request.
    stripe.forgetKeys()
    assert.deepEqual(await save(), saved)
    assert.deepEqual(await gateway.savePaymentMethod({ businessId, token, key: randomUUID() }), saved)
    assert.equal(await save(randomUUID()), null)
    stripe.fail(/setup_intents$/, fault)
    const begin = () => gateway.beginPaymentMethod({ businessId, key })
    await assert.rejects(begin(), GatewayUnreachable)
    const { clientSecret } = await begin()
    assert.equal((await begin()).clientSecret, clientSecret)
    const begun = clientSecret.replace(/_secret_.*/, '')
    finishSetupIntent(stripe.state, begun, 'pm_card_visa')
    const finished = await gateway.savePaymentMethod({ businessId, token: begun, key: randomUUID() })
    assert.ok(finished && 'reference' in finished)
    for (const { reference } of [saved, finished]) {
      assert.deepEqual(await acts.confirm(await acts.charge(), reference), { kind: 'succeeded' })
    }
  })
}

test("another merchant's payment method is not a valid token", async () => {
  const reference = await acts.save('pm_card_visa')
  const token = { businessId: randomUUID(), token: reference, key: randomUUID() }
  assert.equal(await gateway.savePaymentMethod(token), null)
})

test('an event is accepted for five minutes', async () => {
  const id = await acts.paid('pm_card_visa')
  const event = stripe.state.events.find(({ data }) => data.object.id === id)
  assert.ok(event)
  const late = createStripe({
    ...{ secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret, returnUrl: 'https://x.example', db },
    clock: { now: () => new Date(clock.now().getTime() + 301_000) },
  })
  assert.equal(late.readEvent(stripe.sign(event)), null)
  assert.equal(gateway.readEvent(stripe.sign(event))?.eventId, event.id)
})
