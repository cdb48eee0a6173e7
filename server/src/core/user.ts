import { type Rejection, rejectField } from './rejection.ts'

/** A person who signs in on the web. */
export interface User {
  readonly userId: string
  /** As it was typed. */
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly status: UserStatus
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const USER_STATUSES = ['ACTIVE', 'DISABLED'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** One key for all spellings of a mailbox: domains ignore case, and providers do not distinguish users by case. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase()
}

/** NIST SP 800-63B, 3.1.1.2: length counts; digits and symbols are not required. */
export const SHORTEST_PASSWORD = 12
/** Argon2 accepts any length. The limit rejects texts that cannot be passwords. */
export const LONGEST_PASSWORD = 200

/** Rejects a new password that early guesses would find; null if acceptable. */
export function passwordProblem(field: string, password: string, about: readonly string[]): Rejection | null {
  const plain = password.normalize('NFKC').toLowerCase()
  if ([...password].length < SHORTEST_PASSWORD) {
    return rejectField(field, `must have ${SHORTEST_PASSWORD} characters or more`)
  }
  const isOneOfTheirs = about.some(word => word !== '' && plain === word.normalize('NFKC').toLowerCase())
  if (isOneOfTheirs || isWorn(plain)) return rejectField(field, 'is too easy to guess')
  return null
}

/** A short piece repeated, a row of the keyboard, or the words that lists of leaked passwords begin with. */
function isWorn(plain: string): boolean {
  if (/^(.{1,4})\1*.{0,3}$/su.test(plain) && new Set(plain).size <= 4) return true
  const rows = [
    '01234567890123456789',
    'abcdefghijklmnopqrstuvwxyz',
    'qwertyuiopasdfghjklzxcvbnm',
    '1q2w3e4r5t6y7u8i9o0p',
  ]
  if (rows.some(row => row.includes(plain) || [...row].reverse().join('').includes(plain))) return true
  const letters = plain
    .replaceAll('0', 'o')
    .replaceAll('1', 'i')
    .replaceAll('3', 'e')
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
  const rest = letters.replace(/password|passwort|letmein|iloveyou|welcome|tillhook|qwerty|qwertz|admin|dragon/g, '')
  return rest.replace(/[^a-z]/g, '').length < 3 && letters !== rest
}
