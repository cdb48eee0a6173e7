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

/** The setting behind each quota. */
const SETTINGS: Readonly<Record<keyof Quotas, string>> = {
  apps: 'TILLHOOK_MAX_APPS',
  releases: 'TILLHOOK_MAX_RELEASES',
  packageBytes: 'TILLHOOK_MAX_PACKAGES_TOTAL',
  testMerchants: 'TILLHOOK_MAX_TEST_MERCHANTS',
  testClockYears: 'TILLHOOK_MAX_TEST_CLOCK_YEARS',
}

/** QUOTA_EXCEEDED, naming the setting, if `wanted` is more than the quota. */
export function exceeds(quota: keyof Quotas, wanted: number, quotas: Quotas = DEFAULT_QUOTAS): Rejection | null {
  if (wanted <= quotas[quota]) return null
  return reject(
    'QUOTA_EXCEEDED',
    `${quota}: the quota is ${quotas[quota]}. Delete or reuse what exists, or ask the operator to raise ${SETTINGS[quota]}.`,
  )
}
