import type { Pace } from './pace.ts'
import type { Sendable } from './prepare.ts'
import type { Waiting } from './waiting.ts'

export interface GivingWay {
  /** Begins what may begin now, and goes on by itself with what is left. */
  begin(): void
}

export interface GivingWayOptions {
  readonly lot: Waiting
  readonly pace: Pace
  /** Whether the hook has room. */
  mayBegin(hookId: string): boolean
  begin(delivery: Sendable): void
  dropStale(): void
  /** The next lot may be claimed. */
  onEmpty(): void
}

/** A lot that was claimed at once is begun evenly, a few at a time. One claim of many costs less than several of few. */
export function createGivingWay({ lot, pace, mayBegin, begin, dropStale, onEmpty }: GivingWayOptions): GivingWay {
  let isResting = false

  function beginSome(): void {
    dropStale()
    const nowMs = performance.now()
    lot.takeWhile(
      hookId => pace.mayBegin(nowMs) && mayBegin(hookId),
      delivery => {
        pace.began(nowMs)
        begin(delivery)
      },
    )
    if (lot.size === 0 || isResting) return
    isResting = true
    setTimeout(() => {
      isResting = false
      beginSome()
      if (lot.size === 0) onEmpty()
    }, pace.restMs(nowMs))
  }

  return { begin: beginSome }
}
