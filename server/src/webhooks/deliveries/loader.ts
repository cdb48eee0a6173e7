import type { Ports } from '../../ports.ts'
import { FIRST_SLOTS, type HookQueue, MAX_SLOTS_PER_HOOK } from './hook-queue.ts'
import { type Loaded, type LoadRequest, loadQueues, type QueuedRow } from './load.ts'
import { AFTER_FAILURE_MS, BATCH } from './saver.ts'

/** Reads the next deliveries of hooks whose queues in memory run low: one statement at a time, for all of them. */
export interface Loader {
  /** The queue may need more. `always` reads the hook itself even if the queue needs no deliveries. */
  ask(queue: HookQueue, options?: { readonly always: boolean }): void
  /** Marks a saved delivery: rows of it that a running statement returns are outdated. */
  saved(notificationId: string): void
  isBusy(): boolean
  idle(): Promise<void>
  stop(): void
}

export interface LoaderOptions {
  rest(ms: number): Promise<void>
  find(hookId: string): HookQueue | undefined
  /** Deliveries to read per hook. */
  limit(): number
  onLoaded(queue: HookQueue, rows: readonly QueuedRow[]): void
  /** The hook was deleted. */
  onGone(queue: HookQueue): void
  pump(): void
}

interface Request extends LoadRequest {
  /** A hook that was changed while the statement ran is read again. */
  readonly generation: number
}

export function createLoader({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>, options: LoaderOptions): Loader {
  const asked = new Set<HookQueue>()
  const savedMeanwhile = new Set<string>()
  let running: Promise<void> | undefined
  let isStopped = false

  function wantsRows(queue: HookQueue, now: Date): boolean {
    return queue.queued < FIRST_SLOTS && queue.config?.active !== false && !queue.isPaused(now)
  }

  function start(): void {
    running ??= run()
      .catch(async error => {
        log.warn({ err: error }, 'the queue of deliveries could not be read; it is read again')
        await options.rest(AFTER_FAILURE_MS)
      })
      .finally(() => {
        running = undefined
        if (asked.size > 0 && !isStopped) start()
      })
  }

  async function run(): Promise<void> {
    // Hooks that are asked for at the same moment are read together.
    await Promise.resolve()
    while (asked.size > 0 && !isStopped) {
      const batch = [...asked].slice(0, BATCH)
      for (const queue of batch) asked.delete(queue)
      savedMeanwhile.clear()
      const now = clock.now()
      const requests = batch.map(queue => requestOf(queue, now))
      try {
        handOver(requests, await loadQueues(db, requests, now), now)
      } catch (error) {
        for (const queue of batch) {
          queue.isLoading = false
          queue.rewind(queue.cursor + 1)
          queue.againAt = 0
          asked.add(queue)
        }
        throw error
      }
      options.pump()
    }
  }

  function requestOf(queue: HookQueue, now: Date): Request {
    const { hookId, shard, cursor, generation } = queue
    const firstLimit = wantsRows(queue, now) ? options.limit() : 0
    const againLimit = firstLimit > 0 && queue.againAt <= now.getTime() ? MAX_SLOTS_PER_HOOK : 0
    // A notice that arrives during the statement sets these again.
    if (firstLimit > 0) queue.mayHaveMore = false
    queue.isLoading = firstLimit > 0
    if (againLimit > 0) queue.againAt = Number.POSITIVE_INFINITY
    return { hookId, shard, cursor, firstLimit, againLimit, generation }
  }

  function handOver(requests: readonly Request[], { rows, read, hooks, health, againAt }: Loaded, now: Date): void {
    const readOf = Map.groupBy(read, ({ hookId, priority }) => `${hookId} ${priority === 'FIRST'}`)
    const rowsOf = Map.groupBy(rows, ({ hookId }) => hookId)
    for (const { hookId, firstLimit, againLimit, generation } of requests) {
      const queue = options.find(hookId)
      if (queue === undefined) continue
      queue.isLoading = false
      if (queue.generation !== generation) continue
      const config = hooks.get(hookId)
      if (config === undefined) {
        options.onGone(queue)
        continue
      }
      if (queue.config === undefined) queue.health = health.get(hookId)
      if (queue.config?.version !== config.version) queue.config = config
      const [first = [], again = []] = [readOf.get(`${hookId} true`), readOf.get(`${hookId} false`)]
      // The cursor keeps the position of a notice that arrived during the read.
      if (!queue.mayHaveMore) queue.cursor = Math.max(queue.cursor, first.at(-1)?.seq ?? 0)
      if (firstLimit > 0 && first.length >= firstLimit) queue.mayHaveMore = true
      if (againLimit > 0) {
        const next = again.length < againLimit ? againAt.get(hookId)?.getTime() : now.getTime()
        queue.againAt = Math.min(queue.againAt, next ?? Number.POSITIVE_INFINITY)
      }
      options.onLoaded(
        queue,
        (rowsOf.get(hookId) ?? []).filter(({ notificationId }) => !savedMeanwhile.has(notificationId)),
      )
    }
  }

  return {
    ask: (queue, { always } = { always: false }) => {
      const now = clock.now()
      const mayHaveMore = queue.config === undefined || queue.mayHaveMore || queue.againAt <= now.getTime()
      if (isStopped || !(always || (mayHaveMore && wantsRows(queue, now)))) return
      asked.add(queue)
      start()
    },
    saved: notificationId => {
      if (running !== undefined) savedMeanwhile.add(notificationId)
    },
    isBusy: () => running !== undefined,
    idle: async () => {
      while (running !== undefined) await running
    },
    stop: () => {
      isStopped = true
    },
  }
}
