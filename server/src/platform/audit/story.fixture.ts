import assert from 'node:assert/strict'
import { v7 } from 'uuid'
import { codeOf, inviteTo, newPerson, PASSWORD, proveSecondFactor, secretFor } from '../../../test/support/people.ts'
import { pngOf } from '../../../test/support/pictures.ts'
import { newTerminalKey, signInAt, terminalToken } from '../../../test/support/terminals.ts'
import { tokenOf } from '../../../test/support/tokens.ts'
import { sendIcon, sendLogo } from '../../../test/support/upload.ts'
import { type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

/** Values that requests or responses carried and that no entry may contain. */
export type Secrets = Readonly<Record<string, string>>

const HOOK_SECRET = 'unmistakable-secret-of-a-hook'
const PASSCODE = 'unmistakable-passcode'
const PAYMENT_TOKEN = 'tok_ok'

/** Sends every request that changes something at least once. A test fails for a missing route. */
export async function tellStory(world: World): Promise<Secrets> {
  // The first use creates the first key; this action creates it here.
  await world.call('POST', '/signing-keys/rotate', undefined, 201)
  await setBrand(world)
  const selling = await sellApp(world)
  await setTax(world)
  const ofShop = await openShop(world)
  await registerHook(world)
  await takeMoney(world)
  await payOverdue(world)
  await payDeveloper(world)
  await turnClock(world)
  await catchUp(world)
  await endApp(world)
  const ofPeople = await letPeopleIn(world)
  const { privateKey } = world.credentials
  const token = await tokenOf(world, world.credentials)
  return {
    ...{ ...selling, ...ofShop, ...ofPeople, privateKey, token },
    ...{ operatorKey: OPERATOR_KEY, hookSecret: HOOK_SECRET, paymentToken: PAYMENT_TOKEN },
  }
}

async function setBrand(world: World): Promise<void> {
  const { call, ask } = world
  await call('PUT', '/brand', { name: 'Acme Apps' }, 200)
  assert.equal((await sendLogo(world, { name: 'Acme Apps' }, pngOf())).status, 200)
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', '/brand/logo')).status, 204)
}

async function setTax({ call, ask, appId }: World): Promise<void> {
  const { organizationId } = await call('GET', `/apps/${appId}`)
  const rate = { behavior: 'INCLUSIVE', name: 'VAT', rate: '19' }
  const own = `/organizations/${organizationId}`
  await call('PUT', `${own}/tax`, { source: 'OWN' }, 200)
  for (const path of [`${own}/tax-rates/DE/2030-01-01`, '/tax-rates/DE/2030-01-01']) {
    await call('PUT', path, rate, 200)
    assert.equal((await ask(OPERATOR_KEY, 'DELETE', path)).status, 204)
  }
  await call('PUT', `${own}/tax`, { source: 'NONE' }, 200)
}

/** The operator decides about charges that an outage missed. */
export async function catchUp(world: World, decide = () => decideByRoute(world)): Promise<void> {
  const now = world.clock.now()
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000)
  await world.app.ports.db.sql`
    insert into billing_progress (last_run_at, outage_from, outage_until, state, goes_on_at)
    values (${now}, ${before(3)}, ${before(1)}, 'WAITING', ${before(-1)})
    on conflict (singleton) do update set outage_from = excluded.outage_from, outage_until = excluded.outage_until,
      state = excluded.state, goes_on_at = excluded.goes_on_at, decided_at = null, spread_days = null`
  await decide()
}

async function decideByRoute({ call }: World): Promise<void> {
  await call('POST', '/operations/catch-up', { decision: 'RELEASE' }, 200)
}

/** All subscriptions of an app that the operator disabled end. */
async function endApp({ call, appId }: World): Promise<void> {
  await call('PATCH', `/apps/${appId}`, { status: 'DISABLED' })
  await call('POST', `/apps/${appId}/endings`, { refundUnused: false }, 202)
  await call('PATCH', `/apps/${appId}`, { status: 'ACTIVE' })
}

