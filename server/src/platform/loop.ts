import type { Logger } from 'pino'

export interface LoopOptions {
  readonly name: string
  /** Does what is due now; returns how much it found. What could go on for long asks whether it was stopped. */
  readonly runOnce: (isStopped: () => boolean) => Promise<number>
  /** How long to rest when there was nothing. */
  readonly idleMs: number | (() => number)
  readonly log: Logger
}

/** What may go on for long, and asks after each piece of it. */
export interface Step {
  /** Nobody else asks for what it takes, and nobody waits for its end: it may go on. */
  mayContinue(): boolean
  /** Over in a moment: whoever waits for something looks then whether there is more to do meanwhile. */
  pause(): Promise<unknown>
}

/** Stands around each run of a loop, to know of it. Gives what the run gives, and throws what it throws. */
export type ObserveRun = (loop: string, run: () => Promise<number>) => Promise<number>

export interface Loop {
  /** There is work: do not wait for the rest to end. */
  wake(): void
  /** Ends after the run that is under way. */
  stop(): Promise<void>
}

/** After a failed run: long enough not to storm a database that is coming back, short enough to be back at once with it. */
const AFTER_FAILURE_MS = 1_000

/** Repeats `runOnce` until stopped: at once while it finds work, else after a rest or a wake-up. A failure is logged and tried again. */
export function startLoop({ name, runOnce, idleMs, log }: LoopOptions): Loop {
  let stopped = false
  let woken = false
  let endRest = () => {}
  const rest = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      endRest = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false
      try {
        const found = await runOnce(() => stopped)
        if (found === 0 && !woken && !stopped) await rest(typeof idleMs === 'number' ? idleMs : idleMs())
      } catch (error) {
        log.error({ err: error, loop: name }, 'a run failed; it is tried again')
        if (!stopped) await rest(AFTER_FAILURE_MS)
      }
    }
  }

  const ended = run()
  return {
    wake: () => {
      woken = true
      endRest()
    },
    stop: async () => {
      stopped = true
      endRest()
      await ended
    },
  }
}
