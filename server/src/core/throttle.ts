/** How often something secret was tried in vain, and from when on it may be tried again. */
export interface Tries {
  readonly tries: number
  readonly triedAt: Date
  readonly openAt: Date
}

/** How patient a throttle is. */
export interface Patience {
  /** Tries without a wait. */
  readonly freeTries: number
  /** No wait is longer. */
  readonly longestWaitMs: number
}

/** People mistype. Whoever guesses one person's password gets some hundred tries a day, and locks nobody out for long. */
export const PATIENCE_WITH_ONE: Patience = { freeTries: 5, longestWaitMs: 15 * 60_000 }

/** A whole shop may sit behind one address; guessing over many users must still not pay. */
export const PATIENCE_WITH_ADDRESS: Patience = { freeTries: 30, longestWaitMs: 15 * 60_000 }

/** A /48 of IPv6 is one site that could change its /64 for each try, or a few hundred homes of one provider. */
export const PATIENCE_WITH_SITE: Patience = { freeTries: 120, longestWaitMs: 15 * 60_000 }

/** Who stopped trying for a day begins anew. */
export const FORGOTTEN_AFTER_MS = 24 * 3_600_000

/** A try now: counted, with the wait that it brings, or refused with the seconds to wait. Those refused are not counted. */
export function tryAt(
  before: Tries | null,
  now: Date,
  { freeTries, longestWaitMs }: Patience,
): { readonly counted: Tries } | { readonly waitSeconds: number } {
  const nowMs = now.getTime()
  if (before !== null && before.openAt.getTime() > nowMs) {
    return { waitSeconds: Math.ceil((before.openAt.getTime() - nowMs) / 1000) }
  }
  const isForgotten = before === null || nowMs - before.triedAt.getTime() >= FORGOTTEN_AFTER_MS
  const tries = isForgotten ? 1 : before.tries + 1
  return { counted: { tries, triedAt: now, openAt: new Date(nowMs + waitAfter(tries, freeTries, longestWaitMs)) } }
}

/** The first waits are hardly felt: 1 s, 2 s, 4 s, … */
function waitAfter(tries: number, freeTries: number, longestWaitMs: number): number {
  return tries < freeTries ? 0 : Math.min(longestWaitMs, 1000 * 2 ** Math.min(tries - freeTries, 30))
}
