import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { inviteTo, newPerson } from '../support/people.ts'
import { pngOf } from '../support/pictures.ts'
import { activatedTerminal, installApp, signInAt, terminalToken as tokenAt } from '../support/terminals.ts'
import { tokenOf } from '../support/tokens.ts'
import { sendIcon, sendLogo, uploadRelease } from '../support/upload.ts'
import { type Credentials, type Json, OPERATOR_KEY, type World } from '../support/world.ts'

/** A developer with a live resource of every kind that a route can name. */
export interface Tenant {
  readonly app: Credentials
  /** Of the app. */
  readonly token: string
  /** By the names in paths, queries and bodies. */
  readonly ids: Readonly<Record<string, string>>
  /** Every id of this tenant. No other tenant may see them. */
  readonly everyId: readonly string[]
  /** Words, addresses and amounts that exist only in the developer's and the merchant's resources. */
  readonly marks: { readonly ofDeveloper: readonly string[]; readonly ofMerchant: readonly string[] }
}

/** Amounts that appear in no identifier or instant, different for each tenant. */
const PRICES_FROM = 73_190_000
let tenants = 0

/**
 * Whether a text contains a tenant's mark or id. An amount counts only as a number of its own, because a metric may contain its digits by
 * chance.
 */
export function reveals(text: string, mark: string): boolean {
  return /^\d+$/.test(mark) ? new RegExp(`(?<![\\w.-])${mark}(?![\\w.])`).test(text) : text.includes(mark)
}

