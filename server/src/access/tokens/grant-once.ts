import { assert } from '../../core/assert.ts'
import { gather } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'
import { type GrantedUse, type GrantOutcome, grantEachOnce } from './store.ts'

/** Writes the grant of one assertion, unless it was used before or its key is over. */
export type GrantOnce = (use: GrantedUse) => Promise<GrantOutcome>

/** While one is being written the next gathers: two at once would each carry half, and cost two commits. */
const ONE_AT_ONCE = 1

/** Those that are asked for at once are written by one statement and one commit: the commit is what a grant costs. */
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
