/** RFC 8628, 6.1: letters without vowels, so that no code spells a word. 20^8 codes are 34 bits; guesses are throttled. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
export const USER_CODE_LENGTH = 8

/** How long a person has to sign in and approve. */
export const DEVICE_LOGIN_LIFETIME_MS = 15 * 60_000

/** RFC 8628, 3.2: the interval that clients keep between two polls. */
export const POLL_INTERVAL_SECONDS = 5
/** One second less, because the network delays one poll more than the next. */
const SHORTEST_INTERVAL_MS = (POLL_INTERVAL_SECONDS - 1) * 1_000

export type DeviceDecision = 'APPROVED' | 'DENIED'

export interface DeviceLoginState {
  readonly expiresAt: Date
  /** Time of the last poll that was not too early. */
  readonly polledAt: Date | null
  readonly decision: DeviceDecision | null
  /** Time at which the device received its session. */
  readonly usedAt: Date | null
}

/** The outcome of a poll at `now` (RFC 8628, 3.5). A login works once, so a used login has expired. */
export function pollOutcome(
  { expiresAt, polledAt, decision, usedAt }: DeviceLoginState,
  now: Date,
): 'PENDING' | 'TOO_EARLY' | 'EXPIRED' | DeviceDecision {
  if (usedAt !== null || expiresAt <= now) return 'EXPIRED'
  if (polledAt !== null && now.getTime() - polledAt.getTime() < SHORTEST_INTERVAL_MS) return 'TOO_EARLY'
  return decision ?? 'PENDING'
}

/** The code as stored, from a code as a person types it: in small letters, with spaces or without the hyphen. Null: no code. */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  const isCode = letters.length === USER_CODE_LENGTH && [...letters].every(letter => USER_CODE_LETTERS.includes(letter))
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : null
}
