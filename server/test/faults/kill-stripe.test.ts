import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '../start/program.ts'
import { type FakeStripe, startStripe } from '../support/stripe/server.ts'
import type { Thing } from '../support/stripe/state.ts'
import type { Place } from './crash-places.ts'
import { AMOUNT, makePlatform, type Platform, subscribe } from './platform.ts'
import { openStand, type Stand } from './stand.ts'

/** Longer than the lease of an abandoned charge: the next service claims the charge at once. */
const PAST_LEASES_MS = 120_000
const DIES_WITHIN_MS = 60_000
const PAYS_WITHIN_MS = 60_000
const MONTH_MS = 31 * 86_400_000
/** The lease of a payout is longer. */
const PAST_TRANSFER_LEASE_MS = 10 * 60_000

let stripe: FakeStripe
let stand: Stand
let platform: Platform
let aheadMs = 0

before(async () => {
  stripe = await startStripe({ now: () => new Date(Date.now() + aheadMs) })
  const { secretKey, url: apiBase } = stripe
  stand = await openStand(undefined, { stripe: { secretKey, apiBase }, paysByConnect: true })
  await stand.startAhead(aheadMs)
  platform = await makePlatform(stand.client, stand.inbox)
})
beforeEach(async () => {
  // A failed test may leave its service dead.
  if (stand.program().child.signalCode !== null) await restart()
})
after(async () => {
  await stand?.close()
  await stripe?.close()
})

/** The first test, because it moves the clock by a month each time and nothing is subscribed yet. */
for (const place of ['after transfer', 'before the commit of payoutTransfers'] as const) {
  test(`after a kill -9 ${place} the developer is paid once`, async () => {
    const { organizationId } = await stand.client.post('/organizations', { name: 'Paid', email: 'dev@example.com' })
    const path = `/organizations/${organizationId}`
    const sales = { kind: 'ADJUSTMENT', amount: 800, currency: 'USD', reason: 'sales' }
    await stand.client.post(`${path}/adjustments`, sales)
    const { accountId } = await stand.client.post(`${path}/payout-account`, undefined)
    const account = stripe.state.things.get(accountId)
    assert.ok(account)
    account.capabilities.transfers = 'active'
    const month = stand.now().toISOString().slice(0, 7)
    aheadMs += MONTH_MS
    await stand.send({ aheadMs })
    await stand.send({ dieAt: place })
    await stand.client.post(`${path}/transfers`, { month, currency: 'USD' })
    await die()
    stripe.forgetKeys()
    aheadMs += PAST_TRANSFER_LEASE_MS
    await restart()
    const paid = await until(stand.program(), 'paid the developer', PAYS_WITHIN_MS, async () => {
      const { list } = await stand.client.get(`${path}/transfers`)
      return list[0].status === 'SUCCEEDED' ? list : undefined
    })
    assert.equal(paid.length, 1)
    const made = of('transfer').filter(({ destination }) => destination === accountId)
    assert.deepEqual(
      made.map(({ amount }) => amount),
      [800],
    )
    const { list } = await stand.client.get(`${path}/payouts`)
    assert.deepEqual(
      list.filter(({ kind }: Thing) => kind === 'PAYOUT').map(({ amount }: Thing) => amount),
      [800],
    )
  })
}

/** `keys`: Stripe keeps keys for a day, and a service may be down for longer. */
const WHILE_CHARGING: readonly (readonly [when: string, place: Place, keys: 'known' | 'forgotten'])[] = [
  ['before Stripe knows of the charge', 'before createCharge', 'known'],
  ['once Stripe made the intent, before its id is kept', 'after createCharge', 'forgotten'],
  ['once the id of the intent is kept, before it is confirmed', 'before confirmCharge', 'known'],
  ['once Stripe charged and answered, before anything is saved', 'after confirmCharge', 'known'],
  ["after Stripe's answer, before the commit", 'before the commit of charges', 'forgotten'],
]

for (const [when, place, keys] of WHILE_CHARGING) {
  test(`after a kill -9 ${when}, with ${keys} keys, there is one intent, charged once`, async () => {
    const businessId = await makeMerchant()
    await stand.send({ dieAt: place })
    const subscribing = subscribe(stand.client, platform, businessId)
    subscribing.catch(() => {})
    await die()
    if (keys === 'forgotten') stripe.forgetKeys()
    await restart()
    await subscribing
    await stand.settle()
    const { list } = await stand.client.get(`/businesses/${businessId}/invoices`)
    assert.deepEqual(
      list.map(({ status, amountPaid }: Thing) => [status, amountPaid]),
      [['PAID', AMOUNT]],
    )
    const charged = of('charge').filter(({ metadata }) => metadata.businessId === businessId)
    const intents = of('payment_intent').filter(({ metadata }) => metadata.businessId === businessId)
    assert.deepEqual([intents.length, charged.map(({ status }) => status)], [1, ['succeeded']])
  })
}

for (const place of ['before refund', 'after refund', 'before the commit of refunds'] as const) {
  test(`after a kill -9 ${place} Stripe refunds once`, async () => {
    const businessId = await makeMerchant()
    await subscribe(stand.client, platform, businessId)
    await stand.settle()
    const path = `/businesses/${businessId}/invoices`
    const { list } = await stand.client.get(path)
    await stand.send({ dieAt: place })
    const { refundId } = await stand.client.post(`${path}/${list[0].invoiceId}/refunds`, { amount: 200 })
    await die()
    stripe.forgetKeys()
    await restart()
    await stand.settle()
    assert.equal((await stand.client.get(`${path}/${list[0].invoiceId}`)).amountRefunded, 200)
    assert.equal(of('refund').filter(({ metadata }) => metadata.refundId === refundId).length, 1)
  })
}

function of(object: string): Thing[] {
  return [...stripe.state.things.values()].filter(thing => thing.object === object)
}

async function makeMerchant(): Promise<string> {
  const { businessId } = await stand.client.post('/businesses', {
    ...{ legalName: 'Corner Shop', emailAddress: 'shop@example.com', country: 'US', type: 'MERCHANT' },
  })
  await stand.client.post(`/businesses/${businessId}/payment-methods`, { gateway: 'stripe', token: 'pm_card_visa' })
  return businessId
}

async function die(): Promise<void> {
  const killed = stand.program()
  await until(killed, 'is killed at that place', DIES_WITHIN_MS, () => killed.child.signalCode ?? undefined, {
    alsoWhenEnded: true,
  })
}

async function restart(): Promise<void> {
  aheadMs += PAST_LEASES_MS
  await stand.startAhead(aheadMs)
}
