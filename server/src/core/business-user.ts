/** MANAGER: everything a merchant does at a terminal. CLERK: orders and reading. */
export const BUSINESS_USER_ROLES = ['MANAGER', 'CLERK'] as const
export type BusinessUserRole = (typeof BUSINESS_USER_ROLES)[number]

export const BUSINESS_USER_STATUSES = ['ACTIVE', 'DISABLED'] as const

/** A person who works at the terminals of a business. Decisions 9 and 11. */
export interface BusinessUser {
  readonly businessUserId: string
  readonly businessId: string
  /** Typed at sign-in; unique within the business in any case. */
  readonly userId: string
  readonly name: string
  readonly role: BusinessUserRole
  readonly status: (typeof BUSINESS_USER_STATUSES)[number]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Decisions 9: "sessions end after 15 idle minutes". */
export const TERMINAL_SESSION_IDLE_MS = 15 * 60_000

/** First guesses of a thief, from published lists of stolen PINs, besides rows and repetitions. */
const FIRST_GUESSES = ['2580', '0852', '5683', '1004', '1313', '2001', '6969', '112233', '123123', '159753', '147258']

/** The problem of a new passcode that the first guesses would find; null if the passcode is acceptable. */
export function passcodeProblem(passcode: string, userId: string): string | null {
  const plain = passcode.normalize('NFKC').toLowerCase()
  const isRepeated = /^(.{1,2})\1+$/su.test(plain)
  const row = '01234567890abcdefghijklmnopqrstuvwxyz'
  const isRow = row.includes(plain) || [...row].reverse().join('').includes(plain)
  if (isRepeated || isRow || FIRST_GUESSES.includes(plain)) return 'is too easy to guess: choose another passcode'
  return plain === userId.normalize('NFKC').toLowerCase() ? 'must differ from userId' : null
}
