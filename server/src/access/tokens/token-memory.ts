import { assert } from '../../core/assert.ts'
import { gather } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'
import { createAppKeys } from './app-keys.ts'
import { createImportedKeys } from './app-signature.ts'
import { createRevocations } from './revocations.ts'
import { createSigningKeys } from './signing-keys.ts'
import { type GrantedUse, type GrantOutcome, grantEachOnce } from './store.ts'

/** The token state of this process: one instance for routes, authenticator and background jobs. */
export type TokenMemory = ReturnType<typeof createTokenMemory>

/** `databaseAnswersWithinMs` defaults to the value of `openDatabase`. */
export function createTokenMemory(ports: Pick<Ports, 'db' | 'clock' | 'vault'>, databaseAnswersWithinMs?: number) {
  return {
    signingKeys: createSigningKeys(ports),
    revocations: createRevocations(ports.clock.now(), databaseAnswersWithinMs),
    appKeys: createAppKeys(ports),
    importedKeys: createImportedKeys(),
    grantOnce: createGrantOnce(ports),
  }
}

/** Writes the grant of an assertion unless the assertion was used or its key ended. */
export type GrantOnce = (use: GrantedUse) => Promise<GrantOutcome>

/** While one batch is written, the next batch gathers. Two concurrent batches would each have half the grants and cost two commits. */
const ONE_AT_ONCE = 1

/** Concurrent grants share one statement and one commit: the commit is the cost of a grant. */
function createGrantOnce({ db }: Pick<Ports, 'db'>): GrantOnce {
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
