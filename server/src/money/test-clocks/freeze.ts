import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { arrive, findTestClock, lockTestClock, type TestClock } from './store.ts'

/**
 * Stops a clock where it stands: an advance under way goes no further, and whoever waits for it is told the instant reached. What
 * was decided up to there stays, and charges that it began settle at that instant. A clock that stands is frozen already.
 */
export async function freezeTestClock(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  testClockId: string,
): Promise<TestClock | Rejection> {
  return await db.transaction(async tx => {
    // A step of the way holds it too: it is over, with all that it decided, or it has not begun.
    const testClock = await lockTestClock(tx.sql, testClockId)
    if (testClock?.status === 'ADVANCING') await arrive(tx.sql, { testClockId, now: clock.now() })
    const frozen = await findTestClock(tx.sql, testClockId)
    return frozen ?? reject('TEST_CLOCK_NOT_FOUND', 'There is no test clock with this id.')
  })
}
