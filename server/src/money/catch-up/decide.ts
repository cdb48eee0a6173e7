import { type CatchUp, isUndecided } from '../../core/catch-up.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { lockBillingProgress, saveCatchUp } from './store.ts'

export const CATCH_UP_DECISIONS = ['RELEASE', 'SPREAD', 'WAIVE'] as const
const STATES = { RELEASE: 'RELEASED', SPREAD: 'SPREAD', WAIVE: 'WAIVED' } as const
/** Longer than any outage that a platform survives. */
export const MAX_SPREAD_DAYS = 60

interface Decision {
  readonly decision: (typeof CATCH_UP_DECISIONS)[number]
  /** Only for SPREAD. Default: 7. */
  readonly spreadDays?: number
}

/** Decides about the backlog of an outage. The first decision counts: NO_CATCH_UP where nothing waits. */
export async function decideCatchUp(
  { db, clock, wake }: Pick<Ports, 'db' | 'clock' | 'wake'>,
  { decision, spreadDays = 7 }: Decision,
): Promise<CatchUp | Rejection> {
  return await db.transaction(async tx => {
    const now = clock.now()
    const { catchUp } = await lockBillingProgress(tx.sql, now)
    if (catchUp === null || !isUndecided(catchUp, now)) {
      return reject('NO_CATCH_UP', 'No backlog waits for a decision.')
    }
    const decided: CatchUp = {
      ...catchUp,
      ...{ state: STATES[decision], decidedAt: now, ...(decision === 'SPREAD' ? { spreadDays } : {}) },
    }
    await saveCatchUp(tx.sql, decided)
    tx.afterCommit(() => wake.charges())
    return decided
  })
}
