import type { Logger } from 'pino'

export interface LoopOptions {
  readonly name: string
  /** Does the due work and returns its amount. A long run checks `isStopped` between its steps. */
  readonly runOnce: (isStopped: () => boolean) => Promise<number>
  /** The wait after a run without work. */
  readonly idleMs: number | (() => number)
  readonly log: Logger
}

/** A long run checks these after each step. */
export interface Step {
  /** True while no request competes for the machine. */
  mayContinue(): boolean
  /** A short wait. A run that waits for a gateway then polls for new work. */
  pause(): Promise<unknown>
}

/** Wraps each run of a loop to measure it. Returns or throws the result of the run. */
export type ObserveRun = (loop: string, run: () => Promise<number>) => Promise<number>

export interface Loop {
  /** Starts the next run at once. */
  wake(): void
  /** Resolves after the current run. */
  stop(): Promise<void>
}

/** The wait after a failed run: a recovering database is not flooded, and work resumes soon. */
const AFTER_FAILURE_MS = 1_000

/** Repeats `runOnce` until stopped: at once while it finds work, otherwise after the idle interval or a wake-up. Logs and retries failures. */
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
        log.error({ err: error, loop: name }, 'a run failed and will be retried')
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

export interface RepeatOptions {
  readonly ms: number
  rest(ms: number): Promise<void>
  isStopped(): boolean
  readonly log: Logger
}

/** Repeats `run` with a pause, even after errors. */
export async function repeat(run: () => unknown, { ms, rest, isStopped, log }: RepeatOptions): Promise<void> {
  while (!isStopped()) {
    try {
      await run()
    } catch (error) {
      log.warn({ err: error }, 'a run failed and is repeated')
    }
    await rest(ms)
  }
}
