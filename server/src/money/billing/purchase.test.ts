import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { addTerminal, signedInAt } from '../../../test/support/terminals.ts'
import { createWorld, type Json, type Merchant, type World } from '../../../test/support/world.ts'
import type { App } from '../../app.ts'
import type { Purchase } from '../../core/purchase.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { cancelPurchase, getPurchase, outcomeOf } from '../purchases/purchases.ts'
import { type OpenedPurchase, openPurchase, type Wanted } from './open-purchase.ts'
import { completePurchase } from './purchase.fixture.ts'
import type { Buyer } from './purchase.ts'
import { showPurchase } from './purchase.ts'

let world: World
let appId: string
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
  appId = world.appId.slice('urn:aid:'.length)
})
after(() => world.close())

interface Shop {
  readonly merchant: Merchant
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
  readonly businessUserId: string
  readonly terminalSessionId: string
}

async function newShop(card = 'tok_ok'): Promise<Shop> {
  const merchant = await world.merchant({ card })
  return { merchant, ...(await newLocation(merchant.businessId)) }
}

/** A terminal with a signed-in manager. */
async function newLocation(businessId: string, of?: string) {
  const { storeId, deviceId: urn } = await addTerminal(world, businessId, of)
  const location = { businessId, storeId, deviceId: urn.slice('urn:tid:'.length) }
  return { ...location, ...(await signedInAt(world, location)) }
}

async function tryToOpen(shop: Shop, wanted: Wanted, of: { appId?: string } = {}) {
  const { merchant, ...location } = shop
  return openPurchase(world.app.ports, { appId, ...of, ...location, openedBy: 'TERMINAL', wanted })
}

async function open(shop: Shop, wanted: Wanted): Promise<Purchase & { by: Buyer }> {
  const opened = done(await tryToOpen(shop, wanted))
  return { ...opened.purchase, by: { secret: secretOf(opened) } }
}

function secretOf({ url, purchase }: OpenedPurchase): string {
  const { origin, pathname, searchParams } = new URL(url)
  assert.equal(`${origin}${pathname}`, `${world.app.ports.settings.baseUrl}/purchases/${purchase.purchaseId}`)
  return searchParams.get('key') ?? ''
}

const complete = ({ purchaseId, by }: { purchaseId: string; by: Buyer }, app: App = world.app, extra = {}) =>
  completePurchase(app.ports, { purchaseId, by, ...extra })

const statusOf = async (purchaseId: string) =>
  done(await getPurchase(world.app.ports, { purchaseId, isMine: () => true })).status

function done<T extends object>(result: T | Rejection): T {
  assert.ok(!isRejection(result), JSON.stringify(result))
  return result as T
}

const codeOf = (result: object) => (isRejection(result) ? result.rejected : 'done')

async function settled({ invoiceId }: Purchase): Promise<Json> {
  await world.work()
  return outcomeOf(world.app.ports, { ...(invoiceId === undefined ? {} : { invoiceId }) })
}

async function subscriptionsOf({ businessId }: Shop): Promise<Json[]> {
  return (await world.call('GET', `/apps/${world.appId}/subscriptions?status=ALL&businessId=${businessId}`)).list
}

async function previewOf(purchase: { purchaseId: string; by: Buyer }) {
  const { preview } = done(await showPurchase(world.app.ports, purchase))
  assert.ok(preview)
  return preview
}

test('a purchase shows the charge now and the next charge, and makes exactly these charges', async () => {
  const shop = await newShop()
  const purchase = await open(shop, { planId: await world.plan() })
  assert.deepEqual([purchase.status, purchase.kind, purchase.expiresAt], ['OPEN', 'SUBSCRIBE', at('10:30')])
  const preview = done(await previewOf(purchase))
  assert.deepEqual(
    [preview.currency, preview.price, preview.amount, preview.lines.length, preview.next],
    ['USD', 500, 500, 1, { at: new Date('2026-04-01T10:00:00Z'), amount: 500 }],
  )
  assert.deepEqual(await subscriptionsOf(shop), [])

  const completed = done(await complete(purchase))
  assert.deepEqual(await outcomeOf(world.app.ports, completed), { status: 'PENDING' })
  assert.deepEqual(await settled(completed), { status: 'PAID' })
  const [subscription, ...others] = await subscriptionsOf(shop)
  assert.deepEqual(
    [others, subscription?.subscriptionId, subscription?.bundleId],
    [[], completed.subscriptionId, purchase.purchaseId],
  )
  const [invoice] = await shop.merchant.invoices()
  assert.deepEqual([invoice?.invoiceId, invoice?.amountPaid], [completed.invoiceId, preview.amount])
  assert.deepEqual((await showNothingMore(purchase)).purchase, completed)
})

