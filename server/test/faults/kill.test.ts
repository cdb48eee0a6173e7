import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '../start/program.ts'
import { listCharges } from '../support/sandbox-bench.ts'
import { assertBooksAgree } from './books.ts'
import type { Json } from './client.ts'
import type { Place } from './crash-places.ts'
import { AMOUNT, makeMerchant, makePlatform, type Platform, subscribe } from './platform.ts'
import { openStand, type Stand } from './stand.ts'

/** Longer than the lease of an abandoned charge: the next service claims the charge at once. */
const PAST_LEASES_MS = 120_000
const DAY_MS = 86_400_000
const DIES_WITHIN_MS = 60_000

let stand: Stand
let platform: Platform
let aheadMs = 0

before(async () => {
  stand = await openStand()
  await stand.startAhead(aheadMs)
  platform = await makePlatform(stand.client, stand.inbox)
})
beforeEach(async () => {
  // A failed test may leave its service dead.
  if (stand.program().child.signalCode !== null) await restart()
})
after(() => stand?.close())

/** `left`: the invoice left by the killed service, and the amount charged at the gateway. */
const WHILE_SUBSCRIBING: readonly (readonly [when: string, place: Place, left?: string])[] = [
  ['before subscription, invoice and charge are committed', 'before the commit of a request', 'no invoice'],
  ['once subscription, invoice and charge are committed, before the answer', 'after the commit of a request', 'OPEN'],
  ['once the charge is claimed, before the gateway knows of it', 'before createCharge', 'OPEN'],
  ['once the gateway made the charge object, before its id is kept', 'after createCharge', 'OPEN, 0 taken'],
  ['once the id of the charge object is kept, before it is charged', 'before confirmCharge', 'OPEN, 0 taken'],
  ['once the gateway charged, before its answer', 'after confirmCharge', 'OPEN, 500 taken'],
  ["after the gateway's answer, before the commit", 'before the commit of charges', 'OPEN, 500 taken'],
  ["once the gateway's answer is committed", 'after the commit of charges', 'PAID, 500 taken, 0 given back'],
  ['once a delivery is claimed, before it is sent', 'before a delivery'],
  ['once a delivery is acknowledged, before that is saved', 'after a delivery'],
]

for (const [when, place, left] of WHILE_SUBSCRIBING) {
  test(`after a kill -9 ${when} the subscription exists once, charged once, with its events`, async () => {
    const businessId = await makeMerchant(stand.client)
    await stand.send({ dieAt: place })
    const subscribing = subscribe(stand.client, platform, businessId)
    subscribing.catch(() => {})
    await die()
    if (left !== undefined) assert.equal(await describeInvoice(businessId), left)
    await restart()
    const { subscriptionId } = await subscribing
    await settle()
    const { list } = await stand.client.get(`/businesses/${businessId}/invoices`)
    assert.deepEqual(
      list.map((invoice: Json) => [invoice.subscriptionId, invoice.status, invoice.amountPaid]),
      [[subscriptionId, 'PAID', AMOUNT]],
    )
  })
}

const CANCELLED_MEANWHILE: readonly (readonly [when: string, place: Place, becomes: string])[] = [
  ['before it was charged: nothing is taken', 'before confirmCharge', 'VOID, 0 taken, 0 given back'],
  ['after it was charged: the money is given back', 'after confirmCharge', 'PAID, 500 taken, 500 given back'],
]

for (const [when, place, becomes] of CANCELLED_MEANWHILE) {
  test(`a subscription is cancelled while its charge is unknown after a kill ${when}`, async () => {
    const businessId = await makeMerchant(stand.client)
    await stand.send({ dieAt: place })
    // The client repeats the request that the kill interrupts, and gets a PENDING subscription.
    const subscribing = subscribe(stand.client, platform, businessId)
    await die()
    // The clock goes back, so that the lease of the killed service lasts however long the start takes.
    aheadMs -= PAST_LEASES_MS / 2
    await stand.startAhead(aheadMs)
    const { subscriptionId } = await subscribing
    const cancelled = await stand.client.send('DELETE', `/apps/${platform.appId}/subscriptions/${subscriptionId}`)
    assert.equal(cancelled.body.status, 'ENDED')
    await passLeases()
    await settle()
    assert.equal(await describeInvoice(businessId), becomes)
  })
}

