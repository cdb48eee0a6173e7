import { lockApp } from '../../catalog/apps/store.ts'
import { assert } from '../../core/assert.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { countLiveOfApp } from '../subscriptions/store.ts'
import type { Ending } from './ending.ts'
import { findLastEnding, insertEnding } from './store.ts'

/**
 * Starts the end of all live subscriptions of an app that the operator disabled. While the same job of the app runs,
 * returns that job. Rejects other apps (APPLICATION_NOT_FOUND, APPLICATION_NOT_DISABLED), and an app whose running job
 * refunds differently (ENDING_IN_PROGRESS). Source: decisions 6.
 */
export async function startEnding(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { appId, refundUnused }: Pick<Ending, 'appId' | 'refundUnused'>,
): Promise<Ending | Rejection> {
  return await db.transaction(async ({ sql }) => {
    const app = await lockApp(sql, appId)
    if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
    if (app.disabledBy !== 'OPERATOR') {
      return reject(
        'APPLICATION_NOT_DISABLED',
        'Disable the app first: an app on sale would get new subscriptions meanwhile.',
      )
    }
    const total = await countLiveOfApp(sql, appId)
    const now = clock.now()
    const job: Ending = {
      ...{ endingId: newId(), appId, refundUnused, state: 'RUNNING', total },
      ...{ ended: 0, refunds: 0, failed: 0, createdAt: now, updatedAt: now },
    }
    if (await insertEnding(sql, job)) return job
    const running = await findLastEnding(sql, appId)
    assert(running, 'the job that kept the new one out is the last one')
    if (running.refundUnused === refundUnused) return running
    return reject(
      'ENDING_IN_PROGRESS',
      `The job ${running.endingId} ends the subscriptions ${running.refundUnused ? 'with' : 'without'} refunds. To stop the job, enable the app.`,
    )
  })
}