test('a purchase with a trial charges nothing now and shows the date of the first charge', async () => {
  const shop = await newShop()
  const purchase = await open(shop, { planId: await world.plan({ trialPeriodDays: 14 }) })
  const preview = done(await previewOf(purchase))
  const trialEndAt = new Date('2026-03-15T10:00:00Z')
  assert.deepEqual(
    [preview.amount, preview.lines, preview.trialEndAt, preview.next],
    [0, [], trialEndAt, { at: trialEndAt, amount: 500 }],
  )
  assert.deepEqual(await settled(done(await complete(purchase))), { status: 'NOTHING_DUE' })
})

test('a purchase confirmed many times at once, in two processes, completes once', async () => {
  const shop = await newShop()
  const purchase = await open(shop, { planId: await world.plan() })
  const other = await world.openAnother()
  const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => complete(purchase, n % 2 ? other : world.app)))
  const [first, ...rest] = answers.map(done)
  for (const one of rest) assert.deepEqual(one, first)
  assert.deepEqual(done(await complete(purchase)), first)
  await world.work()
  assert.equal((await subscriptionsOf(shop)).length, 1)
  assert.deepEqual(
    (await shop.merchant.invoices()).map(({ amountPaid }) => amountPaid),
    [500],
  )
})

test('if two purchases of one plan are paid concurrently on two terminals, one completes', async () => {
  const shop = await newShop()
  const beside = { ...shop, ...(await newLocation(shop.businessId, shop.storeId)) }
  const planId = await world.plan()
  const purchases = [await open(shop, { planId }), await open(beside, { planId })]
  const answers = await Promise.all(purchases.map(purchase => complete(purchase)))
  assert.deepEqual(answers.map(codeOf).sort(), ['ALREADY_SUBSCRIBED', 'done'])
  await world.work()
  assert.equal((await subscriptionsOf(shop)).length, 1)
  const statuses = await Promise.all(purchases.map(({ purchaseId }) => statusOf(purchaseId)))
  assert.deepEqual(statuses.sort(), ['COMPLETED', 'OPEN'])
})

test('a crash before the commit leaves the purchase open and nothing bought', async () => {
  const shop = await newShop()
  const purchase = await open(shop, { planId: await world.plan() })
  const { ports } = world.app
  const crashing: typeof ports = {
    ...ports,
    db: {
      sql: ports.db.sql,
      transaction: work =>
        ports.db.transaction(async tx => {
          await work(tx)
          throw new Error('crash')
        }),
    },
  }
  await assert.rejects(completePurchase(crashing, purchase), /crash/)
  assert.equal(await statusOf(purchase.purchaseId), 'OPEN')
  assert.deepEqual(await subscriptionsOf(shop), [])
  assert.equal(codeOf(await complete(purchase)), 'done')
})

test('a plan change by a purchase costs the shown amount and keeps the subscription', async () => {
  const shop = await newShop()
  const { subscriptionId } = await shop.merchant.subscribe(await world.plan())
  const amounts = [{ country: 'US', currency: 'USD', value: 2000 }]
  const purchase = await open(shop, { planId: await world.plan({ amounts }), replace: true })
  assert.deepEqual([purchase.kind, purchase.subscriptionId], ['REPLACE', subscriptionId])
  const preview = done(await previewOf(purchase))
  assert.deepEqual([preview.price, preview.amount, preview.creditGranted], [2000, 1500, 500])
  const completed = done(await complete(purchase))
  assert.deepEqual(await settled(completed), { status: 'PAID' })
  assert.equal(completed.subscriptionId, subscriptionId)
  const invoices = await shop.merchant.invoices()
  const paid = invoices.find(({ invoiceId }) => invoiceId === completed.invoiceId)
  assert.equal(paid?.amountPaid, 1500)
})

test('a restore charges nothing, and the screen shows the next charge', async () => {
  const shop = await newShop()
  const planId = await world.plan({ cancelPolicy: 'BILLING' })
  const { subscriptionId } = await shop.merchant.subscribe(planId)
  assert.equal(codeOf(await tryToOpen(shop, { restore: true, subscriptionId })), 'NOT_SCHEDULED_TO_CANCEL')
  await shop.merchant.cancel(subscriptionId)
  const purchase = await open(shop, { restore: true, subscriptionId })
  assert.deepEqual([purchase.kind, purchase.planId], ['RESTORE', planId])
  const preview = done(await previewOf(purchase))
  assert.deepEqual([preview.amount, preview.next?.amount], [0, 500])
  assert.deepEqual(await settled(done(await complete(purchase))), { status: 'NOTHING_DUE' })
  assert.equal((await shop.merchant.subscription(subscriptionId)).cancelAt, undefined)
})

