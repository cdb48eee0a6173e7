import { expiryOf } from '../../core/delivery.ts'
import { type ObserveRun, repeat } from '../../platform/loop.ts'
import { createUnderWay } from '../../platform/under-way.ts'
import type { Ports, RecordedDelivery } from '../../ports.ts'
import { type Endpoint, openEndpoint } from '../hooks/secret.ts'
import { makeAttempt } from './attempt.ts'
import { FIRST_SLOTS, HookQueue, MAX_SLOTS_PER_HOOK } from './hook-queue.ts'
import { findQueues, type HookConfig, type QueuedRow } from './load.ts'
import { createLoader } from './loader.ts'
import type { Notices } from './notices.ts'
import { quarantine, type Saved } from './save.ts'
import { createSaver } from './saver.ts'
import { createShards, RENEW_MS, shardOf } from './shards.ts'

export type SenderPorts = Pick<
  Ports,
  'db' | 'clock' | 'newId' | 'vault' | 'settings' | 'post' | 'log' | 'telemetry' | 'sleep'
>

export interface SenderOptions {
  /** The version of this service, for User-Agent. */
  readonly version: string
  /** In [0, 1), for the jitter of retries. */
  readonly random?: () => number
  /** Concurrent attempts in total and per hook. */
  readonly maxSlots?: number
  readonly maxSlotsPerHook?: number
  /** Notices to and from other processes. */
  readonly notices?: Notices
  readonly observeRun?: ObserveRun
}

export interface Sender {
  /** Call after the commit with recorded first attempts: the owner of the shard sends them from memory or is notified. */
  recorded(rows: readonly RecordedDelivery[]): void
  /** Call after the commit with hooks that changed or whose queue has a delivery that is due now. */
  changed(hookIds: readonly string[]): void
  /** Takes shards, sends all due deliveries, and releases the shards. Returns the number of attempts. For tests and tools. */
  runOnce(): Promise<number>
  start(): void
  /** Begins no more attempts, waits up to 5 s for attempts in progress, and releases the shards. */
  stop(): Promise<void>
  state(): SenderState
}

export interface SenderState {
  readonly underWay: { readonly first: number; readonly again: number }
  /** Deliveries in memory whose attempt has not begun. */
  readonly queued: number
  readonly shards: number
  /** Deliveries read from the queue since the start. */
  readonly loaded: number
  readonly hooksDisabled: number
}

/** Maximum of concurrent attempts. Each attempt holds a socket and a body. */
const MAX_SLOTS = 1_024
/**
 * Retries and replays use at most this share of all slots, so that first attempts find slots. First attempts to hooks that did not
 * acknowledge their last attempt quickly leave this share free, so that healthy hooks are served even if hanging hooks outnumber the slots.
 */
const SHARE = 1 / 4
/** Maximum of deliveries per hook in memory, so that a long queue of one hook leaves memory to other hooks. */
const MAX_QUEUED = 200
/** Above this number of deliveries in memory, each hook reads only a few at a time. Above this number of hooks, idle hooks leave memory. */
const MAX_REMEMBERED = 20_000
/** Maximum delay of a retry or probe after its due time. */
const TICK_MS = 200
/** The owner reads its whole queue again at this interval, in case a notice was lost. */
const SWEEP_MS = 10_000
/** The limit of a graceful stop, longer than any attempt. */
const STOP_WITHIN_MS = 5_000