/** Two of a shop: one is changed, disabled and removed; the other changes name, password and second factor. */
async function letPeopleIn(world: World): Promise<Secrets> {
  const { call, ask } = world
  const workspace = { kind: 'MERCHANT', businessId: (await world.merchant({ card: 'none' })).businessId } as const
  const ann = await newPerson(world, workspace, 'OWNER')
  const bob = await newPerson(world, workspace, 'MANAGER')
  const open = await inviteTo(world, workspace, 'VIEWER')
  assert.equal((await ask(ann.token, 'DELETE', `/invitations/${open.invitationId}`)).status, 204)
  await call('PATCH', `/memberships/${bob.membershipId}`, { role: 'VIEWER' })
  await call('PATCH', `/users/${bob.userId}`, { status: 'DISABLED' })
  assert.equal((await ask(ann.token, 'DELETE', `/memberships/${bob.membershipId}`)).status, 204)
  await ask(ann.token, 'PATCH', '/users/current', { body: { name: 'Ann Miller' } })
  const secondFactor = await proveSecondFactor(world, ann)
  const { body: renewed } = await ask(ann.token, 'POST', '/users/current/second-factor/recovery-codes', {
    body: { password: PASSWORD, totp: codeOf(secondFactor, world.clock.now(), 1) },
  })
  const [first, second] = renewed.recoveryCodes
  const removal = { password: PASSWORD, recoveryCode: first }
  await ask(ann.token, 'POST', '/users/current/second-factor/remove', { body: removal })
  const newPassword = 'an unmistakable new password'
  await ask(ann.token, 'POST', '/users/current/password', { body: { password: PASSWORD, newPassword } })
  await ask(null, 'POST', '/password-resets', { body: { email: ann.email } })
  const resetSecret = await secretFor(world, ann.email)
  const completion = { secret: resetSecret, newPassword: PASSWORD }
  const completed = await ask(null, 'POST', '/password-resets/complete', { body: completion })
  assert.equal(completed.status, 204, completed.text)
  return {
    ...{ secondFactor, recoveryCode: second, newPassword, resetSecret },
    ...{ password: PASSWORD, invitationSecret: open.secret, session: ann.token },
  }
}

async function sellApp(world: World): Promise<Secrets> {
  const { call, ask, appId, plan } = world
  const { organizationId } = await call('GET', `/apps/${appId}`)
  await call('PATCH', `/organizations/${organizationId}`, { email: 'new@stories.example' }, 200)
  await call('PUT', `/organizations/${organizationId}/seller`, { legalName: 'Stories Ltd.' }, 200)
  await call('PATCH', `/apps/${appId}`, { name: 'Renamed' })
  assert.equal((await sendIcon(world, OPERATOR_KEY, { appId, icon: pngOf() })).status, 200)
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', `/apps/${appId}/icon`)).status, 204)
  const { kid, privateKey } = await call('POST', `/apps/${appId}/keys`, {})
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', `/apps/${appId}/keys/${kid}`)).status, 204)
  const planId = await plan()
  await call('POST', `/apps/${appId}/plans/${planId}/retire`, undefined, 200)
  const definition = { name: 'No', amounts: [{ country: 'US', currency: 'USD', value: 100 }] }
  const { releaseId } = await call('POST', `/apps/${appId}/releases`, {
    version: '9.9',
    plans: [{ ...definition, interval: 'MONTH', scope: 'BUSINESS' }],
  })
  await call('POST', `/apps/${appId}/releases/${releaseId}/messages`, { text: 'Why so cheap?' }, 200)
  await call('POST', `/apps/${appId}/releases/${releaseId}/reject`, { reason: 'Too cheap.' }, 200)
  const withdrawn = await call('POST', `/apps/${appId}/releases`, { version: '9.8', plans: [] })
  await call('POST', `/apps/${appId}/releases/${withdrawn.releaseId}/withdraw`, undefined, 200)
  return { secondPrivateKey: privateKey }
}