test('without a payment method the price is shown and the purchase is rejected, and a named method becomes the default', async () => {
  const shop = await newShop('none')
  const purchase = await open(shop, { planId: await world.plan() })
  assert.equal(done(await previewOf(purchase)).amount, 500)
  assert.equal(codeOf(await complete(purchase)), 'PAYMENT_METHOD_REQUIRED')
  assert.equal(await statusOf(purchase.purchaseId), 'OPEN')
  await shop.merchant.card('tok_ok')
  await shop.merchant.card('tok_insufficient_funds')
  const { paymentMethods } = done(await showPurchase(world.app.ports, purchase))
  const [newest, good] = paymentMethods.map(({ paymentMethodId }) => paymentMethodId)
  assert.ok(newest && good)
  const foreign = await complete(purchase, world.app, { paymentMethodId: v7() })
  assert.equal(codeOf(foreign), 'PAYMENT_METHOD_NOT_FOUND')
  assert.deepEqual(await settled(done(await complete(purchase, world.app, { paymentMethodId: good }))), {
    status: 'PAID',
  })
  const list = await world.call('GET', `/businesses/${shop.businessId}/payment-methods`)
  assert.equal(list.list[0].paymentMethodId, good)
})

for (const [card, status] of [
  ['tok_insufficient_funds', 'DECLINED'],
  ['tok_action_required', 'ACTION_REQUIRED'],
  ['tok_pending', 'PENDING'],
]) {
  test(`with ${card} the outcome is ${status}`, async () => {
    const shop = await newShop(card)
    const completed = done(await complete(await open(shop, { planId: await world.plan() })))
    const outcome = await settled(completed)
    assert.equal(outcome.status, status)
    if (status === 'DECLINED') assert.ok(outcome.reason)
    if (status === 'ACTION_REQUIRED') assert.match(outcome.actionUrl, /^http/)
  })
}

test('a closed purchase can be neither confirmed nor cancelled, even before the job writes EXPIRED', async () => {
  const shop = await newShop()
  const wanted = { planId: await world.plan() }
  const [expired, cancelled, bought] = [await open(shop, wanted), await open(shop, wanted), await open(shop, wanted)]
  const isMine = () => true
  const cancel = ({ purchaseId }: Purchase) => cancelPurchase(world.app.ports, { purchaseId, isMine })
  assert.equal(done(await cancel(cancelled)).status, 'CANCELLED')
  assert.equal(done(await cancel(cancelled)).status, 'CANCELLED')
  assert.equal(codeOf(await complete(cancelled)), 'PURCHASE_CLOSED')
  done(await complete(bought))
  assert.equal(codeOf(await cancel(bought)), 'PURCHASE_CLOSED')
  world.clock.set(at('10:30'))
  try {
    assert.equal(await statusOf(expired.purchaseId), 'EXPIRED')
    assert.deepEqual(
      [codeOf(await complete(expired)), codeOf(await cancel(expired))],
      ['PURCHASE_CLOSED', 'PURCHASE_CLOSED'],
    )
    await world.app.jobs.purchases.runOnce()
    assert.equal(await world.app.jobs.purchases.runOnce(), 0)
    assert.equal(await statusOf(expired.purchaseId), 'EXPIRED')
    assert.equal(await statusOf(cancelled.purchaseId), 'CANCELLED')
    assert.equal(done(await complete(bought)).status, 'COMPLETED')
  } finally {
    world.clock.set(at('10:00'))
  }
})

test('only the address of the screen confirms a terminal’s purchase', async () => {
  const shop = await newShop()
  const [purchase, another] = [
    await open(shop, { planId: await world.plan() }),
    await open(shop, { planId: await world.plan() }),
  ]
  const owner = { kind: 'merchant', role: 'OWNER', userId: v7(), businessId: shop.businessId } as const
  for (const by of [{ secret: '' }, { secret: 'x'.repeat(43) }, another.by, { principal: owner }]) {
    const { purchaseId } = purchase
    assert.equal(codeOf(await complete({ purchaseId, by })), 'PURCHASE_NOT_FOUND')
    assert.equal(codeOf(await showPurchase(world.app.ports, { purchaseId, by })), 'PURCHASE_NOT_FOUND')
  }
  assert.equal(codeOf(await complete({ purchaseId: v7(), by: purchase.by })), 'PURCHASE_NOT_FOUND')
})

