import { setImmediate } from 'node:timers/promises'

/** What waits meanwhile, as an answer that came or a webhook that is due, waits no longer than this. */
const HOLD_MS = 10

/** Takes pure work that is long to its ends, and lets the process do other things in between. Of one such work, however many ends it has. */
export function openSteps(): <T>(steps: Iterator<void, T>) => Promise<T> {
  let sinceMs = performance.now()
  return async steps => {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value
      if (performance.now() - sinceMs < HOLD_MS) continue
      await setImmediate()
      sinceMs = performance.now()
    }
  }
}
