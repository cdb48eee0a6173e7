import type { Claimed } from './claim.ts'
import type { Lane } from './lane.ts'

/**
 * Of each lane, the hook that had the last turn: in the next claim those behind it come first. A turn for each, as a lane that is short
 * of room serves a few hooks in a claim, and another one all of them: by one turn for both the first would begin with the same few each time.
 */
export type Turns = Readonly<Record<Lane, string>>

const BEFORE_ALL_HOOKS = '00000000-0000-0000-0000-000000000000'

export const NO_TURNS: Turns = { FIRST: BEFORE_ALL_HOOKS, RETRY: BEFORE_ALL_HOOKS, REPLAY: BEFORE_ALL_HOOKS }

/** After a claim. A lane that it took nothing of goes on from where it was: it may not have been asked. */
export function turnsAfter(claimed: readonly Pick<Claimed, 'hookId' | 'lane'>[], before: Turns): Turns {
  const after = (lane: Lane) => {
    const served = claimed.filter(delivery => delivery.lane === lane).map(({ hookId }) => hookId)
    const wrapped = served.filter(hookId => hookId <= before[lane])
    return (wrapped.length > 0 ? wrapped : served).toSorted().at(-1) ?? before[lane]
  }
  return { FIRST: after('FIRST'), RETRY: after('RETRY'), REPLAY: after('REPLAY') }
}
