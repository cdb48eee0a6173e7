import { wholeSeconds } from '../../core/calendar.ts'
import { decide } from '../../core/decide.ts'
import { OUTCOME_WAIT_MS } from '../../core/due.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Change } from '../../core/subscription.ts'
import { lockBusiness, setClock } from '../../merchants/businesses/store.ts'
import type { Ports } from '../../ports.ts'
import { freshIds, loadStates, nowOf } from '../billing/load.ts'
import { type WritePorts, writeChanges } from '../billing/write.ts'
import { waitWithoutClock } from '../charges/store.ts'
import { hasSubscriptions, lockLiveOnClock } from '../subscriptions/store.ts'
import { arrive, deleteTestClock, findTestClock, insertTestClock, lockTestClock, type TestClock } from './store.ts'

/** Gives a test merchant a clock before its first subscription. `now`: the clock's first instant. Source: decisions 10. */
export async function createTestClock(
  ports: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { businessId, now }: { readonly businessId: string; readonly now: Date },
): Promise<TestClock | Rejection> {
  return await ports.db.transaction(async tx => {
    const business = await lockBusiness(tx.sql, businessId)
    if (business === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
    if (business.type !== 'TEST_MERCHANT') {
      return reject(
        'NOT_A_TEST_MERCHANT',
        'Only a TEST_MERCHANT has a test clock: other merchants are billed in real time.',
      )
    }
    if (business.clock !== undefined) {
      return reject(
        'TEST_CLOCK_EXISTS',
        `The business has test clock ${business.clock.testClockId}: advance that clock.`,
      )
    }
    if (await hasSubscriptions(tx.sql, businessId)) {
      return reject('TEST_CLOCK_TOO_LATE', 'The business has subscriptions in real time. Create another test merchant.')
    }
    const at = ports.clock.now()
    const clock: TestClock = {
      testClockId: ports.newId(),
      businessId,
      status: 'READY',
      createdAt: at,
      updatedAt: at,
    }
    await insertTestClock(tx.sql, clock)
    await setClock(tx.sql, businessId, { testClockId: clock.testClockId, now: wholeSeconds(now) })
    return clock
  })
}

/**
 * Stops a clock where it stands. A running advance ends, and its request is answered with the instant reached.
 * Charges that the advance began settle at that instant.
 */
export async function freezeTestClock(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  testClockId: string,
): Promise<TestClock | Rejection> {
  return await db.transaction(async tx => {
    // A step of an advance holds the same lock, so it is either complete or not begun.
    const testClock = await lockTestClock(tx.sql, testClockId)
    if (testClock?.status === 'ADVANCING') await arrive(tx.sql, { testClockId, now: clock.now() })
    const frozen = await findTestClock(tx.sql, testClockId)
    return frozen ?? reject('TEST_CLOCK_NOT_FOUND', 'There is no test clock with this id.')
  })
}

/**
 * Ends the live subscriptions of the clock at its current time and returns the merchant to real time. Source:
 * decisions 10.
 */
export async function removeTestClock(
  ports: WritePorts & Pick<Ports, 'db'>,
  testClockId: string,
): Promise<null | Rejection> {
  return await ports.db.transaction(async tx => {
    const testClock = await lockTestClock(tx.sql, testClockId)
    if (testClock === null) return reject('TEST_CLOCK_NOT_FOUND', 'There is no test clock with this id.')
    if (testClock.status === 'ADVANCING') {
      return reject('TEST_CLOCK_ADVANCING', 'The clock is advancing. Wait until its status is READY.')
    }
    // Subscribing locks the business as well.
    await lockBusiness(tx.sql, testClock.businessId)
    const changes: Change[] = []
    for (const state of await loadStates(tx.sql, await lockLiveOnClock(tx.sql, testClockId))) {
      const now = await nowOf(tx.sql, state.subscription, ports.clock.now())
      const change = decide(state, { kind: 'operatorEnded' }, freshIds(ports.newId), now)
      if (!isRejection(change)) changes.push(change)
    }
    if (changes.length > 0) await writeChanges(tx, ports, changes)
    const waitsUntil = new Date(ports.clock.now().getTime() + OUTCOME_WAIT_MS)
    await waitWithoutClock(tx.sql, { testClockId, waitsUntil })
    await deleteTestClock(tx.sql, testClockId)
    await setClock(tx.sql, testClock.businessId, null)
    return null
  })
}
