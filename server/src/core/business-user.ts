/** MANAGER: whatever a merchant does at a terminal. CLERK: the till, and looking at what there is. */
export const BUSINESS_USER_ROLES = ['MANAGER', 'CLERK'] as const
export type BusinessUserRole = (typeof BUSINESS_USER_ROLES)[number]

export const BUSINESS_USER_STATUSES = ['ACTIVE', 'DISABLED'] as const

/** Somebody who works at the terminals of a business. Decisions 9 and 11. */
export interface BusinessUser {
  readonly businessUserId: string
  readonly businessId: string
  /** What they sign in with; unlike any other's of the business, whatever its case. */
  readonly userId: string
  readonly name: string
  readonly role: BusinessUserRole
  readonly status: (typeof BUSINESS_USER_STATUSES)[number]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Decisions 9: "sessions end after 15 idle minutes". */
export const TERMINAL_SESSION_IDLE_MS = 15 * 60_000
