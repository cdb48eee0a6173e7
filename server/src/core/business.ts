export type MerchantType = 'MERCHANT' | 'TEST_MERCHANT'

/** The facts about a merchant that decisions need. */
export interface Business {
  readonly businessId: string
  /** The organization that created the test merchant. Absent for real merchants and for test merchants of the operator. */
  readonly organizationId?: string
  readonly type: MerchantType
  readonly country: string
  /** Present for a business on a test clock (decisions 10). */
  readonly clock?: { readonly testClockId: string; readonly now: Date }
}

/** The current time of the business in whole seconds: "instants that bill are whole seconds, truncated" (decisions 1). */
export function effectiveNow(business: Pick<Business, 'clock'>, now: Date): Date {
  const at = business.clock?.now ?? now
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}
