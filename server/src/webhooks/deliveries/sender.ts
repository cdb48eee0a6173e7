import { isTimedOut } from '../../platform/db/unavailable.ts'
import { type Loop, type ObserveRun, startLoop } from '../../platform/loop.ts'
import { createUnderWay } from '../../platform/under-way.ts'
import type { HandedOff, HandOff, Ports } from '../../ports.ts'
import { giveBackProbes } from '../hooks/health.ts'
import { createBehind } from './behind.ts'
import { createChanged } from './changed.ts'
import { type Claimed, claimDeliveries } from './claim.ts'
import { type Filled, hooksFilled } from './filled.ts'
import { createHeld } from './held.ts'
import { LANES, type Lane, type PerLane } from './lane.ts'
import { createNarrow, type Release } from './narrow.ts'
import type { Notices } from './notices.ts'
import { createPace, OF_LATE, OF_RETRIES, type Pace } from './pace.ts'
import { prepare, type Sendable } from './prepare.ts'
import { createRoom } from './room.ts'
import type { Saved } from './save.ts'
import { createSaver } from './saver.ts'
import { createSecrets } from './secrets.ts'
import { send } from './send.ts'
import { setAside } from './set-aside.ts'
import { postponeLeased } from './store.ts'
import { NO_TURNS, turnsAfter } from './turns.ts'

export type SenderPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'post' | 'log' | 'telemetry'>

export interface SenderOptions {
  /** Of this service, as listeners read it in User-Agent. */
  readonly version: string
  /** In [0, 1), for the jitter of retries. */
  readonly random?: () => number
  /** First attempts under way at one time, in all and for one hook. */
  readonly maxUnderWay?: number
  readonly maxUnderWayPerHook?: number
  /** How long what was read of a hook is good for in memory. Default: a second. */
  readonly freshForMs?: number
  /** Of what is sent again, and of first attempts of hooks that catch up. */
  readonly pace?: Pace
  readonly latePace?: Pace
  /** From other processes, while it is started. */
  readonly notices?: Notices
  /** Around each claim of its own loop. */
  readonly watchRun?: ObserveRun
}

export interface Sender extends HandOff {
  /** Claims what is due, sends it, saves what came of it. Returns how many were claimed. */
  runOnce(): Promise<number>
  start(): void
  /** There is work, of these hooks since now: only haste. */
  wake(hookIds?: readonly string[]): void
  /** Takes nothing more, and waits a little for what is under way. */
  stop(): Promise<void>
  /** For gauges. */
  state(): SenderState
}

export interface SenderState {
  /** Attempts. */
  readonly underWay: PerLane
  /** Handed over from memory, and without room yet. */
  readonly waiting: number
  /** Since the start: notifications handed over, deliveries claimed, hooks disabled. */
  readonly handedOff: number
  readonly claimed: number
  readonly hooksDisabled: number
}

interface Dispatched {
  readonly claimed: number
  /** There is room for more, and more may be due. */
  readonly mayGoOn: boolean
  readonly attempts: readonly Promise<void>[]
}

/** Nobody else sends a delivery while its lease runs: long against an attempt and the skew of clocks. */
const LEASE_MS = 30_000
const MAX_UNDER_WAY = 1_024
const MAX_UNDER_WAY_PER_HOOK = 32
/** Below the first pause of a breaker, and far above what waits while all is well. */
const LATE_MS = 4_000
/** What waits longer in memory is claimed again: its hook may have another secret or address by now, or be gone. */
const FRESH_FOR_MS = 1_000
const IDLE_MS = 250
/** A claim that reads long, as beside a transaction that stays open, rests so many times longer than it took. */
const REST_PER_CLAIM = 10
const REST_AT_MOST_MS = 2_000
/** Longer than any attempt. */
const STOP_WITHIN_MS = 5_000

