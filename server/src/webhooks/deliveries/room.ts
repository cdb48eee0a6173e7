import { type AttemptOutcome, acknowledged } from '../../core/delivery.ts'
import { SLOW_MS } from '../../core/hook-health.ts'
import { LANES, type Lane, type PerLane } from './lane.ts'

export interface RoomLimits {
  /** First attempts under way at one time, in this process. */
  readonly inAll: number
  /** Of these, at most for one hook. */
  readonly perHook: number
}

/**
 * How many attempts may be under way, in all and for each hook. A hook begins with a few; quick answers
 * give it more, slow ones take of it, a timeout or "too many" takes half. What hangs so holds few places, and where places grow
 * few nobody gets many. Hooks that are not known as quick share three quarters of all places, however many they are: a quarter is left to those
 * that are. An acknowledgement frees its place before it is saved: what fails keeps its own, so that a breaker opens in time. Retries and replays have room beside that of first attempts, and never take of it.
 */
export interface Room {
  free(lane: Lane): number
  /** Of a hook in a lane. */
  of(hookId: string, lane: Lane): number
  /** Its last attempt was acknowledged, and soon gave its place back. */
  isQuick(hookId: string): boolean
  /** Those that are not hold so many places that nothing is claimed for them, and nothing of theirs waits in memory. */
  isTight(): boolean
  /** How many first attempts of a hook may wait in memory: a quick one's for a few milliseconds, instead of for a claim. */
  mayHold(hookId: string): number
  /** To claim of a hook that has nothing under way, and has not been heard of. */
  ofOthers(): PerLane
  /** Of the hooks for which it differs from that. */
  rooms(): Map<string, PerLane>
  /**
   * How many first attempts of a hook to claim at once, when so many wait in memory. A quick one's are claimed ahead of their room, and
   * no more until half of them are gone: a claim for each place that comes free would be a statement for two or three.
   */
  toClaim(hookId: string, waiting: number): number
  take(hookId: string, lane: Lane): Place
  /** `durationMs`: for which its place was taken. */
  learn(hookId: string, outcome: AttemptOutcome, durationMs: number): void
  /** It begins as one that was never heard of. */
  forget(hookId: string): void
  /** Attempts under way, until they are saved. */
  readonly underWay: PerLane
}

/** Of one attempt. */
export interface Place {
  /** It was acknowledged: the next one of the hook may begin. In all it still counts, and of the hook not too many may be unsaved. */
  acknowledged(): void
  /** It is saved, or given up. */
  end(): void
}

/** Of the room of first attempts, in all and of a hook, what each lane has for itself. */
const SHARES: PerLane = { FIRST: 1, RETRY: 1 / 2, REPLAY: 1 / 4 }
/** 200 hooks that hang when nothing is known of them yet leave room for others. */
const WIDTH_AT_FIRST = 8
/** Of all places for first attempts: more than quick hooks take up, unless all of them are behind. */
const KEPT_FOR_QUICK = 1 / 4
/** Of the places that are left, one hook gets at most such a part at a time. */
const PART_OF_FREE = 64
/** An eighth and a quarter of what an answer may take. Between them nothing is changed. */
const QUICK_MS = 250
const LEISURELY_MS = 500
const AFTER_SLOW = 0.8
const CLAIMED_PER_PLACE = 4
/** More than that of what is handed off: it is in memory already, and what lines up behind a full one is claimed. */
const HANDED_OFF_PER_PLACE = 8
/** With what is under way: what a killed process sends again of one hook. */
const UNSAVED_PER_PLACE = 4
/** What was learned is forgotten from the oldest on, past so many hooks: each claim is told of all of them. */
const REMEMBERED = 1_000
/** Which are quick is known of more than an installation is expected to have: else, of many that take turns, none would be. */
const QUICK_REMEMBERED = 20_000
/** Of those a claim is told of the next so many: told of 10,000, it takes twice as long. */
const QUICK_NAMED = 1_000