/** A merchant with a terminal, an order and an approval. */
async function openShop(world: World): Promise<Secrets> {
  const { call, ask, appId } = world
  const { businessId } = await world.merchant({ card: 'none' })
  await call('PATCH', `/businesses/${businessId}`, { doingBusinessAs: 'The Corner' })
  const { storeId } = await call('POST', `/businesses/${businessId}/stores`, { displayName: 'Main St' })
  const { deviceId, activationCode } = await call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, {
    name: 'Till',
    serialNumber: '1',
  })
  const { orderId } = await call('POST', `/businesses/${businessId}/orders`, { storeId, deviceId, note: 'Tea' })
  await call('PATCH', `/businesses/${businessId}/orders/${orderId}`, { status: 'COMPLETED' })
  const event = { id: 'e1', eventType: 'ORDER_OPENED', orderId: v7(), businessId, storeId, deviceId }
  await call('POST', '/orders/events', { events: [event] }, 200)
  await call('POST', `/businesses/${businessId}/approvals`, { appId })
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', `/businesses/${businessId}/approvals/${appId}`)).status, 204)
  const secrets = { activationCode, ...(await workAtTill(world, businessId, deviceId)) }
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', `/businesses/${businessId}/stores/${storeId}`)).status, 204)
  return secrets
}

/** The terminal is activated again, a user signs in, opens a purchase and cancels it; then the terminal is closed. */
async function workAtTill(world: World, businessId: string, deviceId: string): Promise<Secrets> {
  const { call, ask, appId } = world
  const { activationCode } = await call('POST', `/businesses/${businessId}/devices/${deviceId}/activation-code`)
  const { privateKey, publicKey } = newTerminalKey()
  const { body } = await ask(null, 'POST', '/devices/activate', { body: { activationCode, publicKey } })
  const { storeId, kid } = body
  const token = await terminalToken(world, { businessId, storeId, deviceId, kid, privateKey })
  const { headers, businessUserId, sessionToken } = await signInAt(world, { businessId }, token)
  const { packageName } = await call('GET', `/apps/${appId}`)
  const installed = `/terminal/apps/${packageName}`
  const permissions = ['com.service.store.BILLING']
  const report = { version: '1', signerSha256: '0'.repeat(64), permissions }
  assert.equal((await ask(token, 'PUT', installed, { body: report })).status, 200)
  assert.equal((await ask(token, 'POST', `${installed}/approval`, { headers, body: { permissions } })).status, 200)
  const { body: opened } = await ask(token, 'POST', `/terminal/apps/${packageName}/purchases`, {
    headers,
    body: { planId: await world.plan() },
  })
  await ask(token, 'DELETE', `/terminal/purchases/${opened.purchaseId}`, { headers })
  assert.equal((await ask(token, 'DELETE', installed)).status, 204)
  const user = `/businesses/${businessId}/users/${businessUserId}`
  await call('PATCH', user, { passcode: PASSCODE })
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', user)).status, 204)
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', `/businesses/${businessId}/devices/${deviceId}`)).status, 204)
  const purchaseKey = String(opened.url).split('key=')[1] ?? ''
  return { secondActivationCode: activationCode, terminalToken: token, sessionToken, passcode: PASSCODE, purchaseKey }
}

/** Registers the same hook twice, the second time with another secret, then updates, replays and deletes the hook. */
async function registerHook({ call, ask, appId }: World): Promise<void> {
  const hook = { applicationId: appId, deliveryUrl: 'http://127.0.0.1:9/story', eventTypes: ['ORDER_OPENED'] }
  const { id } = await call('POST', '/hooks', { ...hook, secret: 'first' })
  await call('POST', '/hooks', { ...hook, secret: HOOK_SECRET }, 200)
  await call('POST', `/hooks/${id}/rotate-secret`, { secret: HOOK_SECRET }, 200)
  await call('PATCH', `/hooks/${id}`, { active: false })
  await call('PATCH', `/hooks/${id}`, { active: true, secret: HOOK_SECRET })
  const redeliver = `/apps/${appId}/deliveries/redeliver`
  const { redeliveryId } = await call('POST', redeliver, { since: '2026-01-01T00:00:00Z', hookId: id }, 202)
  await call('DELETE', `/apps/${appId}/deliveries/redeliveries/${redeliveryId}`)
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', `/hooks/${id}`)).status, 204)
}

