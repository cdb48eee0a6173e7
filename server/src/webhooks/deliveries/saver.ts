import type { Ports } from '../../ports.ts'
import type { HealthToSave } from '../hooks/health.ts'
import { type Saved, saveAttempts, type ToSave } from './save.ts'

export interface Saver {
  /** Resolves when the attempt is saved: null when the saver was closed before. Rejects if the database rejects this attempt's values. */
  save(attempt: ToSave): Promise<Saved | null>
  close(): void
}

/** Long enough to collect many attempts in one statement. */
const COLLECT_MS = 5
/** Attempts that one statement saves, and hooks whose queues one statement reads. */
export const BATCH = 250
/** After a failed statement: the database is unavailable. */
export const AFTER_FAILURE_MS = 250

interface Waiting {
  readonly attempt: ToSave
  readonly saved: PromiseWithResolvers<Saved | null>
}

/**
 * Saves the attempts of a few milliseconds together. While the database is unavailable, the save is repeated. A batch that the database
 * rejects for a value is halved until the faulty attempt is alone.
 */
export function createSaver(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'log' | 'settings'>,
  {
    healthOf,
    rest,
  }: {
    /** The health of these hooks, if changed since the last call. */
    healthOf(hookIds: ReadonlySet<string>): readonly HealthToSave[]
    rest(ms: number): Promise<void>
  },
): Saver {
  const waiting: Waiting[] = []
  let isRunning = false
  let isClosed = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0 && !isClosed) {
      if (waiting.length < BATCH) await rest(COLLECT_MS)
      await saveBatch(waiting.splice(0, BATCH))
    }
    isRunning = false
    if (isClosed) for (const { saved } of waiting.splice(0)) saved.resolve(null)
  }

  async function saveBatch(batch: readonly Waiting[]): Promise<void> {
    const healths = healthOf(new Set(batch.map(({ attempt }) => attempt.finished.hookId)))
    while (!isClosed) {
      try {
        const attempts = batch.map(({ attempt }) => attempt)
        const saved = await saveAttempts(ports, attempts, healths)
        for (const one of batch) one.saved.resolve(saved)
        return
      } catch (error) {
        if (isPermanent(error)) return halve(batch, error)
        ports.log.warn({ err: error, attempts: batch.length }, 'attempts could not be saved; the save is repeated')
        await rest(AFTER_FAILURE_MS)
      }
    }
    for (const { saved } of batch) saved.resolve(null)
  }

  async function halve(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (batch.length === 1) return batch[0]?.saved.reject(error)
    const half = Math.ceil(batch.length / 2)
    await saveBatch(batch.slice(0, half))
    await saveBatch(batch.slice(half))
  }

  return {
    save: attempt => {
      if (isClosed) return Promise.resolve(null)
      const saved = Promise.withResolvers<Saved | null>()
      waiting.push({ attempt, saved })
      if (!isRunning) void run()
      return saved.promise
    },
    close: () => {
      isClosed = true
    },
  }
}

/** SQLSTATE classes 22, 23 and 54: the database rejects the values. XX: a page that belongs to them cannot be read. */
function isPermanent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(2[23]|54|XX)/.test(String(error.code))
}
