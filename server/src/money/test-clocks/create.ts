import { wholeSeconds } from '../../core/calendar.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { lockBusiness, setClock } from '../../merchants/businesses/store.ts'
import type { Ports } from '../../ports.ts'
import { hasSubscriptions } from '../subscriptions/store.ts'
import { insertTestClock, type TestClock } from './store.ts'

export interface CreateInput {
  readonly businessId: string
  /** Where the clock stands first. */
  readonly now: Date
}

/** Gives a test merchant a clock of its own. Only before its first subscription. Source: decisions 10. */
export async function createTestClock(
  ports: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { businessId, now }: CreateInput,
): Promise<TestClock | Rejection> {
  return await ports.db.transaction(async tx => {
    const business = await lockBusiness(tx.sql, businessId)
    if (business === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
    if (business.type !== 'TEST_MERCHANT') {
      return reject('NOT_A_TEST_MERCHANT', 'Only a TEST_MERCHANT has a test clock: real merchants live in real time.')
    }
    if (business.clock !== undefined) {
      return reject('TEST_CLOCK_EXISTS', `The business has test clock ${business.clock.testClockId}: advance that one.`)
    }
    if (await hasSubscriptions(tx.sql, businessId)) {
      return reject('TEST_CLOCK_TOO_LATE', 'The business has subscriptions of real time. Make a new test merchant.')
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
