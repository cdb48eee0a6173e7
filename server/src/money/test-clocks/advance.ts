import { setTimeout as byTimer } from 'node:timers/promises'
import { assert } from '../../core/assert.ts'
import { wholeSeconds } from '../../core/calendar.ts'
import { type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import { findBusiness, lockBusiness, setClock } from '../../merchants/businesses/store.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { type AdvancePorts, advance, quarantine } from '../billing/advance.ts'
import { type CollectPorts, collectCharges } from '../billing/collect.ts'
import { carryOutRefunds } from '../billing/refund.ts'
import { findUnsettledOnClock, pollWaitingCharges } from '../charges/store.ts'
import { hasUnderWay } from '../refunds/store.ts'
import { findNextActionOnClock, lockDueOnClock } from '../subscriptions/store.ts'
import {
  arrive,
  extendLease,
  findBehind,
  findTestClock,
  findUndriven,
  leaseTestClock,
  lockTestClock,
  setOut,
  type TestClock,
} from './store.ts'

/** Real time. The driver renews the lease at each step. After a crash another process takes over. */
const LEASE_MS = 15_000

/**
 * Real time. The longest turn of a clock in the background job, so that the service can stop and other clocks get
 * their turn.
 */
const TURN_MS = 2_000

/** Clocks per run, side by side, so that a stuck clock does not delay other clocks. Each uses a database connection. */
const TURNS = 4

/** The pause while a gateway or another process works on a charge of the clock. */
const REST_MS = 20

/**
 * Moves a test clock to `to` and returns when the clock is READY, or at the deadline, when the background job takes
 * over. The lease is taken with the goal, so no other process drives the clock of a waiting request. Source:
 * decisions 10.
 */
export async function advanceTestClock(
  ports: DrivePorts,
  { db }: Pick<Ports, 'db'>,
  { testClockId, to, deadline }: { testClockId: string; to: Date; deadline: Date },
): Promise<null | Rejection> {
  const leasedUntil = new Date(ports.clock.now().getTime() + LEASE_MS)
  const rejection = await beginAdvance({ db, clock: ports.clock }, { testClockId, to, leasedUntil })
  if (rejection === null) await drive(ports, { testClockId, deadline, isLeased: true })
  return rejection
}

/**
 * Sets the clock's goal, with a lease for a caller that drives the clock next. Every waiting charge is polled before
 * the clock arrives.
 */
export async function beginAdvance(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { testClockId, to, leasedUntil = null }: { testClockId: string; to: Date; leasedUntil?: Date | null },
): Promise<null | Rejection> {
  return await db.transaction(async tx => {
    const testClock = await lockTestClock(tx.sql, testClockId)
    if (testClock === null) return reject('TEST_CLOCK_NOT_FOUND', 'There is no test clock with this id.')
    if (testClock.status === 'ADVANCING') {
      return reject('TEST_CLOCK_ADVANCING', 'The clock is advancing. Wait until its status is READY.')
    }
    const business = await findBusiness(tx.sql, testClock.businessId)
    assert(business?.clock, 'a test clock belongs to a business')
    const targetAt = wholeSeconds(to)
    if (targetAt < business.clock.now) return rejectField('to', "must not be earlier than the clock's current time")
    const now = clock.now()
    await setOut(tx.sql, { testClockId, targetAt, leasedUntil, now })
    await pollWaitingCharges(tx.sql, { testClockId, nextPollAt: now })
    return null
  })
}

type DrivePorts = CollectPorts & Pick<Ports, 'db' | 'clock' | 'log' | 'sleep'>

/**
 * Moves a clock towards its goal, from one due instant to the next, so that every decision has its own time. Returns
 * true when the clock is READY, false at the deadline or while another process drives the clock.
 */
export async function drive(
  ports: DrivePorts,
  {
    testClockId,
    deadline,
    isLeased = false,
    isStopped = () => false,
  }: { testClockId: string; deadline: Date; isLeased?: boolean; isStopped?: () => boolean },
): Promise<boolean> {
  const { sleep: rest = byTimer } = ports
  const lease = () => new Date(ports.clock.now().getTime() + LEASE_MS)
  const isMine =
    isLeased || (await leaseTestClock(ports.db.sql, { testClockId, now: ports.clock.now(), until: lease() }))
  const testClock = await findTestClock(ports.db.sql, testClockId)
  if (testClock?.status !== 'ADVANCING') return true
  if (!isMine) return false
  const { businessId } = testClock
  while (ports.clock.now() < deadline && !isStopped()) {
    const step = await takeStep(ports, { testClockId, businessId })
    if (step === 'arrived') return true
    if (step === 'waiting') await rest(REST_MS)
    await extendLease(ports.db.sql, { testClockId, until: lease() })
  }
  // The background job takes over.
  await extendLease(ports.db.sql, { testClockId, until: ports.clock.now() })
  return false
}

/**
 * Drives clocks that have no driver, longest wait first. Returns the number of clocks. A failing clock does not stop
 * the others.
 */
export async function driveUndriven(ports: DrivePorts, isStopped: () => boolean = () => false): Promise<number> {
  const now = ports.clock.now()
  const deadline = new Date(now.getTime() + TURN_MS)
  const undriven = await findUndriven(ports.db.sql, { now, limit: TURNS })
  const turns = await Promise.allSettled(
    undriven.map(testClockId => drive(ports, { testClockId, deadline, isStopped })),
  )
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason
  return undriven.length
}

type Step = 'moved' | 'waiting' | 'arrived'

/** Settles charges first, because a clock waits for every outcome. `move` checks this under locks. */
async function takeStep(ports: DrivePorts, of: ClockOf): Promise<Step> {
  const { testClockId, businessId } = of
  await collectCharges(ports, { testClockId })
  // Refunds have the instant of their request, so they settle before the clock moves. Refunds of other merchants do not
  // delay the clock.
  if ((await carryOutRefunds(ports, { businessId })) > 0) return 'moved'
  try {
    return await move(ports, of, BATCH)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    ports.log.error(
      { err: error, testClockId },
      'a step of a test clock failed; its subscriptions are advanced one by one',
    )
    const step = await move(ports, of, 0)
    return (await advanceOnClockOneByOne(ports, of)) > 0 ? 'moved' : step
  }
}

/** Moves the clock to the next due instant and advances up to `limit` subscriptions. */
async function move(ports: DrivePorts, { testClockId, businessId }: ClockOf, limit: number): Promise<Step> {
  return await ports.db.transaction(async tx => {
    const testClock = await lockTestClock(tx.sql, testClockId)
    if (testClock?.targetAt === undefined) return 'arrived'
    const business = await lockBusiness(tx.sql, businessId)
    assert(business?.clock, 'a test clock belongs to a business')
    // Subscribing and a second driver create charges under the same locks.
    const realNow = ports.clock.now()
    const unsettled = await findUnsettledOnClock(tx.sql, { testClockId, realNow })
    if (unsettled.working > 0 || (await hasUnderWay(tx.sql, { businessId, now: realNow }))) return 'waiting'
    const next = earliest(await findNextActionOnClock(tx.sql, { testClockId, realNow }), unsettled.waitsUntil)
    const target = testClock.targetAt
    if (next === null || next > target) {
      await setClock(tx.sql, businessId, { testClockId, now: target })
      await arrive(tx.sql, { testClockId, now: realNow })
      return 'arrived'
    }
    const now = next < business.clock.now ? business.clock.now : next
    await setClock(tx.sql, businessId, { testClockId, now })
    await pollWaitingCharges(tx.sql, { testClockId, by: now, nextPollAt: realNow })
    const due = await lockDueOnClock(tx.sql, { testClockId, now, realNow, limit })
    await advance(tx, ports, due, now)
    // Nothing moved, so the due subscriptions are quarantined.
    return due.length > 0 || now > business.clock.now ? 'moved' : 'waiting'
  })
}

function earliest(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

/** Subscriptions per transaction, as in real time. */
const BATCH = 200

type ClockOf = Pick<TestClock, 'testClockId' | 'businessId'>

interface Serving {
  readonly limit: number
  take?(due: readonly Subscription[]): void
}

/** Clocks per run. */
const CLOCKS = 20

/**
 * Advances subscriptions that became due on a clock that is not advancing, for instance after a late payment. The
 * decisions carry the clock's current time. Returns the number of subscriptions read.
 */
export async function advanceStandingClocks(ports: AdvancePorts, isStopped: () => boolean): Promise<number> {
  let looked = 0
  for (const of of await findBehind(ports.db.sql, { realNow: ports.clock.now(), limit: CLOCKS })) {
    if (isStopped()) break
    looked += await serveAll(ports, of)
  }
  return looked
}

async function serveAll(ports: AdvancePorts, of: ClockOf): Promise<number> {
  try {
    return await serve(ports, of, { limit: BATCH })
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    ports.log.error({ err: error, ...of }, 'a batch on a test clock failed; its subscriptions are advanced one by one')
    return await advanceOnClockOneByOne(ports, of)
  }
}

/**
 * Advances the due subscriptions of a clock one by one. A failing subscription is quarantined. Returns the number of
 * subscriptions read.
 */
async function advanceOnClockOneByOne(ports: AdvancePorts, of: ClockOf): Promise<number> {
  for (let done = 0; done < BATCH; done++) {
    let taken: Subscription | undefined
    const take = ([first]: readonly Subscription[]) => {
      taken = first
    }
    try {
      if ((await serve(ports, of, { limit: 1, take })) === 0) return done
    } catch (error) {
      if (isDatabaseUnavailable(error) || taken === undefined) throw error
      await quarantine(ports.db, ports, taken, error)
    }
  }
  return BATCH
}

async function serve(
  ports: AdvancePorts,
  { testClockId, businessId }: ClockOf,
  { limit, take }: Serving,
): Promise<number> {
  return await ports.db.transaction(async tx => {
    if ((await lockTestClock(tx.sql, testClockId)) === null) return 0
    const business = await lockBusiness(tx.sql, businessId)
    assert(business?.clock, 'a test clock belongs to a business')
    const { now } = business.clock
    const due = await lockDueOnClock(tx.sql, { testClockId, now, realNow: ports.clock.now(), limit })
    take?.(due)
    await advance(tx, ports, due, now)
    return due.length
  })
}
