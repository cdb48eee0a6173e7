import type { Claimed } from './claim.ts'
import type { Lane, PerLane } from './lane.ts'

/** Hooks of which a claim took all that it had room for, lane by lane: of these more may be due. */
export type Filled = Readonly<Record<Lane, ReadonlySet<string>>>

/** Those without room count too: it was not even asked how much of them is due. */
export function hooksFilled(
  claimed: readonly Pick<Claimed, 'hookId' | 'lane'>[],
  { rooms, roomOfOthers }: { readonly rooms: ReadonlyMap<string, PerLane>; readonly roomOfOthers: PerLane },
): Filled {
  const ofLane = (lane: Lane): ReadonlySet<string> => {
    const taken = Map.groupBy(
      claimed.filter(delivery => delivery.lane === lane),
      ({ hookId }) => hookId,
    )
    const isFilled = (hookId: string) => (taken.get(hookId)?.length ?? 0) >= (rooms.get(hookId) ?? roomOfOthers)[lane]
    return new Set([...rooms.keys(), ...taken.keys()].filter(isFilled))
  }
  return { FIRST: ofLane('FIRST'), RETRY: ofLane('RETRY'), REPLAY: ofLane('REPLAY') }
}