const WHILE_REFUNDING: readonly (readonly [when: string, place: Place])[] = [
  ['once the refund is claimed, before the gateway knows of it', 'before refund'],
  ['once the gateway gave back, before its answer', 'after refund'],
  ["after the gateway's answer, before the commit", 'before the commit of refunds'],
  ["once the gateway's answer is committed", 'after the commit of refunds'],
]

for (const [when, place] of WHILE_REFUNDING) {
  test(`after a kill -9 ${when} the refund is made once`, async () => {
    const businessId = await makeMerchant(stand.client)
    await subscribe(stand.client, platform, businessId)
    await settle()
    const { list } = await stand.client.get(`/businesses/${businessId}/invoices`)
    await stand.send({ dieAt: place })
    await stand.client.post(`/businesses/${businessId}/invoices/${list[0].invoiceId}/refunds`, { amount: 200 })
    await die()
    await restart()
    await settle()
    const { amountRefunded } = await stand.client.get(`/businesses/${businessId}/invoices/${list[0].invoiceId}`)
    assert.equal(amountRefunded, 200)
  })
}

/** The six crash points of billing. A renewal commits its invoice and charge together. */
const UNDER_LOAD: readonly Place[] = [
  'before the commit of renewals',
  'after the commit of renewals',
  'after confirmCharge',
  'before the commit of charges',
  'after the commit of charges',
]
const JOINING = 10

for (const place of UNDER_LOAD) {
  test(`after a kill -9 ${place} during renewals and ten new subscriptions each period has one invoice, charged once`, async () => {
    const before = await countInvoices()
    await stand.send({ dieAt: place })
    // All subscriptions begin a new period: they started within the hours that the clock is ahead.
    aheadMs += DAY_MS
    const sent = stand.send({ aheadMs }, { mayDie: true })
    const joining = Array.from({ length: JOINING }, async () =>
      subscribe(stand.client, platform, await makeMerchant(stand.client)),
    )
    for (const one of joining) one.catch(() => {})
    await sent
    await die()
    await restart()
    const joined = await Promise.all(joining)
    await settle()
    assert.ok(before.size > 0)
    const after = await countInvoices()
    assert.deepEqual(
      [...before.keys()].map(id => [id, after.get(id)]),
      [...before].map(([id, count]) => [id, count + 1]),
    )
    // Subscriptions made before the new day are renewed too.
    for (const { subscriptionId } of joined) assert.ok((after.get(subscriptionId) ?? 0) >= 1)
    assert.equal(after.size, before.size + JOINING)
  })
}

const PLANS = 20
const SHOPS = 11

test('after a kill -9 between two batches of an enabled app each subscription begins one new period, without the time on hold', async () => {
  await makeTrials()
  const before = await countInvoices()
  await setApp('DISABLED')
  const heldFrom = stand.now()
  aheadMs += 2 * DAY_MS
  await stand.send({ aheadMs })
  // Periods begin at whole seconds.
  const heldUntil = new Date(stand.now().getTime() - 1_000)
  await stand.send({ dieAt: 'after the commit of renewals' })
  await setApp('ACTIVE').catch(() => {})
  await die()
  const reached = await stand.db.sql`select 1 from apps where resumed_to is not null`
  assert.equal(reached.length, 1, 'more than one batch')
  await restart()
  await settle()
  assert.ok(before.size > 0)
  assert.deepEqual(await countInvoices(), new Map([...before].map(([id, count]) => [id, count + 1])))
  const held = await stand.db.sql`
    select 1 from invoices where period_start > ${heldFrom} and period_start < ${heldUntil}`
  assert.equal(held.length, 0)
})

