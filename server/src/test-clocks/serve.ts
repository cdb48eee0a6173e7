import { type AdvancePorts, advance, setAside } from '../billing/advance.ts'
import { lockBusiness } from '../businesses/store.ts'
import { assert } from '../core/assert.ts'
import type { Subscription } from '../core/subscription.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { lockDueOnClock } from '../subscriptions/store.ts'
import { lockTestClock } from './store.ts'

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

/** Does what is due at the very instant of a clock, each by itself: one that fails stands aside. Returns how many were looked at. */
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
      await setAside(ports.db, ports, taken, error)
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