export async function makeTenant(world: World): Promise<Tenant> {
  const { call } = world
  const number = tenants++
  const [developer, merchant] = [`orchard${number}-${randomUUID()}`, `quince${number}-${randomUUID()}`]
  const [price, amount] = [PRICES_FROM + 2 * number, PRICES_FROM + 2 * number + 1]
  const { organizationId, ...app } = await world.developer(developer)
  const { appId } = app
  // Enabled again, so that the job ends nothing.
  await call('PATCH', `/apps/${appId}`, { status: 'DISABLED' })
  const { endingId } = await call('POST', `/apps/${appId}/endings`, { refundUnused: false }, 202)
  await call('PATCH', `/apps/${appId}`, { status: 'ACTIVE' })
  const address = { line1: developer, city: developer, countryCode: 'DE' }
  // An e-invoice needs the tax of the invoice, and the country and tax id of the seller. The price contains the tax.
  await call('PUT', `/organizations/${organizationId}/seller`, { legalName: developer, address, taxId: 'DE123456788' })
  await call('PUT', `/organizations/${organizationId}/tax`, { source: 'OWN' })
  const rate = { behavior: 'INCLUSIVE', name: 'Tax', rate: '19' }
  await call('PUT', `/organizations/${organizationId}/tax-rates/US/2020-01-01`, rate)
  const amounts = [{ country: 'US', currency: 'USD', value: price }]
  const planId = await world.plan({ name: developer, amounts, cancelPolicy: 'BILLING' }, appId)
  const { body: release } = await uploadRelease(world, OPERATOR_KEY, appId, Buffer.from(developer))
  const { businessId } = await call('POST', '/businesses', {
    ...{ legalName: merchant, emailAddress: `shop@${merchant}.example`, country: 'US', type: 'TEST_MERCHANT' },
    organizationId,
  })
  const of = `/businesses/${businessId}`
  const { testClockId } = await call('POST', '/test-clocks', { businessId, now: '2026-01-01T00:00:00Z' })
  await call('POST', `${of}/approvals`, { appId })
  const { storeId } = await call('POST', `${of}/stores`, { displayName: merchant })
  const device = { name: merchant, serialNumber: merchant }
  const { deviceId, activationCode } = await call('POST', `${of}/stores/${storeId}/devices`, device)
  const till = await activatedTerminal(world, businessId, storeId)
  const terminalToken = await tokenAt(world, till)
  const { headers: session } = await signInAt(world, till, terminalToken)
  const person = { userId: `of-${merchant}`.slice(0, 64), passcode: '2468', name: merchant, role: 'CLERK' }
  const { businessUserId } = await call('POST', `${of}/users`, person)
  const card = { gateway: 'sandbox', token: 'tok_ok' }
  const { paymentMethodId } = await call('POST', `${of}/payment-methods`, card)
  const { id: hookId } = await call('POST', '/hooks', {
    ...{ applicationId: appId, deliveryUrl: `http://127.0.0.1:9/${developer}`, secret: 'a secret' },
    eventTypes: ['APPLICATION_SUBSCRIPTION_START', 'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS', 'ORDER_OPENED'],
  })
  const { subscriptionId, bundleId } = await call('POST', `/apps/${appId}/subscriptions`, { businessId, planId })
  await world.work()
  const [invoice] = (await call('GET', `${of}/invoices`)).list
  await call('POST', `${of}/invoices/${invoice.invoiceId}/refunds`, { amount: 2 })
  await world.work()
  const { disputeId } = await call('PUT', `${of}/invoices/${invoice.invoiceId}/test-dispute`, { status: 'OPEN' }, 200)
  const { creditNotes, refunds } = await call('GET', `${of}/invoices/${invoice.invoiceId}`)
  const [charge] = (await call('GET', `/charges?invoiceId=${invoice.invoiceId}`)).charges
  const { orderId } = await call('POST', `${of}/orders`, { storeId, deviceId, amount, currency: 'USD' })
  const { deliveries } = await call('GET', `/apps/${appId}/deliveries`)
  const range = { startAt: '2026-01-01T00:00:00Z', businessId }
  const { redeliveryId } = await call('POST', `/apps/${appId}/deliveries/redeliver`, range, 202)
  const { packageName } = await call('GET', `/apps/${appId}`)
  assert.equal((await sendIcon(world, OPERATOR_KEY, { appId, icon: pngOf() })).status, 200)
  assert.equal((await sendLogo(world, { name: 'Tillhook' }, pngOf())).status, 200)
  await installApp(world, terminalToken, packageName)
  const bought = await world.ask(terminalToken, 'POST', `/terminal/apps/${packageName}/purchases`, {
    headers: session,
    body: { planId: await world.plan({}, appId) },
  })
  const workspace = { kind: 'MERCHANT', businessId } as const
  const { membershipId, userId, sessionId } = await newPerson(world, workspace, 'MANAGER', { name: merchant })
  const { invitationId } = await inviteTo(world, workspace, 'VIEWER')
  const own = {
    ...{ businessUserId, purchaseId: bought.body.purchaseId },
    ...{ organizationId, appId, planId, releaseId: release.releaseId, businessId, testClockId, storeId, deviceId },
    ...{ membershipId, userId, sessionId, invitationId },
    ...{
      paymentMethodId,
      hookId,
      subscriptionId,
      invoiceId: invoice.invoiceId,
      creditNoteId: creditNotes[0].creditNoteId,
      refundId: refunds[0].refundId,
      disputeId,
      chargeId: charge.chargeId,
      orderId,
      deliveryId: deliveries[0].id,
      redeliveryId,
      endingId,
    },
  }
  const atTerminal = {
    package: packageName,
    till: till.deviceId,
    activationCode,
    terminalToken,
    userSession: session['service-user-session'],
  }
  const ids = {
    ...own,
    ...atTerminal,
    kid: app.kid,
    ...{ rowKind: 'subscription', rowId: subscriptionId },
    applicationId: appId,
    storeDeviceId: deviceId,
    resourceId: subscriptionId,
  }
  const uuids = [...Object.values(own), bundleId, ...deliveries.map((delivery: Json) => delivery.id)]
  const marks = { ofDeveloper: [developer, String(price)], ofMerchant: [merchant, String(amount)] }
  return { app, token: await tokenOf(world, app), ids, everyId: uuids.map(id => id.replace(/^urn:\w+:/, '')), marks }
}
