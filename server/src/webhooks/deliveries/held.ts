import type { Behind } from './behind.ts'
import { createGivingWay } from './giving-way.ts'
import type { Lane, PerLane } from './lane.ts'
import type { Pace } from './pace.ts'
import type { Sendable } from './prepare.ts'
import type { Room } from './room.ts'
import { createWaiting, type Waiting } from './waiting.ts'

/**
 * What is leased to this process and has not begun, and how much more of it a claim may take. First attempts wait for room. Those of
 * hooks that catch up give way to the others, retries and replays to all first attempts: of the first the next are claimed when half of them have
 * begun, of the others when all have.
 */
export interface Held {
  add(deliveries: readonly Sendable[]): void
  /** First attempts that have room by now. */
  begin(): void
  /** What a claim may take in all. */
  limits(): PerLane
  /** What it may take of hooks for which it differs from the room of others. */
  rooms(): Map<string, PerLane>
  /** Whether a claim would take something of a hook. */
  mayClaim(hookId: string, lane: Lane): boolean
  /** First attempts of a hook that wait for room. */
  waitingOf(hookId: string): number
  /** All of these hooks, or of every one: they are not sent from here. */
  drop(hookIds?: readonly string[]): Sendable[]
  /** First attempts that wait for room. */
  readonly waiting: number
  /** Retries and replays wait. */
  readonly hasAgain: boolean
}

export interface HeldOptions {
  readonly room: Room
  readonly behind: Behind
  /** Of what is sent again, and of first attempts of hooks that catch up. */
  readonly pace: Pace
  readonly latePace: Pace
  readonly freshForMs: number
  begin(delivery: Sendable): void
  /** They are due again, for a claim that has room for them. */
  leave(deliveries: readonly Sendable[]): void
  /** As that, and a claim is asked for. */
  leaveToClaim(deliveries: readonly Sendable[]): void
  claimMore(): void
}

/** One claim's: the first of them leave before the last of a long queue are read. */
const CLAIM_AT_MOST = 250
/** Half of it is always held: of a hook that is served the oldest four are never seen untaken for long (`untaken.ts`). */
const SHARE_AT_LEAST = 8

export function createHeld(options: HeldOptions): Held {
  const { room, behind, pace, latePace, begin, leave, leaveToClaim } = options
  const waiting = createWaiting()
  const late = createWaiting()
  const again = createWaiting()
  const retrying = givingWay(again, pace, () => true)
  const catchingUp = givingWay(late, latePace, hookId => room.of(hookId, 'FIRST') > 0)

  /** Retries begin in the room that their claim found. */
  function givingWay(lot: Waiting, ofLot: Pace, mayBegin: (hookId: string) => boolean) {
    return createGivingWay({
      ...{ lot, pace: ofLot, mayBegin, begin, onEmpty: options.claimMore },
      dropStale: () => dropStale(lot),
    })
  }

  /** What was read of their hooks may hold no longer. */
  function dropStale(held: Waiting): void {
    leaveToClaim(held.dropStale(options.freshForMs))
  }

  /** Of one lot, as many for each of them. */
  function share(): number {
    return Math.floor(CLAIM_AT_MOST / Math.max(1, behind.late.size))
  }

  /**
   * Of one claim, as many for each of those that are behind and have room for many. By their rooms alone it would serve two or three: all that is
   * under way is theirs then, on connections that are opened for it, and closed for those of the next ones.
   */
  function shareOfClaim(ahead: ReadonlyMap<string, number>): number {
    const sharers = [...ahead].filter(([hookId, room]) => room > SHARE_AT_LEAST && behind.has(hookId))
    return Math.max(SHARE_AT_LEAST, Math.ceil(CLAIM_AT_MOST / Math.max(1, sharers.length)))
  }

  /** While nothing else is sent for the first time there is nobody to give way to. */
  function catchesUp(hookId: string): boolean {
    return behind.late.has(hookId) && share() >= SHARE_AT_LEAST && latePace.givesWay(performance.now())
  }

  function roomAhead(hookId: string): number {
    const held = late.count(hookId)
    if (!catchesUp(hookId)) return room.toClaim(hookId, waiting.count(hookId) + held)
    const atMost = Math.min(share(), room.toClaim(hookId, 0))
    return 2 * held > atMost ? 0 : atMost - held
  }

  function lotOf({ lane, hookId }: Sendable): Waiting {
    if (lane !== 'FIRST') return again
    // Past one lot it would wait for longer than it is fresh.
    return catchesUp(hookId) && late.size < CLAIM_AT_MOST ? late : waiting
  }

  function beginWaiting(): void {
    dropStale(waiting)
    waiting.takeWhile(hookId => room.of(hookId, 'FIRST') > 0, begin)
    if (waiting.size + late.size === 0 || !room.isTight()) return
    // What waits here is a place less to claim for: those that may wait long would take them from the quick ones.
    for (const held of [waiting, late]) {
      const unsure = held.hookIds().filter(hookId => !room.isQuick(hookId))
      leave(unsure.flatMap(hookId => held.drop(hookId)))
    }
  }

  return {
    add: deliveries => {
      for (const delivery of deliveries) lotOf(delivery).add(delivery)
      beginWaiting()
      catchingUp.begin()
      retrying.begin()
    },
    begin: () => {
      if (waiting.size + late.size > 0) beginWaiting()
    },
    limits: () => {
      const first = waiting.size + late.size
      const of = (lane: Lane, held: number) => Math.min(Math.max(0, room.free(lane) - held), CLAIM_AT_MOST)
      return { FIRST: of('FIRST', first), RETRY: of('RETRY', 0), REPLAY: of('REPLAY', 0) }
    },
    rooms: () => {
      const [rooms, others] = [room.rooms(), room.ofOthers()]
      const hookIds = new Set([...rooms.keys(), ...behind.late])
      const ahead = new Map([...hookIds].map(hookId => [hookId, roomAhead(hookId)]))
      const atMost = shareOfClaim(ahead)
      for (const [hookId, first] of ahead) {
        rooms.set(hookId, { ...(rooms.get(hookId) ?? others), FIRST: Math.min(first, atMost) })
      }
      return rooms
    },
    mayClaim: (hookId, lane) => (lane === 'FIRST' ? roomAhead(hookId) : room.of(hookId, lane)) > 0,
    waitingOf: waiting.count,
    drop: hookIds =>
      [waiting, late, again].flatMap(held => (hookIds ?? held.hookIds()).flatMap(each => held.drop(each))),
    get waiting() {
      return waiting.size
    },
    get hasAgain() {
      return again.size > 0
    },
  }
}
