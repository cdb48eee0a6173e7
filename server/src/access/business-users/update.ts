import { type BusinessUser, passcodeProblem } from '../../core/business-user.ts'
import { type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import type { Revocations } from '../tokens/revocations.ts'
import { revokeGrantsOfUser } from '../tokens/store.ts'
import { hashPasscode } from './passcode.ts'
import { endSessionsOfUser } from './session-store.ts'
import { deleteBusinessUser, lockBusinessUser, saveBusinessUser } from './store.ts'

type ChangePorts = Pick<Ports, 'db' | 'clock' | 'vault'> & { readonly revocations: Revocations }

interface Named {
  readonly businessId: string
  readonly businessUserId: string
}

export interface BusinessUserEdit extends Partial<Pick<BusinessUser, 'name' | 'role' | 'status'>> {
  readonly passcode?: string
}

/**
 * Changes the named fields. A new passcode or DISABLED ends the user's sessions on all terminals. Both, and a new role, revoke the tokens
 * that terminals issued to apps for this user: the role at issue bounds such a token.
 */
export async function updateBusinessUser(
  { db, clock, vault, revocations }: ChangePorts,
  { businessId, businessUserId, edit: { passcode, ...edit } }: Named & { readonly edit: BusinessUserEdit },
): Promise<BusinessUser | Rejection> {
  const now = clock.now()
  const passcodeHash = passcode === undefined ? undefined : await hashPasscode(vault, passcode)
  return db.transaction(async tx => {
    const user = await lockBusinessUser(tx.sql, { businessId, businessUserId })
    if (user === null) return userNotFound()
    const problem = passcode === undefined ? null : passcodeProblem(passcode, user.userId)
    if (problem !== null) return rejectField('passcode', problem)
    const changed = { ...user, ...edit, ...(passcodeHash === undefined ? {} : { passcodeHash }), updatedAt: now }
    await saveBusinessUser(tx.sql, changed)
    const isSignedOut = passcodeHash !== undefined || changed.status === 'DISABLED'
    if (isSignedOut) await endSessionsOfUser(tx.sql, businessUserId, now)
    if (isSignedOut || changed.role !== user.role) {
      const ended = await revokeGrantsOfUser(tx.sql, businessUserId, now)
      tx.afterCommit(() => revocations.add(ended, now))
    }
    const { passcodeHash: _, ...shown } = changed
    return shown
  })
}

/** Removes the user with all sessions and issued tokens. Returns null on success. */
export async function removeBusinessUser(
  { db, clock, revocations }: ChangePorts,
  of: Named,
): Promise<Rejection | null> {
  const now = clock.now()
  return db.transaction(async tx => {
    if (!(await deleteBusinessUser(tx.sql, of))) return userNotFound()
    const ended = await revokeGrantsOfUser(tx.sql, of.businessUserId, now)
    tx.afterCommit(() => revocations.add(ended, now))
    return null
  })
}

function userNotFound(): Rejection {
  return reject('USER_NOT_FOUND', 'The business has no user with this id.')
}
