import type { Ports } from '../../ports.ts'
import { type FinishedAttempt, type Saved, saveAttempts } from './save.ts'

export interface Saver {
  /** Resolves once the attempt is saved; at the latest when the saver closes. Never rejects. */
  save(attempt: FinishedAttempt): Promise<void>
  /** Gives up what cannot be saved: leases run out, and it is sent again. */
  close(): void
}

export interface SaverEvents {
  onSaved(saved: Saved): void
  onUnsavable(attempt: FinishedAttempt, error: unknown): Promise<void>
}

/** Long enough to make one statement of many attempts, short against the way to the listener: a hook's places are taken until then. */
const COLLECT_MS = 8
/** When so many have come, waiting for more gains nothing. */
const ENOUGH = 100
const AT_ONCE = 500

/** After a failed save. The database is away, or two statements were in each other's way. */
const AGAIN_MS = 250

interface Waiting {
  readonly attempt: FinishedAttempt
  readonly done: () => void
}

/**
 * Collects the attempts of a few milliseconds and saves them together. What the database cannot take for now is tried
 * again; what it will not take is parted in halves until the one that is at fault is alone, which goes to `onUnsavable`.
 */
export function createSaver(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'log'>,
  { onSaved, onUnsavable }: SaverEvents,
): Saver {
  const { clock, log } = ports
  const waiting: Waiting[] = []
  let running = false
  let closed = false

  async function run(): Promise<void> {
    running = true
    while (waiting.length > 0 && !closed) {
      if (waiting.length < ENOUGH) await rest(COLLECT_MS)
      const batch = waiting.splice(0, AT_ONCE)
      await saveBatch(batch.map(({ attempt }) => attempt))
      for (const { done } of batch) done()
    }
    running = false
    if (closed) for (const { done } of waiting.splice(0)) done()
  }

  async function saveBatch(batch: readonly FinishedAttempt[]): Promise<void> {
    while (!closed) {
      try {
        return onSaved(await saveAttempts(ports, batch, clock.now()))
      } catch (error) {
        if (isPermanent(error)) return part(batch, error)
        log.warn({ err: error, attempts: batch.length }, 'attempts could not be saved; it is tried again')
        await rest(AGAIN_MS)
      }
    }
  }

  async function part(batch: readonly FinishedAttempt[], error: unknown): Promise<void> {
    const [only] = batch
    if (only !== undefined && batch.length === 1) {
      return onUnsavable(only, error).catch(reason => log.error({ err: reason }, 'a lease is left to end'))
    }
    const half = Math.ceil(batch.length / 2)
    await saveBatch(batch.slice(0, half))
    await saveBatch(batch.slice(half))
  }

  return {
    save: attempt => {
      if (closed) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ attempt, done: resolve })
      if (!running) void run()
      return promise
    },
    close: () => {
      closed = true
    },
  }
}

/**
 * SQLSTATE classes 22 and 23: the values themselves are refused. 54: there are too many of them. XX: what one of them belongs to cannot be read,
 * as a page that the disk has spoilt.
 */
function isPermanent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(2[23]|54|XX)/.test(String(error.code))
}

function rest(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