export function createRoom({ inAll, perHook }: RoomLimits): Room {
  const total = { FIRST: 0, RETRY: 0, REPLAY: 0 }
  const underWay: Counts = new Map()
  const unsaved: Counts = new Map()
  /** How many places each may take. */
  const learned = new Map<string, number>()
  const quick = new Set<string>()
  const atFirst = Math.min(WIDTH_AT_FIRST, perHook)
  const keptForQuick = Math.floor(inAll * KEPT_FOR_QUICK)
  /** First attempts under way that began when their hook was not known as quick. */
  let unsure = 0

  const widthOf = (hookId: string) => Math.floor(learned.get(hookId) ?? atFirst)
  const isQuick = (hookId: string) => quick.has(hookId)
  const partOf = (width: number, lane: Lane) => Math.max(1, Math.floor(width * SHARES[lane]))
  const free = (lane: Lane) => Math.max(0, partOf(inAll, lane) - total[lane])
  const freeOfUnsure = () => Math.max(0, Math.min(free('FIRST'), inAll - keptForQuick - unsure))
  /** One claim may take as many as are kept for quick hooks: so many must be left of the others' own. */
  const isTight = () => inAll - keptForQuick - unsure < keptForQuick
  const freeFor = (hookId: string, lane: Lane) => (lane === 'FIRST' && !isQuick(hookId) ? freeOfUnsure() : free(lane))
  const roomOf = (width: number, lane: Lane, { taken, left }: { taken: number; left: number }) =>
    Math.max(0, Math.min(partOf(width, lane), Math.ceil(left / PART_OF_FREE) + taken) - taken)
  const perLane = (of: (lane: Lane) => number): PerLane => ({
    FIRST: of('FIRST'),
    RETRY: of('RETRY'),
    REPLAY: of('REPLAY'),
  })
  /** They go to the end, where what is learned meanwhile comes, too: each has its turn. An iterator that stays would keep all that the set ever held. */
  const nextQuick = (): string[] => {
    const next = [...quick].slice(0, QUICK_NAMED)
    for (const hookId of next) {
      quick.delete(hookId)
      quick.add(hookId)
    }
    return next
  }
  const forget = (hookId: string) => {
    learned.delete(hookId)
    quick.delete(hookId)
  }
  const of = (hookId: string, lane: Lane) => {
    const width = widthOf(hookId)
    const mayBeUnsaved = UNSAVED_PER_PLACE * partOf(width, lane) - countIn(unsaved, hookId, lane)
    const taken = countIn(underWay, hookId, lane)
    return Math.max(0, Math.min(roomOf(width, lane, { taken, left: freeFor(hookId, lane) }), mayBeUnsaved - taken))
  }

  return {
    free,
    of,
    isQuick,
    isTight,
    mayHold: hookId => {
      if (!isQuick(hookId) && isTight()) return of(hookId, 'FIRST')
      return free('FIRST') === 0 ? 0 : HANDED_OFF_PER_PLACE * widthOf(hookId) - countIn(underWay, hookId, 'FIRST')
    },
    ofOthers: () =>
      perLane(lane => {
        if (lane !== 'FIRST') return roomOf(atFirst, lane, { taken: 0, left: free(lane) })
        return isTight() ? 0 : roomOf(atFirst, lane, { taken: 0, left: freeOfUnsure() })
      }),
    rooms: () => {
      const known = new Set([...underWay.keys(), ...unsaved.keys(), ...learned.keys()])
      const rooms = new Map([...known].map(hookId => [hookId, perLane(lane => of(hookId, lane))]))
      if (!isTight()) return rooms
      // The others get nothing now: those that are quick must be named, a part of them after the other.
      const ofQuick = perLane(lane => roomOf(atFirst, lane, { taken: 0, left: free(lane) }))
      for (const hookId of nextQuick()) if (!known.has(hookId)) rooms.set(hookId, ofQuick)
      return rooms
    },
    toClaim: (hookId, waiting) => {
      if (!isQuick(hookId) && isTight()) return 0
      if (widthOf(hookId) <= atFirst) return of(hookId, 'FIRST')
      const held = waiting + countIn(underWay, hookId, 'FIRST')
      const places = CLAIMED_PER_PLACE * widthOf(hookId)
      return 2 * held > places ? 0 : places - held
    },
    take: (hookId, lane) => {
      const countsAsUnsure = lane === 'FIRST' && !isQuick(hookId) ? 1 : 0
      total[lane]++
      unsure += countsAsUnsure
      add(underWay, hookId, lane, 1)
      let holds = underWay
      return {
        acknowledged: () => {
          add(holds, hookId, lane, -1)
          holds = unsaved
          add(holds, hookId, lane, 1)
        },
        end: () => {
          total[lane]--
          unsure -= countsAsUnsure
          add(holds, hookId, lane, -1)
        },
      }
    },
    learn: (hookId, outcome, durationMs) => {
      const before = learned.get(hookId) ?? atFirst
      const width = Math.min(perHook, Math.max(1, nextWidth(before, outcome, durationMs)))
      // Set anew, so that the hooks heard of last are remembered longest.
      forget(hookId)
      learned.set(hookId, width)
      if (width >= atFirst && acknowledged(outcome) && durationMs < LEISURELY_MS) quick.add(hookId)
      dropOldest(learned, REMEMBERED)
      dropOldest(quick, QUICK_REMEMBERED)
    },
    forget,
    underWay: total,
  }
}

type Counts = Map<string, Record<Lane, number>>

function countIn(counts: Counts, hookId: string, lane: Lane): number {
  return counts.get(hookId)?.[lane] ?? 0
}

function add(counts: Counts, hookId: string, lane: Lane, by: number): void {
  const ofHook = counts.get(hookId) ?? { FIRST: 0, RETRY: 0, REPLAY: 0 }
  ofHook[lane] += by
  if (LANES.every(each => ofHook[each] === 0)) counts.delete(hookId)
  else counts.set(hookId, ofHook)
}

function dropOldest(remembered: Map<string, unknown> | Set<string>, atMost: number): void {
  if (remembered.size <= atMost) return
  const [oldest] = remembered.keys()
  if (oldest !== undefined) remembered.delete(oldest)
}

/**
 * Up to where it begins a hook gains one with each answer that is not SLOW, then one in as many quick ones as it has places. Leisurely
 * ones take it back to there, SLOW ones, timeouts and "too many" to one: a listener that answers within what is asked of it keeps
 * some at once, or it would fall behind for good.
 */
function nextWidth(width: number, outcome: AttemptOutcome, durationMs: number): number {
  if (outcome.kind === 'failed') return outcome.reason === 'timeout' && !outcome.stalled ? width / 2 : width
  if (outcome.httpStatus === 429 || outcome.httpStatus === 503) return width / 2
  if (durationMs >= SLOW_MS) return width * AFTER_SLOW
  if (durationMs >= LEISURELY_MS && width > WIDTH_AT_FIRST) return Math.max(WIDTH_AT_FIRST, width * AFTER_SLOW)
  if (!acknowledged(outcome)) return width
  if (width < WIDTH_AT_FIRST) return width + 1
  return durationMs < QUICK_MS ? width + 1 / width : width
}
