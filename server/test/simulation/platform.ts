import assert from 'node:assert/strict'
import { ORDER_EVENT_TYPES } from '../../src/core/event.ts'
import type { Worker } from './stage.ts'

export interface Platform {
  readonly organizationId: string
  readonly appId: string
  readonly plans: readonly { readonly planId: string; readonly scope: 'BUSINESS' | 'STORE' | 'DEVICE' }[]
}

/** The least price that can be charged, so credit never covers only a part of it. */
const LEAST = [
  { country: 'US', currency: 'USD', value: 50 },
  { country: 'DE', currency: 'EUR', value: 50 },
  { country: 'JP', currency: 'JPY', value: 50 },
  { country: 'KW', currency: 'KWD', value: 500 },
]

/**
 * An app with three app-wide hooks: for all events of subscriptions, for some, and for orders. Plans of every interval, with and without trial
 * and grace.
 */
export async function makePlatform(worker: Worker): Promise<Platform> {
  const call = async (path: string, body: unknown) => {
    const { status, text, body: made } = await worker.ask('POST', path, body)
    assert.ok(status < 300, `${path}: ${text}`)
    return made
  }
  const { organizationId } = await call('/organizations', { name: 'Simulated', email: 'dev@example.com' })
  const { appId } = await call('/apps', { organizationId, name: 'Simulated', packageName: 'com.example.simulated' })
  const hookOf = (path: string) => ({
    applicationId: appId,
    deliveryUrl: `http://127.0.0.1:9/${path}`,
    secret: 'secret',
  })
  const hook = (path: string, names: readonly string[]) =>
    call('/hooks', {
      ...hookOf(path),
      eventTypes: names.map(name => `APPLICATION_SUBSCRIPTION_${name}`),
    })
  const money = ['PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'REFUND_SUCCESS']
  const optIn = ['TRIAL_ENDING', 'CANCEL_SCHEDULED', 'RESTORED', 'PLAN_CHANGE', 'TRANSFERRED']
  const disputes = ['DISPUTE_OPENED', 'DISPUTE_CLOSED']
  await hook('all', ['START', 'END', 'PHASE_CHANGE', ...money, ...optIn, ...disputes])
  await hook('money', money)
  await call('/hooks', { ...hookOf('orders'), eventTypes: ORDER_EVENT_TYPES })
  const amounts = (value: number) => [
    { country: 'US', currency: 'USD', value },
    { country: 'DE', currency: 'EUR', value: value * 2 },
    // Currencies with no decimals and with three. Amounts with three decimals are multiples of ten.
    { country: 'JP', currency: 'JPY', value: value * 3 },
    { country: 'KW', currency: 'KWD', value: value * 20 },
  ]
  const [US_IN_EUR, DE_IN_EUR] = ['US', 'DE'].map(country => ({ country, currency: 'EUR', value: 777 }))
  const [JP_IN_KWD, KW_IN_JPY] = [
    { country: 'JP', currency: 'KWD', value: 7_770 },
    { country: 'KW', currency: 'JPY', value: 777 },
  ]
  const plans = [
    { interval: 'MONTH' },
    { interval: 'MONTH', cancelPolicy: 'BILLING', gracePeriodDays: 28 },
    { interval: 'MONTH', trialPeriodDays: 14, cancelPolicy: 'BILLING' },
    { interval: 'MONTH', gracePeriodDays: 0 },
    { interval: 'DAY' },
    { interval: 'DAY', trialPeriodDays: 1, cancelPolicy: 'BILLING', gracePeriodDays: 0 },
    { interval: 'WEEK', cancelPolicy: 'BILLING' },
    { interval: 'WEEK', trialPeriodDays: 3, trialEligibility: 'ONCE_PER_BUSINESS' },
    { interval: 'YEAR', gracePeriodDays: 30, cancelPolicy: 'BILLING' },
    { interval: 'MONTH', amounts: amounts(0), trialPeriodDays: 7 },
    { interval: 'MONTH', amounts: amounts(99_999) },
    // A plan in other currencies than the other plans, and without a price in Japan.
    { interval: 'MONTH', amounts: [US_IN_EUR, DE_IN_EUR] },
    { interval: 'WEEK', amounts: [JP_IN_KWD, KW_IN_JPY] },
    { interval: 'MONTH', amounts: LEAST },
    { interval: 'DAY', scope: 'DEVICE' },
    { interval: 'MONTH', scope: 'DEVICE', trialPeriodDays: 5, cancelPolicy: 'BILLING' },
    { interval: 'WEEK', scope: 'STORE' },
    { interval: 'MONTH', intervalCount: 3, gracePeriodDays: 28 },
    { interval: 'WEEK', intervalCount: 2, cancelPolicy: 'BILLING' },
    { interval: 'DAY', intervalCount: 3, trialPeriodDays: 1 },
    { interval: 'WEEK', scope: 'STORE', amounts: amounts(0) },
  ].map((plan, n) => ({ name: `Plan ${n}`, amounts: amounts(500 + n), scope: 'BUSINESS', ...plan }))
  const release = await call(`/apps/${appId}/releases`, { version: '1', plans })
  await call(`/apps/${appId}/releases/${release.releaseId}/approve`, {})
  return { organizationId, appId, plans: release.plans }
}