test('after a kill -9 between two batches of an ending each subscription ends once and is refunded once', async () => {
  const { size: paid } = await countInvoices()
  await setApp('DISABLED')
  await stand.send({ dieAt: 'after the commit of appEndings' })
  const path = `/apps/${platform.appId}/endings`
  const { endingId, progress } = await stand.client.post(path, { refundUnused: true })
  await die()
  const reached = await stand.db.sql`select 1 from app_endings where state = 'RUNNING' and ended > 0`
  assert.equal(reached.length, 1, 'more than one batch')
  await restart()
  const job = await until(stand.program(), 'ended all', DIES_WITHIN_MS, async () => {
    const found = await stand.client.get(`${path}/${endingId}`)
    return found.state === 'DONE' ? found : undefined
  })
  const { total } = progress
  assert.deepEqual(job.progress, { percent: 100, total, ended: total, refunds: paid, failed: 0 })
  await settle()
  const [left] = await stand.db.sql<{ live: number; refunds: number }[]>`
    select (select count(*) from subscriptions where status = 'ACTIVE')::int as live,
      (select count(distinct invoice_id) from refunds where reason like 'The platform%')::int as refunds`
  assert.deepEqual(left, { live: 0, refunds: paid })
})

/** More live subscriptions than two batches, most of them in a trial. */
async function makeTrials(): Promise<void> {
  const { client } = stand
  const plans = Array.from({ length: PLANS }, (_, n) => ({
    ...{ name: `Plan ${n}`, amounts: [{ country: 'US', currency: 'USD', value: AMOUNT }], interval: 'DAY' },
    ...{ scope: 'BUSINESS', trialPeriodDays: 365, trialEligibility: 'ALWAYS' },
  }))
  const path = `/apps/${platform.appId}`
  const release = await client.post(`${path}/releases`, { version: '2.0', plans })
  await client.post(`${path}/releases/${release.releaseId}/approve`, {})
  for (let n = 0; n < SHOPS; n++) {
    const businessId = await makeMerchant(client)
    const planIds = release.plans.map((plan: Json) => plan.planId)
    await Promise.all(planIds.map((planId: string) => subscribe(client, { ...platform, planId }, businessId)))
  }
  // The last of all is in the second batch.
  await subscribe(client, platform, await makeMerchant(client))
}

async function setApp(status: 'ACTIVE' | 'DISABLED'): Promise<void> {
  const { body } = await stand.client.send('PATCH', `/apps/${platform.appId}`, { body: { status } })
  assert.equal(body.status, status)
}

async function die(): Promise<void> {
  const killed = stand.program()
  await until(killed, 'is killed at that place', DIES_WITHIN_MS, () => killed.child.signalCode ?? undefined, {
    alsoWhenEnded: true,
  })
  assert.equal(await killed.ended(), 'SIGKILL')
}

async function restart(): Promise<void> {
  aheadMs += PAST_LEASES_MS
  await stand.startAhead(aheadMs)
}

async function passLeases(): Promise<void> {
  aheadMs += PAST_LEASES_MS
  await stand.send({ aheadMs })
}

async function settle(): Promise<void> {
  await stand.settle()
  await assertBooksAgree(stand)
}

async function describeInvoice(businessId: string): Promise<string> {
  const [invoice] = await stand.db.sql<{ status: string }[]>`
    select status from invoices where business_id = ${businessId}`
  const [object] = (await listCharges(stand.db.sql)).filter(charge => charge.businessId === businessId)
  const given = object && invoice?.status !== 'OPEN' ? `, ${object.refunded} given back` : ''
  return `${invoice?.status ?? 'no invoice'}${object ? `, ${object.charged} taken` : ''}${given}`
}

/** Invoices of each live subscription. */
async function countInvoices(): Promise<Map<string, number>> {
  const rows = await stand.db.sql<{ id: string; count: number }[]>`
    select subscription_id as id, count(*) as count from invoices join subscriptions using (subscription_id)
    where subscriptions.status = 'ACTIVE' group by subscription_id`
  return new Map(rows.map(({ id, count }) => [id, count]))
}
