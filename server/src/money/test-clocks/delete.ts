import { decide } from '../../core/decide.ts'
import { OUTCOME_WAIT_MS } from '../../core/dunning.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Change } from '../../core/subscription.ts'
import { lockBusiness, setClock } from '../../merchants/businesses/store.ts'
import type { Ports } from '../../ports.ts'
import { freshIds, loadStates, nowOf } from '../billing/load.ts'
import { type WritePorts, writeChanges } from '../billing/write.ts'
import { waitWithoutClock } from '../charges/store.ts'
import { lockActiveOnClock } from '../subscriptions/store.ts'
import { deleteTestClock, lockTestClock } from './store.ts'

/** Ends the live subscriptions of the clock at its instant, and gives the merchant back to real time. Source: decisions 10. */
export async function removeTestClock(
  ports: WritePorts & Pick<Ports, 'db'>,
  testClockId: string,
): Promise<null | Rejection> {
  return await ports.db.transaction(async tx => {
    const testClock = await lockTestClock(tx.sql, testClockId)
    if (testClock === null) return reject('TEST_CLOCK_NOT_FOUND', 'There is no test clock with this id.')
    if (testClock.status === 'ADVANCING') {
      return reject('TEST_CLOCK_ADVANCING', 'The clock is under way. Wait until its status is READY.')
    }
    // Nobody subscribes meanwhile: subscribing holds the business, too.
    await lockBusiness(tx.sql, testClock.businessId)
    const changes: Change[] = []
    for (const state of await loadStates(tx.sql, await lockActiveOnClock(tx.sql, testClockId))) {
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
