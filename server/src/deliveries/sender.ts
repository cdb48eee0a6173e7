import { type Loop, startLoop } from '../loop.ts'
import type { Ports } from '../ports.ts'
import { type Claimed, claimDeliveries } from './claim.ts'
import { prepare, type Sendable } from './prepare.ts'
import { createRoom } from './room.ts'
import { createSaver } from './saver.ts'
import { send } from './send.ts'
import { setAside } from './set-aside.ts'

export type SenderPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'post' | 'log'>

export interface SenderOptions {
  /** Of this service, as listeners read it in User-Agent. */
  readonly version: string
  /** In [0, 1), for the jitter of retries. */
  readonly random?: () => number
  /** Attempts under way at one time, in all and for one hook. */
  readonly maxUnderWay?: number
  readonly maxUnderWayPerHook?: number
}

export interface Sender {
  /** Claims what is due, sends it, saves what came of it. Returns how many were claimed. */
  runOnce(): Promise<number>
  start(): void
  /** There is work: only haste. */
  wake(): void
  /** Takes nothing more, and waits a little for what is under way. */
  stop(): Promise<void>
}

interface Dispatched {
  readonly claimed: number
  readonly attempts: readonly Promise<void>[]
}

/** Nobody else sends a delivery while its lease runs: long against an attempt and the skew of clocks. */
const LEASE_MS = 30_000
const MAX_UNDER_WAY = 1_024
const MAX_UNDER_WAY_PER_HOOK = 32
/** One claim's: the first of them leave before the last of a long queue are read. */
const CLAIM_AT_MOST = 250
const IDLE_MS = 250
/** Longer than any attempt. */
const STOP_WITHIN_MS = 5_000
const BEFORE_ALL_HOOKS = '00000000-0000-0000-0000-000000000000'

/** Sends what is due, one of any number of processes that do. Source: interface, Delivery; decisions 7. */
export function createSender(ports: SenderPorts, options: SenderOptions): Sender {
  const { db, clock, newId, log } = ports
  const perHook = options.maxUnderWayPerHook ?? MAX_UNDER_WAY_PER_HOOK
  const room = createRoom({ inAll: options.maxUnderWay ?? MAX_UNDER_WAY, perHook })
  const saver = createSaver(ports, (delivery, error) => setAside(ports, [{ delivery, error }]))
  const sendPorts = { ...ports, random: options.random ?? Math.random, version: options.version }
  const underWay = new Set<Promise<void>>()
  let lastTurn = BEFORE_ALL_HOOKS
  let lastDispatch: Promise<unknown> = Promise.resolve()
  let loop: Loop | undefined

  /** One at a time: a claim must know the room that the one before it took. */
  function dispatch(): Promise<Dispatched> {
    const dispatched = lastDispatch.then(claimAndBegin, claimAndBegin)
    lastDispatch = dispatched
    return dispatched
  }

  /** Claims, and begins an attempt of each. The attempts end by themselves. */
  async function claimAndBegin(): Promise<Dispatched> {
    const limit = Math.min(room.free, CLAIM_AT_MOST)
    if (limit <= 0) return { claimed: 0, attempts: [] }
    const now = clock.now()
    const claimed = await claimDeliveries(db, {
      now,
      leaseId: newId(),
      leasedUntil: new Date(now.getTime() + LEASE_MS),
      limit,
      roomOfOthers: perHook,
      rooms: room.rooms(),
      after: lastTurn,
    })
    lastTurn = lastInTurn(claimed, lastTurn)
    const sendable = await prepare(ports, claimed)
    return { claimed: claimed.length, attempts: sendable.map(begin) }
  }

  function begin(delivery: Sendable): Promise<void> {
    room.take(delivery.hookId)
    const attempt = attemptAndSave(delivery).finally(() => {
      room.give(delivery.hookId)
      underWay.delete(attempt)
      // There is room now, and what waited for this one is free.
      loop?.wake()
    })
    underWay.add(attempt)
    return attempt
  }

  async function attemptAndSave(delivery: Sendable): Promise<void> {
    try {
      const sent = await send(sendPorts, delivery)
      if (sent === null) return
      room.learn(delivery.hookId, sent.outcome)
      await saver.save(sent.finished)
    } catch (error) {
      await setAside(ports, [{ delivery, error }]).catch(reason => log.error({ err: reason }, 'a lease is left to end'))
    }
  }

  return {
    runOnce: async () => {
      const { claimed, attempts } = await dispatch()
      await Promise.all(attempts)
      return claimed
    },
    start: () => {
      loop ??= startLoop({ name: 'deliveries', runOnce: async () => (await dispatch()).claimed, idleMs: IDLE_MS, log })
    },
    wake: () => loop?.wake(),
    stop: async () => {
      await loop?.stop()
      await endedWithin(STOP_WITHIN_MS, Promise.all(underWay))
      saver.close()
    },
  }
}

/** The hook whose turn came last: hooks behind `before` come first, then those up to it. */
function lastInTurn(claimed: readonly Claimed[], before: string): string {
  const wrapped = claimed.filter(({ hookId }) => hookId <= before)
  const hookIds = (wrapped.length > 0 ? wrapped : claimed).map(({ hookId }) => hookId)
  return hookIds.toSorted().at(-1) ?? BEFORE_ALL_HOOKS
}

async function endedWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