test('an app’s purchase is confirmed by a user of the business with the right to subscribe', async () => {
  const { businessId } = await newShop()
  const wanted = { planId: await world.plan() }
  const opened = done(await openPurchase(world.app.ports, { appId, businessId, openedBy: 'APP', wanted }))
  const { purchaseId } = opened.purchase
  assert.equal(secretOf(opened), '')
  const user = (role: 'OWNER' | 'MANAGER' | 'VIEWER', of = businessId) =>
    ({ principal: { kind: 'merchant', role, userId: v7(), businessId: of } }) as const
  const operator = { principal: { kind: 'operator', role: 'ADMIN', name: 'operator' } } as const
  for (const by of [user('VIEWER'), user('OWNER', (await newShop()).businessId), operator, { secret: '' }]) {
    assert.equal(codeOf(await complete({ purchaseId, by })), 'PURCHASE_NOT_FOUND')
  }
  assert.equal(done(await complete({ purchaseId, by: user('MANAGER') })).status, 'COMPLETED')
})

test('no screen opens for an impossible purchase', async () => {
  const shop = await newShop()
  const [planId, other] = [await world.plan(), await newShop()]
  const foreign = await world.developer('Foreign')
  const foreignPlan = await world.plan({}, foreign.appId)
  const { subscriptionId: elsewhere } = await other.merchant.subscribe(planId)
  const codes: [Wanted, string][] = [
    [{}, 'MISSING_PARAMETER'],
    [{ planId: v7() }, 'PLAN_NOT_FOUND'],
    [{ planId: foreignPlan }, 'PLAN_NOT_FOUND'],
    [{ planId, replace: true }, 'SUBSCRIPTION_NOT_FOUND'],
    [{ planId, replace: true, subscriptionId: elsewhere }, 'SUBSCRIPTION_NOT_FOUND'],
    [{ restore: true }, 'MISSING_PARAMETER'],
    [{ restore: true, subscriptionId: elsewhere }, 'SUBSCRIPTION_NOT_FOUND'],
    [{ restore: true, subscriptionId: v7() }, 'SUBSCRIPTION_NOT_FOUND'],
  ]
  for (const [wanted, code] of codes) assert.equal(codeOf(await tryToOpen(shop, wanted)), code, JSON.stringify(wanted))
  await shop.merchant.subscribe(planId)
  assert.equal(codeOf(await tryToOpen(shop, { planId })), 'ALREADY_SUBSCRIBED')
  await shop.merchant.subscribe(await world.plan())
  const several = await tryToOpen(shop, { planId: await world.plan(), replace: true })
  assert.equal(codeOf(several), 'MISSING_PARAMETER')
  await world.call('POST', `/apps/${world.appId}/plans/${planId}/retire`, undefined, 200)
  assert.equal(codeOf(await tryToOpen(await newShop(), { planId })), 'PLAN_RETIRED')
})

test('a plan that is retired while the screen is open is rejected on the screen and at the confirmation', async () => {
  const shop = await newShop()
  const planId = await world.plan()
  const purchase = await open(shop, { planId })
  await world.call('POST', `/apps/${world.appId}/plans/${planId}/retire`, undefined, 200)
  assert.equal(codeOf(await previewOf(purchase)), 'PLAN_RETIRED')
  assert.equal(codeOf(await complete(purchase)), 'PLAN_RETIRED')
  assert.equal(await statusOf(purchase.purchaseId), 'OPEN')
})

test('a plan for a device or a store is bought for the terminal’s location, and replaced only from there', async () => {
  const shop = await newShop()
  const ofDevice = done(await complete(await open(shop, { planId: await world.plan({ scope: 'DEVICE' }) })))
  const ofStore = done(await complete(await open(shop, { planId: await world.plan({ scope: 'STORE' }) })))
  await world.work()
  const byId = new Map((await subscriptionsOf(shop)).map(one => [one.subscriptionId, one]))
  assert.equal(byId.get(ofDevice.subscriptionId)?.deviceId, `urn:tid:${shop.deviceId}`)
  const { storeId, deviceId } = byId.get(ofStore.subscriptionId) ?? {}
  assert.deepEqual([storeId, deviceId], [shop.storeId, undefined])
  const elsewhere = { ...shop, ...(await newLocation(shop.businessId)) }
  const planId = await world.plan({ scope: 'DEVICE' })
  const wanted = { planId, replace: true, subscriptionId: ofDevice.subscriptionId ?? '' }
  assert.equal(codeOf(await tryToOpen(elsewhere, wanted)), 'SUBSCRIPTION_NOT_FOUND')
})

function at(time: string): Date {
  return new Date(`2026-03-01T${time}:00Z`)
}

async function showNothingMore(purchase: { purchaseId: string; by: Buyer }) {
  const screen = done(await showPurchase(world.app.ports, purchase))
  assert.equal(screen.preview, undefined)
  return screen
}
