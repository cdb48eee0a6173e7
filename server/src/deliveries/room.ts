import type { AttemptOutcome } from '../core/delivery.ts'

export interface RoomLimits {
  /** Attempts under way at one time, in this process. */
  readonly inAll: number
  /** Of these, for one hook. */
  readonly perHook: number
}

/**
 * How many attempts may be under way, in all and for each hook. A hook that times out gets half as many at each timeout,
 * down to one, and one more for each answer: what hangs holds few places.
 */
export interface Room {
  readonly free: number
  /** Of the hooks that have less than a full one. */
  rooms(): Map<string, number>
  take(hookId: string): void
  give(hookId: string): void
  learn(hookId: string, outcome: AttemptOutcome): void
}

export function createRoom({ inAll, perHook }: RoomLimits): Room {
  const underWay = new Map<string, number>()
  /** Only of hooks that have timed out of late. */
  const narrowed = new Map<string, number>()
  let total = 0

  const widthOf = (hookId: string) => narrowed.get(hookId) ?? perHook
  const roomOf = (hookId: string) => Math.max(0, widthOf(hookId) - (underWay.get(hookId) ?? 0))

  function widen(hookId: string): void {
    const width = widthOf(hookId) + 1
    if (width < perHook) narrowed.set(hookId, width)
    else narrowed.delete(hookId)
  }

  return {
    get free() {
      return inAll - total
    },
    rooms: () => new Map([...underWay.keys(), ...narrowed.keys()].map(hookId => [hookId, roomOf(hookId)])),
    take: hookId => {
      total++
      underWay.set(hookId, (underWay.get(hookId) ?? 0) + 1)
    },
    give: hookId => {
      total--
      const left = (underWay.get(hookId) ?? 1) - 1
      if (left > 0) underWay.set(hookId, left)
      else underWay.delete(hookId)
    },
    learn: (hookId, outcome) => {
      if (outcome.kind === 'answered') widen(hookId)
      else if (outcome.reason === 'timeout') narrowed.set(hookId, Math.max(1, Math.floor(widthOf(hookId) / 2)))
    },
  }
}
