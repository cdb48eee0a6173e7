/** The failed attempts to guess one secret. */
export interface Attempts {
  readonly attempts: number
  readonly attemptedAt: Date
  /** No attempt before this time. */
  readonly openAt: Date
}

export interface Patience {
  /** Attempts without a wait. */
  readonly freeAttempts: number
  readonly longestWaitMs: number
}

/** People mistype. A guesser of one password gets about a hundred attempts a day, and the owner never waits longer than 15 minutes. */
export const PATIENCE_WITH_ONE: Patience = { freeAttempts: 5, longestWaitMs: 15 * 60_000 }

/** A whole shop may share one address, but guessing over many users must not pay. */
export const PATIENCE_WITH_ADDRESS: Patience = { freeAttempts: 30, longestWaitMs: 15 * 60_000 }

/** A /48 of IPv6 is one site that could change its /64 for each attempt, or some hundred homes of one provider. */
export const PATIENCE_WITH_SITE: Patience = { freeAttempts: 120, longestWaitMs: 15 * 60_000 }

/** A day without an attempt clears the count. */
export const FORGOTTEN_AFTER_MS = 24 * 3_600_000

/** Counts an attempt and returns the new count, or the seconds to wait. An attempt that comes too early is not counted. */
export function attemptAt(
  before: Attempts | null,
  now: Date,
  { freeAttempts, longestWaitMs }: Patience,
): { readonly counted: Attempts } | { readonly waitSeconds: number } {
  const nowMs = now.getTime()
  if (before !== null && before.openAt.getTime() > nowMs) {
    return { waitSeconds: Math.ceil((before.openAt.getTime() - nowMs) / 1000) }
  }
  const isForgotten = before === null || nowMs - before.attemptedAt.getTime() >= FORGOTTEN_AFTER_MS
  const attempts = isForgotten ? 1 : before.attempts + 1
  // The first waits are short: 1 s, 2 s, 4 s, …
  const doublings = Math.min(attempts - freeAttempts, 30)
  const waitMs = doublings < 0 ? 0 : Math.min(longestWaitMs, 1000 * 2 ** doublings)
  return { counted: { attempts, attemptedAt: now, openAt: new Date(nowMs + waitMs) } }
}