/** Sends the webhooks of the hooks whose shards this process owns. Source: interface, Delivery; decisions 7; README.md. */
export function createSender(ports: SenderPorts, options: SenderOptions): Sender {
  const { db, clock, log, vault } = ports
  const { notices, maxSlots = MAX_SLOTS, maxSlotsPerHook = MAX_SLOTS_PER_HOOK } = options
  const rest = ports.sleep ?? (ms => new Promise<void>(resolve => setTimeout(resolve, ms).unref()))
  const shards = createShards(ports, ports.newId())
  const attemptPorts = { ...ports, random: options.random ?? Math.random, version: options.version }
  const queues = new Map<string, HookQueue>()
  /** Hooks that may have a delivery to begin: a first attempt, or a retry or replay. */
  const ready = { first: new Set<HookQueue>(), again: new Set<HookQueue>() }
  /** Hooks that did not acknowledge their last attempt quickly, while all slots for such hooks are taken. */
  const waiting = new Set<HookQueue>()
  const changedHealth = new Set<HookQueue>()
  const endpoints = new WeakMap<HookConfig, Endpoint>()
  const underWay = { first: 0, again: 0, notQuick: 0 }
  const attempts = createUnderWay()
  const counts = { begun: 0, loaded: 0, hooksDisabled: 0 }
  let queued = 0
  let unsaved = 0
  let renewing = Promise.resolve()
  let isStarted = false
  let isStopping = false
  const saver = createSaver(ports, { healthOf, rest })
  const loader = createLoader(ports, {
    ...{ rest, pump, onLoaded, onGone: remove },
    find: hookId => queues.get(hookId),
    limit: () => (queued < MAX_REMEMBERED ? MAX_QUEUED : FIRST_SLOTS),
  })

  function queueOf(hookId: string): HookQueue {
    let queue = queues.get(hookId)
    if (queue === undefined) {
      queue = new HookQueue(hookId, maxSlotsPerHook)
      queues.set(hookId, queue)
    }
    return queue
  }

  // Beginning attempts.

  function pump(): void {
    if (isStopping) return
    for (const queue of ready.first) {
      if (isFull()) return
      if (!queue.isQuick && underWay.notQuick >= maxSlots * (1 - SHARE)) {
        ready.first.delete(queue)
        waiting.add(queue)
      } else take(queue, 'first')
    }
    for (const queue of ready.again) {
      if (isFull() || underWay.again >= maxSlots * SHARE) return
      take(queue, 'again')
    }
  }

  /** Unsaved attempts are limited as well, because they are repeated after a kill. */
  const isFull = () => underWay.first + underWay.again >= maxSlots || unsaved >= 2 * maxSlots

  /** Begins one delivery of the hook and moves the hook to the end of the round robin. */
  function take(queue: HookQueue, kind: 'first' | 'again'): void {
    ready[kind].delete(queue)
    const epoch = shards.epochOf(queue.shard)
    const row = epoch === undefined ? undefined : queue.next(kind, clock.now().getTime())
    if (row !== undefined) ready[kind].add(queue)
    if (queue.queued < FIRST_SLOTS) wantMore(queue)
    if (row !== undefined && epoch !== undefined) void attempts.add(deliver(queue, row, epoch))
  }

  async function deliver(queue: HookQueue, row: QueuedRow, epoch: number): Promise<void> {
    const kind = row.priority === 'FIRST' ? 'first' : 'again'
    const isNotQuick = kind === 'first' && !queue.isQuick ? 1 : 0
    queued--
    counts.begun++
    unsaved++
    underWay[kind]++
    underWay.notQuick += isNotQuick
    let isUnderWay = true
    const ended = () => {
      if (!isUnderWay) return
      isUnderWay = false
      underWay[kind]--
      underWay.notQuick -= isNotQuick
      queue.ended(row)
      const [next] = waiting
      if (next !== undefined && waiting.delete(next)) ready.first.add(next)
      markReady(queue)
    }
    try {
      const { config } = queue
      if (config === undefined) throw new Error('the hook of a delivery is not in memory')
      const { body } = row
      if (body === undefined) throw new Error('the notification of a delivery no longer exists')
      const { outcome, finished } = await makeAttempt(attemptPorts, { ...row, body }, endpointOf(config))
      const before = queue.health
      queue.learn(outcome, {
        at: finished.finishedAt,
        acknowledged: finished.acknowledged,
        durationMs: finished.durationMs,
        gaveUp: 'reason' in finished.next,
        word: String(finished.httpStatus ?? finished.reason),
      })
      if (queue.health !== before) changedHealth.add(queue)
      if ('dueAt' in finished.next) queue.againAt = Math.min(queue.againAt, finished.next.dueAt.getTime())
      ports.telemetry?.attempted(finished)
      ended()
      pump()
      const saved = await saver.save({ shard: queue.shard, epoch, finished })
      if (saved !== null) onSaved(saved, queue)
    } catch (error) {
      log.error({ err: error, notificationId: row.notificationId }, 'a delivery cannot be handled and is quarantined')
      const isOver = clock.now() >= expiryOf(row)
      const isQuarantined = await quarantine(ports, { delivery: row, error, shard: queue.shard, epoch, isOver }).then(
        () => true,
        reason => log.error({ err: reason }, 'a delivery could not be quarantined'),
      )
      queue.againAt = Math.min(queue.againAt, clock.now().getTime() + (isQuarantined ? 0 : SWEEP_MS))
    } finally {
      ended()
      unsaved--
      queue.forget(row)
      loader.saved(row.notificationId)
      pump()
    }
  }

  function onSaved({ held, disabled }: Saved, { shard }: HookQueue): void {
    if (!held.has(shard)) lose(shard)
    for (const hook of disabled) {
      if (queues.get(hook.hookId)?.config?.active !== true) continue
      log.warn(hook, 'a hook has failed for too long and is disabled')
      counts.hooksDisabled++
      reload(hook.hookId)
    }
  }

  function healthOf(hookIds: ReadonlySet<string>) {
    return [...changedHealth].flatMap(queue => {
      if (!hookIds.has(queue.hookId) || queue.config === undefined) return []
      changedHealth.delete(queue)
      return [{ hookId: queue.hookId, version: queue.config.version, health: queue.health }]
    })
  }

  /** Opens the secrets once per version of the hook. */
  function endpointOf(config: HookConfig): Endpoint {
    const endpoint = endpoints.get(config) ?? openEndpoint(vault, config)
    endpoints.set(config, endpoint)
    return endpoint
  }

  function lose(shard: number): void {
    shards.drop(shard)
    for (const queue of queues.values()) if (queue.shard === shard) remove(queue)
  }

  function remove(queue: HookQueue): void {
    queued -= queue.queued
    for (const set of [ready.first, ready.again, waiting, changedHealth]) set.delete(queue)
    queues.delete(queue.hookId)
  }

  function markReady(queue: HookQueue): void {
    if (queues.get(queue.hookId) !== queue) return
    if (!waiting.has(queue)) ready.first.add(queue)
    ready.again.add(queue)
  }

  // Reading the queue.

  function wantMore(queue: HookQueue): void {
    if (queues.get(queue.hookId) === queue) loader.ask(queue)
  }

  function onLoaded(queue: HookQueue, rows: readonly QueuedRow[]): void {
    const added = rows.map(row => add(queue, row))
    counts.loaded += rows.length
    if (added.includes(false)) wantMore(queue)
    markReady(queue)
  }

  function add(queue: HookQueue, row: QueuedRow): boolean {
    const before = queue.queued
    const isAdded = queue.add(row)
    queued += queue.queued - before
    return isAdded
  }

  function reload(hookId: string): void {
    if (!shards.owned().includes(shardOf(hookId))) return
    const queue = queueOf(hookId)
    queued -= queue.queued
    queue.reset()
    wantMore(queue)
  }

  /** Reads the queues of these shards again, and removes idle hooks if memory holds too many hooks. */
  async function sweep(taken: readonly number[]): Promise<void> {
    for (const hookId of await findQueues(db, taken)) {
      const queue = queueOf(hookId)
      queue.rewind(1)
      queue.againAt = 0
      loader.ask(queue, { always: true })
    }
    for (const queue of queues.values()) {
      if (queues.size <= MAX_REMEMBERED) break
      if (queue.isIdle && queue.health === undefined) remove(queue)
    }
  }

  // Timers.

  /** The wait of the oldest delivery of a healthy hook while this process has no free slot. */
  function lagMs(): number {
    if (!isFull()) return 0
    const now = clock.now().getTime()
    const healthy = [...ready.first].filter(({ health }) => health === undefined)
    return healthy.reduce((most, { oldest }) => Math.max(most, oldest ? now - oldest.recordedAt.getTime() : 0), 0)
  }

  /** Runs one renewal at a time, because a notice about released shards may arrive during a renewal. */
  function renew(): Promise<void> {
    renewing = renewing.catch(() => {}).then(renewOnce)
    return renewing
  }

  async function renewOnce(): Promise<void> {
    const before = new Set(shards.owned())
    const taken = isStopping ? [] : await shards.renew(lagMs())
    const owned = new Set(shards.owned())
    for (const shard of before) if (!owned.has(shard)) lose(shard)
    if (taken.length > 0) await sweep(taken)
  }

  function tick(): void {
    const now = clock.now().getTime()
    for (const queue of queues.values()) {
      if (queue.isPaused(clock.now())) continue
      if (queue.againAt <= now && queue.queued < FIRST_SLOTS) wantMore(queue)
      if (queue.queued > 0) markReady(queue)
    }
    pump()
  }

  function enqueue(row: RecordedDelivery): boolean {
    if (!isStarted || isStopping || shards.epochOf(shardOf(row.hookId)) === undefined) return false
    const isNew = !queues.has(row.hookId)
    const queue = queueOf(row.hookId)
    // A hook that is not in memory has an empty queue; otherwise the sweep of its shard would have loaded it.
    if (isNew) Object.assign(queue, { config: configOf(row), mayHaveMore: false, againAt: Number.POSITIVE_INFINITY })
    if (queue.config !== undefined && queue.config.version < row.version) queue.config = configOf(row)
    if (queue.config === undefined || queue.mayHaveMore || queue.queued >= MAX_QUEUED || queued >= MAX_REMEMBERED) {
      queue.rewind(row.seq)
      wantMore(queue)
    } else if (add(queue, { ...row, priority: 'FIRST', attempts: 0 })) {
      if (!queue.isLoading) queue.cursor = Math.max(queue.cursor, row.seq)
      markReady(queue)
    } else wantMore(queue)
    return true
  }

  return {
    recorded: rows => {
      const elsewhere = rows.filter(row => !enqueue(row))
      if (elsewhere.length > 0) notices?.announce({ queued: elsewhere })
      pump()
    },
    changed: hookIds => {
      notices?.announce({ changed: hookIds })
      for (const hookId of hookIds) reload(hookId)
    },
    runOnce: async () => {
      const before = counts.begun
      await renew()
      await sweep(shards.owned())
      do {
        await loader.idle()
        tick()
        await attempts.allEnded()
      } while (loader.isBusy())
      for (const shard of shards.owned()) lose(shard)
      await shards.release()
      return counts.begun - before
    },
    start: () => {
      if (isStarted) return
      isStarted = true
      const { observeRun = (_name, work) => work() } = options
      const watched = (run: () => Promise<void>) => () => observeRun('deliveries', () => run().then(() => 0))
      const every = (ms: number, run: () => unknown) => repeat(run, { ms, rest, log, isStopped: () => isStopping })
      void every(RENEW_MS, watched(renew))
      void every(TICK_MS, tick)
      void every(
        SWEEP_MS,
        watched(() => sweep(shards.owned())),
      )
      notices?.listen(notice => {
        for (const { hookId, seq } of notice.queued) {
          if (shards.epochOf(shardOf(hookId)) === undefined) continue
          const queue = queueOf(hookId)
          queue.rewind(seq)
          wantMore(queue)
        }
        for (const hookId of notice.changed) reload(hookId)
        if (notice.isReleased) void renew().catch(error => log.warn({ err: error }, 'shards could not be taken'))
      })
    },
    stop: async () => {
      isStopping = true
      loader.stop()
      // A renewal that ended after the release would take the shards again.
      await Promise.race([Promise.allSettled([attempts.allEnded(), renewing]), rest(STOP_WITHIN_MS)])
      saver.close()
      if (!isStarted) return
      const stayLeased = (error: unknown) =>
        log.warn({ err: error }, 'shards could not be released and stay leased until the leases expire')
      await shards.release().catch(stayLeased)
      notices?.announce({ isReleased: true })
    },
    state: () => ({ underWay, queued, shards: shards.owned().length, ...counts }),
  }
}

function configOf({ version, deliveryUrl, sealedSecrets }: RecordedDelivery): HookConfig {
  return { version, deliveryUrl, sealedSecrets, active: true }
}
