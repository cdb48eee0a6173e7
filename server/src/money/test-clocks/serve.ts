import { assert } from '../../core/assert.ts'
import type { Subscription } from '../../core/subscription.ts'
import { lockBusiness } from '../../merchants/businesses/store.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import { type AdvancePorts, advance, quarantine } from '../billing/advance.ts'
import { lockDueOnClock } from '../subscriptions/store.ts'
import { findBehind, lockTestClock } from './store.ts'

/** Rows to a transaction, as for real time. */
export const BATCH = 200

export interface ClockOf {
  readonly testClockId: string
  readonly businessId: string
}

interface Serving {
  readonly limit: number
  take?(due: readonly Subscription[]): void
}

/** Clocks to a run. */
const CLOCKS = 20

/**
 * What fell due on clocks that stand, as when the bank said only then that a charge is paid: it is done at the instant of its clock,
 * as real time does what is late, and not with the next advance only. Returns how many were looked at.
 */
export async function serveStanding(ports: AdvancePorts, isStopped: () => boolean): Promise<number> {
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
    ports.log.error({ err: error, ...of }, 'what is due on a test clock failed; taking it one by one')
    return await serveOneByOne(ports, of)
  }
}

/** Does what is due at the very instant of a clock, each by itself: one that fails is quarantined. Returns how many were looked at. */
export async function serveOneByOne(ports: AdvancePorts, of: ClockOf): Promise<number> {
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
