import { assert } from '../../core/assert.ts'
import { gather } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'
import { type GrantedUse, type GrantOutcome, grantEachOnce } from './store.ts'

/** Writes the grant of an assertion unless the assertion was used or its key ended. */
export type GrantOnce = (use: GrantedUse) => Promise<GrantOutcome>

/** While one batch is written, the next batch gathers. Two concurrent batches would each have half the grants and cost two commits. */
const ONE_AT_ONCE = 1

/** Concurrent grants share one statement and one commit: the commit is the cost of a grant. */
export function createGrantOnce({ db }: Pick<Ports, 'db'>): GrantOnce {
  const grantOnce = gather(
    (uses: readonly GrantedUse[]) => grantEachOnce(db.sql, uses),
    ({ grantId }) => grantId,
    ONE_AT_ONCE,
  )
  return async use => {
    const outcome = await grantOnce(use)
    assert(outcome, 'grantEachOnce: an outcome for each grant')
    return outcome
  }
}
