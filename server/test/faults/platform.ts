import type { Client } from './client.ts'

/** An app with a daily plan and a hook for all events. */
export interface Platform {
  readonly appId: string
  readonly planId: string
}

export const AMOUNT = 500

export async function makePlatform(client: Client, hook: { url: string; secret: string }): Promise<Platform> {
  const { organizationId } = await client.post('/organizations', { name: 'Faults', email: 'dev@example.com' })
  const app = { organizationId, name: 'Faults', packageName: 'com.example.faults' }
  const { appId } = await client.post('/apps', app)
  await client.post('/hooks', {
    applicationId: appId,
    deliveryUrl: hook.url,
    secret: hook.secret,
    eventTypes: [
      ...['START', 'END', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'PHASE_CHANGE', 'REFUND_SUCCESS'].map(
        type => `APPLICATION_SUBSCRIPTION_${type}`,
      ),
      ...['ORDER_OPENED', 'ORDER_COMPLETED', 'ORDER_CANCELLED', 'ORDER_UPDATED'],
    ],
  })
  const amounts = [{ country: 'US', currency: 'USD', value: AMOUNT }]
  const plans = [{ name: 'Daily', amounts, interval: 'DAY', scope: 'BUSINESS' }]
  const release = await client.post(`/apps/${appId}/releases`, { version: '1.0', plans })
  await client.post(`/apps/${appId}/releases/${release.releaseId}/approve`, {})
  return { appId, planId: release.plans[0].planId }
}

/** A test merchant with the card of the token. */
export async function makeMerchant(client: Client, token = 'tok_ok'): Promise<string> {
  const { businessId } = await client.post('/businesses', {
    legalName: 'Corner Shop',
    emailAddress: 'shop@example.com',
    country: 'US',
    type: 'TEST_MERCHANT',
  })
  await client.post(`/businesses/${businessId}/payment-methods`, { gateway: 'sandbox', token })
  return businessId
}

export function subscribe(client: Client, { appId, planId }: Platform, businessId: string) {
  return client.post(`/apps/${appId}/subscriptions`, { businessId, planId })
}

/** A merchant's till. Each call opens an order and returns its id. */
export async function makeTill(client: Client, { appId }: Platform): Promise<() => Promise<string>> {
  const businessId = await makeMerchant(client)
  await client.post(`/businesses/${businessId}/approvals`, { appId })
  const { storeId } = await client.post(`/businesses/${businessId}/stores`, { displayName: 'Corner' })
  const path = `/businesses/${businessId}/stores/${storeId}/devices`
  const { deviceId } = await client.post(path, { name: 'Till', serialNumber: 'T-1' })
  const order = { storeId, deviceId, amount: 100, currency: 'USD' }
  return async () => (await client.post(`/businesses/${businessId}/orders`, order)).orderId
}
