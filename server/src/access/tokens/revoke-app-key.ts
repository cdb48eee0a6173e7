import { revokeKey } from '../../catalog/apps/store.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import type { Revocations } from './revocations.ts'
import { revokeGrantsOfKey } from './store.ts'

/**
 * An app's key ends, and with it every token that it proved: at once here, within a second in every other process.
 * Source: decisions 2, "so does revoking the key it came from". KEY_NOT_FOUND when the app has no such active key.
 */
export async function revokeAppKey(
  { db, clock, revocations }: Pick<Ports, 'db' | 'clock'> & { readonly revocations: Revocations },
  { appId, kid }: { appId: string; kid: string },
): Promise<Rejection | null> {
  const now = clock.now()
  return db.transaction(async tx => {
    // The key first: an exchange that holds it is waited for, and the grant it makes is then seen.
    if (!(await revokeKey(tx.sql, appId, kid, now))) {
      return reject('KEY_NOT_FOUND', `The app has no active key with the id ${kid}.`)
    }
    const ended = await revokeGrantsOfKey(tx.sql, appId, kid, now)
    tx.afterCommit(() => revocations.add(ended, now))
    return null
  })
}
