import { revokeKey } from '../../catalog/apps/store.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import type { Revocations } from './revocations.ts'
import { revokeGrantsOfKey } from './store.ts'

/**
 * Revokes an app's key and every token that the key proved: at once in this process, within a second in others. Source: decisions 2, "so
 * does revoking the key it came from". KEY_NOT_FOUND if the app has no such active key.
 */
export async function revokeAppKey(
  { db, clock, revocations }: Pick<Ports, 'db' | 'clock'> & { readonly revocations: Revocations },
  { appId, kid }: { appId: string; kid: string },
): Promise<Rejection | null> {
  const now = clock.now()
  return db.transaction(async tx => {
    // Key first: a concurrent exchange holds the key, and its grant becomes visible before the next statement.
    if (!(await revokeKey(tx.sql, appId, kid, now))) {
      return reject('KEY_NOT_FOUND', `The app has no active key with the id ${kid}.`)
    }
    const ended = await revokeGrantsOfKey(tx.sql, appId, kid, now)
    tx.afterCommit(() => revocations.add(ended, now))
    return null
  })
}
