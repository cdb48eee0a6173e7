import { type Rejection, reject } from './rejection.ts'

/** How much one organization may create. Generous defaults: a quota stops a runaway script or a vandal, not a business. */
export interface Quotas {
  /** Per organization. */
  readonly apps: number
  /** Per app, in all states. */
  readonly releases: number
  /** Bytes of all stored packages of an organization. */
  readonly packageBytes: number
  /** Per organization. */
  readonly testMerchants: number
  /** Years from today. */
  readonly testClockYears: number
}

export const DEFAULT_QUOTAS: Quotas = {
  apps: 100,
  releases: 1_000,
  packageBytes: 10 * 1_024 ** 3,
  testMerchants: 1_000,
  testClockYears: 50,
}

/** The setting behind each quota, and what the caller can do without the operator. */
const WAYS_OUT: Readonly<Record<keyof Quotas, readonly [setting: string, advice: string]>> = {
  apps: ['TILLHOOK_MAX_APPS', 'Use an existing app'],
  releases: ['TILLHOOK_MAX_RELEASES', 'Use another app'],
  packageBytes: ['TILLHOOK_MAX_PACKAGES_TOTAL', 'Withdraw a release in review, which deletes its package'],
  testMerchants: ['TILLHOOK_MAX_TEST_MERCHANTS', 'Use an existing test merchant'],
  testClockYears: ['TILLHOOK_MAX_TEST_CLOCK_YEARS', 'Choose an earlier time'],
}

/** QUOTA_EXCEEDED, naming the setting, if `wanted` is more than the quota. */
export function exceeds(quota: keyof Quotas, wanted: number, quotas: Quotas = DEFAULT_QUOTAS): Rejection | null {
  if (wanted <= quotas[quota]) return null
  const [setting, advice] = WAYS_OUT[quota]
  return reject(
    'QUOTA_EXCEEDED',
    `${quota}: the quota is ${quotas[quota]}. ${advice}, or ask the operator to raise ${setting}.`,
  )
}