async function takeMoney(world: World): Promise<void> {
  const { call, appId } = world
  const merchant = await world.merchant({ card: PAYMENT_TOKEN })
  await merchant.card('tok_insufficient_funds')
  const { paymentMethodId } = await newestOf(world, merchant, 1)
  await call('PUT', `/businesses/${merchant.businessId}/payment-methods/${paymentMethodId}/default`)
  const planId = await world.plan({ cancelPolicy: 'BILLING' })
  const { subscriptionId: id } = await merchant.subscribe(planId)
  await merchant.cancel(id)
  await call('POST', `/apps/${appId}/subscriptions/${id}/restore`, undefined, 200)
  const change = { planId: await world.plan(), when: 'PERIOD_END' }
  await call('PATCH', `/apps/${appId}/subscriptions/${id}`, change)
  const [invoice] = await merchant.invoices()
  await pollOne(world)
  await merchant.refund(invoice?.invoiceId, { amount: 100 })
  await call('POST', `/apps/${appId}/subscriptions/${id}/end`, undefined, 200)
}

/** A charge that waits for the bank is polled before its time. */
async function pollOne(world: World): Promise<void> {
  const merchant = await world.merchant({ card: 'tok_pending' })
  await merchant.subscribeAfterTrial()
  await world.work()
  const { list } = await world.call('GET', '/operations/charges?state=WAITING')
  await world.call('POST', `/operations/charges/${list[0].chargeId}/poll`, undefined, 202)
}

/** A declined payment is tried again, and the declined card is removed. */
async function payOverdue(world: World): Promise<void> {
  const { call, ask } = world
  const merchant = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'tok_insufficient_funds' })
  await merchant.subscribe(await world.plan({ trialPeriodDays: 1 }))
  await merchant.until('2026-01-02T00:00:01Z')
  const [invoice] = await merchant.invoices()
  const path = `/businesses/${merchant.businessId}`
  await call('POST', `${path}/invoices/${invoice?.invoiceId}/pay`, {}, 202)
  await world.work()
  const { paymentMethodId } = await newestOf(world, merchant, 0)
  await merchant.card(PAYMENT_TOKEN)
  await world.work()
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', `${path}/payment-methods/${paymentMethodId}`)).status, 204)
  const dispute = `${path}/invoices/${invoice?.invoiceId}/test-dispute`
  const { disputeId } = await call('PUT', dispute, { status: 'OPEN' }, 200)
  await call('POST', `/disputes/${disputeId}/evidence`, { uncategorizedText: 'Bought in person' }, 200)
  await call('PUT', dispute, { status: 'LOST' }, 200)
}

async function payDeveloper({ call, appId }: World): Promise<void> {
  const { organizationId } = await call('GET', `/apps/${appId}`)
  const credit = { kind: 'ADJUSTMENT', amount: 500, currency: 'USD', reason: 'Goodwill' }
  await call('POST', `/organizations/${organizationId}/adjustments`, credit)
  await call('POST', `/organizations/${organizationId}/payouts`, { amount: 500, currency: 'USD', reference: 'SEPA 1' })
}

async function newestOf({ call }: World, { businessId }: Merchant, position: number): Promise<Json> {
  const { list } = await call('GET', `/businesses/${businessId}/payment-methods`)
  return list[position]
}

async function turnClock({ merchant, ask, call, app }: World): Promise<void> {
  const { businessId, until } = await merchant({ at: '2026-01-01T00:00:00Z', card: 'none' })
  await until('2026-02-01T00:00:00Z')
  const { list } = await call('GET', `/test-clocks?businessId=${businessId}`)
  const { testClockId } = list[0]
  // Under way, and no process drives the job yet.
  await app.ports.db.sql`
    update test_clocks set status = 'ADVANCING', target_at = '2026-03-01' where test_clock_id = ${testClockId}`
  await call('POST', `/test-clocks/${testClockId}/freeze`, undefined, 200)
  assert.equal((await ask(OPERATOR_KEY, 'DELETE', `/test-clocks/${testClockId}`)).status, 204)
}
