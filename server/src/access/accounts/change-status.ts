import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { User } from '../../core/user.ts'
import type { Ports } from '../../ports.ts'
import { rejectLastAdmin } from '../memberships/admins.ts'
import { endSessionsOfUser } from '../sessions/store.ts'
import type { StatusChange } from '../users/schema.ts'
import { findUser, updateStatus } from '../users/store.ts'

/**
 * Disables a person and ends all sessions, or enables the person again. An enabled person must sign in again. The last admin of a workspace is
 * disabled only with `force`: a stolen account must be stopped, and the operator can invite another admin. The operator's own last admin stays.
 * Rejections: USER_NOT_FOUND, LAST_ADMIN.
 */
export function changeStatus(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  userId: string,
  { status, force = false }: StatusChange,
): Promise<User | Rejection> {
  return db.transaction(async ({ sql }) => {
    const now = clock.now()
    const rejection = status === 'DISABLED' ? await rejectLastAdmin(sql, userId, { force }) : null
    if (isRejection(rejection)) return rejection
    await updateStatus(sql, userId, status, now)
    // Enabling a person restores no session.
    if (status === 'DISABLED') await endSessionsOfUser(sql, userId, now, null)
    return (await findUser(sql, userId)) ?? reject('USER_NOT_FOUND', 'There is no user with this id.')
  })
}