/** Sends what is due, one of any number of processes that do. Source: interface, Delivery; decisions 7. */
export function createSender(ports: SenderPorts, options: SenderOptions): Sender {
  const { db, clock, newId, log } = ports
  const { freshForMs = FRESH_FOR_MS, pace = createPace(OF_RETRIES), latePace = createPace(OF_LATE) } = options
  const perHook = options.maxUnderWayPerHook ?? MAX_UNDER_WAY_PER_HOOK
  const room = createRoom({ inAll: options.maxUnderWay ?? MAX_UNDER_WAY, perHook })
  const asidePorts = { ...ports, onReleased }
  const preparePorts = { ...asidePorts, secrets: createSecrets(ports.vault) }
  const saver = createSaver(ports, {
    onSaved,
    onUnsavable: (delivery, error) => setAside(asidePorts, [{ delivery, error }]),
  })
  const sendPorts = { ...ports, random: options.random ?? Math.random, version: options.version }
  const underWay = createUnderWay()
  /** Hooks of which the last claim could not take all; undefined: it could not take all in all. */
  let limited: Filled | undefined
  const behind = createBehind()
  const changed = createChanged()
  const narrow = createNarrow()
  const held = createHeld({
    ...{ room, behind, pace, latePace, freshForMs, leaveToClaim },
    begin: delivery => void begin(delivery),
    leave: deliveries => {
      lineUp(deliveries)
      void giveBack(deliveries)
    },
    claimMore: () => loop?.wake(),
  })
  const counts = { handedOff: 0, claimed: 0, hooksDisabled: 0 }
  let lastClaimMs = 0
  let turns = NO_TURNS
  let lastDispatch: Promise<unknown> = Promise.resolve()
  let loop: Loop | undefined
  let isStopping = false

  /** One at a time: a claim must know the room that the one before it took. */
  function dispatch(ahead: 'AHEAD' | 'AS_ROOM'): Promise<Dispatched> {
    const claim = () => claimAndBegin(ahead)
    const dispatched = lastDispatch.then(claim, claim)
    lastDispatch = dispatched
    return dispatched
  }

  /** Claims, and begins an attempt of each, or has it wait for its room. The attempts end by themselves. */
  async function claimAndBegin(ahead: 'AHEAD' | 'AS_ROOM'): Promise<Dispatched> {
    const limits = held.limits()
    if (LANES.every(lane => limits[lane] === 0)) {
      limited = undefined
      return { claimed: 0, mayGoOn: false, attempts: [] }
    }
    const beganAt = performance.now()
    const now = clock.now()
    const paced = held.hasAgain ? { ...limits, RETRY: 0, REPLAY: 0 } : limits
    behind.begins()
    const [rooms, roomOfOthers] = [ahead === 'AHEAD' ? held.rooms() : room.rooms(), room.ofOthers()]
    const from = ahead === 'AHEAD' ? narrow.choose(beganAt) : undefined
    const claimed = await claimDeliveries(db, {
      now,
      leaseId: newId(),
      leasedUntil: new Date(now.getTime() + LEASE_MS),
      limits: paced,
      roomOfOthers,
      rooms,
      turns,
      ...(from && { from }),
    }).catch(error => {
      if (isTimedOut(error)) narrow.gaveUp({ now, from, beganAtMs: beganAt, endedAtMs: performance.now() })
      throw error
    })
    const endedAt = performance.now()
    lastClaimMs = endedAt - beganAt
    counts.claimed += claimed.length
    const lateBefore = new Date(now.getTime() - LATE_MS)
    if (behind.learn(claimed, { rooms, roomOfOthers, limit: limits.FIRST, lateBefore })) loop?.wake()
    const filled = hooksFilled(claimed, { rooms, roomOfOthers })
    const isFull = claimed.filter(({ lane }) => lane === 'FIRST').length >= paced.FIRST
    // Where nothing was asked of others than those that are named, nothing is known of them.
    const wasAsked = (hookId: string) => (rooms.get(hookId) ?? roomOfOthers).FIRST > 0
    const isFilled = (hookId: string) => isFull || !wasAsked(hookId) || filled.FIRST.has(hookId)
    narrow.learn(claimed, { now, from, isFilled, beganAtMs: beganAt, endedAtMs: endedAt })
    limited = LANES.some(lane => limits[lane] === 0) ? undefined : filled
    turns = turnsAfter(claimed, turns)
    const sendable = unchanged(await prepare(preparePorts, claimed), beganAt)
    if (ahead === 'AS_ROOM') {
      return { claimed: claimed.length, mayGoOn: claimed.length > 0, attempts: sendable.map(begin) }
    }
    held.add(sendable)
    return { claimed: claimed.length, mayGoOn: mayGoOn(claimed, { limits: paced, filled }), attempts: [] }
  }

  /** It was full in all, or has filled hooks that have room again by now. What gives way is claimed when all of the last claim has begun. */
  function mayGoOn(claimed: readonly Claimed[], { limits, filled }: { limits: PerLane; filled: Filled }): boolean {
    const lanes = held.hasAgain ? (['FIRST'] as const) : LANES
    return lanes.some(
      lane =>
        (limits[lane] > 0 && claimed.filter(delivery => delivery.lane === lane).length >= limits[lane]) ||
        [...filled[lane]].some(hookId => held.mayClaim(hookId, lane)),
    )
  }

  function begin(delivery: Sendable): Promise<void> {
    const { hookId, lane } = delivery
    const place = room.take(hookId, lane)
    if (lane === 'FIRST') pace.firstBegan(performance.now())
    if (lane === 'FIRST' && !behind.late.has(hookId)) latePace.firstBegan(performance.now())
    const onAcknowledged = () => {
      place.acknowledged()
      fillRoomOf(hookId, lane)
    }
    const attempt = attemptAndSave(delivery, onAcknowledged).finally(() => {
      place.end()
      fillRoomOf(hookId, lane)
    })
    return underWay.add(attempt)
  }

  /** There is room now for what waits here, or for what a claim had to leave. */
  function fillRoomOf(hookId: string, lane: Lane): void {
    held.begin()
    if (lane !== 'FIRST' && held.hasAgain) return
    if (limited === undefined || (limited[lane].has(hookId) && held.mayClaim(hookId, lane))) loop?.wake()
  }

  /** What is recorded from now on lines up behind what was given back. */
  function lineUp(given: readonly Sendable[]): void {
    if (given.length === 0) return
    const hookIds = hooksOf(given)
    for (const hookId of hookIds) behind.add(hookId)
    narrow.left(hookIds, clock.now())
  }

  function leaveToClaim(deliveries: readonly Sendable[]): void {
    if (deliveries.length === 0) return
    lineUp(deliveries.filter(({ lane }) => lane === 'FIRST'))
    void giveBack(deliveries).then(() => loop?.wake())
  }

  /** Without those whose hook was changed since it was read. */
  function unchanged(sendable: readonly Sendable[], readAtMs: number): Sendable[] {
    const isOutdated = ({ hookId }: Sendable) => changed.isSince(hookId, readAtMs)
    leaveToClaim(sendable.filter(isOutdated))
    return sendable.filter(delivery => !isOutdated(delivery))
  }

  function forget(hookIds: readonly string[]): void {
    changed.add(hookIds)
    narrow.changed(hookIds)
    leaveToClaim(held.drop(hookIds))
  }

  async function attemptAndSave(delivery: Sendable, onAcknowledged: () => void): Promise<void> {
    try {
      const beganAtMs = performance.now()
      const sent = await send(sendPorts, delivery)
      if (sent === null) return await giveBack([delivery])
      // However soon it acknowledged: an answer whose body drips keeps its place for as long as it is read.
      const takenMs = Math.max(sent.outcome.durationMs, performance.now() - beganAtMs)
      room.learn(delivery.hookId, sent.outcome, takenMs)
      ports.telemetry?.attempted({ ...sent.finished, lane: delivery.lane })
      const saved = saver.save(sent.finished)
      if (sent.finished.acknowledged) onAcknowledged()
      await saved
      if (!sent.finished.acknowledged) narrow.left([delivery.hookId], clock.now())
    } catch (error) {
      await setAside(asidePorts, [{ delivery, error }]).catch(reason =>
        log.error({ err: reason }, 'a lease is left to end'),
      )
    }
  }

  function onSaved({ releases, disabled, open, opened, closed }: Saved): void {
    narrow.changed(closed)
    onReleased(releases)
    if (closed.length > 0) loop?.wake()
    counts.hooksDisabled += disabled.length
    for (const hook of disabled) log.warn(hook, 'a hook has failed for too long and is disabled')
    const off = disabled.map(({ hookId }) => hookId)
    park([...open, ...off])
    if (opened.length + off.length > 0) options.notices?.announce({ parked: [...opened, ...off] })
  }

  function onReleased(releases: readonly Release[]): void {
    narrow.released(releases)
    if (releases.length > 0) loop?.wake()
  }

  /** Nothing is sent to these for now, and no claim is asked for. How quick they were says nothing of how they come back. */
  function park(hookIds: readonly string[]): void {
    for (const hookId of hookIds) room.forget(hookId)
    const dropped = held.drop(hookIds)
    narrow.left(hooksOf(dropped), clock.now())
    void giveBack(dropped)
  }

  /** What was handed over and is not sent from here is due again at once, for whoever claims it. */
  async function giveBack(deliveries: readonly Sendable[]): Promise<void> {
    if (deliveries.length === 0) return
    const now = clock.now()
    await db
      .transaction(async ({ sql }) => {
        await postponeLeased(sql, deliveries, now)
        await giveBackProbes(sql, deliveries, now)
      })
      .catch(error => log.warn({ err: error }, 'leases are left to end'))
  }

  async function takeHandedOff(handed: readonly HandedOff[], readAtMs: number): Promise<void> {
    counts.handedOff += handed.length
    const claimed = handed.map(
      (one): Claimed => ({ ...one, lane: 'FIRST', attempts: 0, stoodAside: false, active: true, isMissed: false }),
    )
    const sendable = await prepare(preparePorts, claimed)
    if (isStopping) return giveBack(sendable)
    held.add(unchanged(sendable, readAtMs))
  }

  return {
    offer: hookIds => {
      if (loop === undefined || isStopping) return null
      const named = new Map<string, number>()
      const accepted = hookIds.map(hookId => {
        const taken = (named.get(hookId) ?? held.waitingOf(hookId)) + 1
        named.set(hookId, taken)
        if (taken > room.mayHold(hookId)) behind.add(hookId)
        return !behind.has(hookId)
      })
      if (!accepted.includes(true)) return null
      return { leaseId: newId(), leasedUntil: new Date(clock.now().getTime() + LEASE_MS), accepted }
    },
    take: (handed, readAtMs) => {
      takeHandedOff(handed, readAtMs).catch(error => log.error({ err: error }, 'leases are left to end'))
    },
    runOnce: async () => {
      const { claimed, attempts } = await dispatch('AS_ROOM')
      await Promise.all(attempts)
      return claimed
    },
    left: hookIds => {
      options.notices?.announce({ left: hookIds })
      narrow.left(hookIds, clock.now())
      if (behind.left(hookIds)) loop?.wake()
    },
    forget: hookIds => {
      options.notices?.announce({ changed: hookIds })
      forget(hookIds)
    },
    start: () => {
      const idleMs = () => Math.max(IDLE_MS, Math.min(REST_PER_CLAIM * lastClaimMs, REST_AT_MOST_MS))
      const { watchRun = (_loop, run) => run() } = options
      // Whatever it took: right after a claim that left nothing another one would find nothing.
      const claimOnce = async () => {
        const { mayGoOn, claimed } = await dispatch('AHEAD')
        return mayGoOn ? Math.max(1, claimed) : 0
      }
      loop ??= startLoop({ name: 'deliveries', runOnce: () => watchRun('deliveries', claimOnce), idleMs, log })
      options.notices?.listen(told => {
        forget(told.changed)
        park(told.parked)
        narrow.left(told.left, clock.now())
        const isOnlyOfParked = told.parked.length > 0 && told.changed.length + told.left.length === 0
        if (!isOnlyOfParked) loop?.wake()
      })
    },
    wake: (hookIds = []) => {
      narrow.left(hookIds, clock.now())
      loop?.wake()
    },
    stop: async () => {
      isStopping = true
      await loop?.stop()
      await giveBack(held.drop())
      await endedWithin(STOP_WITHIN_MS, underWay.allEnded())
      saver.close()
    },
    state: () => ({ underWay: { ...room.underWay }, waiting: held.waiting, ...counts }),
  }
}

function hooksOf(deliveries: readonly Sendable[]): string[] {
  return [...new Set(deliveries.map(({ hookId }) => hookId))]
}

async function endedWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
