import { assert } from './assert.ts'
import { followedBy, rest, stateAfter } from './change.ts'
import { decide } from './decide.ts'
import { nextDue } from './due.ts'
import { isRejection } from './rejection.ts'
import type { Change, FreshIds, SubscriptionState } from './subscription.ts'

/** A subscription that was asleep for years is caught up in several passes, so that none holds its locks for long. */
const DECISIONS_PER_PASS = 100

/**
 * All that time has brought to one subscription by `now`, as one change: its trial ends, periods begin, retries and ends fall due. What
 * is awaited from the gateway ends the pass by itself. Decisions 6: "each missed period is billed once, in order".
 */
export function catchUp(start: SubscriptionState, freshIds: () => FreshIds, now: Date): Change {
  let state = start
  let all: Change | null = null
  for (let decisions = 0; decisions < DECISIONS_PER_PASS; decisions++) {
    const due = nextDue(state.subscription)
    if (due === null || due.at > now) break
    const change = decide(state, due.trigger, freshIds(), now)
    assert(!isRejection(change), 'time is never refused')
    all = all === null ? change : followedBy(all, change)
    state = stateAfter(change)
  }
  // Nothing after all: what was due waits for the outcome of a charge.
  return all ?? rest(state)
}
