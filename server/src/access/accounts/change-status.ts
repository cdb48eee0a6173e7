import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { User } from '../../core/user.ts'
import type { Ports } from '../../ports.ts'
import { refuseLastKeeper } from '../memberships/keepers.ts'
import { endSessionsOfUser } from '../sessions/store.ts'
import type { StatusChange } from '../users/schema.ts'
import { findUser, updateStatus } from '../users/store.ts'

/**
 * Disables a person, which ends what they are signed in to, or enables them again: then they sign in anew. The last one of a
 * place who may let people in is not disabled by oversight, but `evenIfLast`: an account that fell into wrong hands must be
 * stopped, and the operator can invite another. The operator's own last one stays. Refuses: USER_NOT_FOUND, LAST_KEEPER.
 */
export function changeStatus(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  userId: string,
  { status, evenIfLast = false }: StatusChange,
): Promise<User | Rejection> {
  return db.transaction(async ({ sql }) => {
    const now = clock.now()
    const rejection = status === 'DISABLED' ? await refuseLastKeeper(sql, userId, { evenIfLast }) : null
    if (isRejection(rejection)) return rejection
    await updateStatus(sql, userId, status, now)
    // Not only while they are disabled: what is enabled again is the person, and nothing that they were signed in to.
    if (status === 'DISABLED') await endSessionsOfUser(sql, userId, now, null)
    return (await findUser(sql, userId)) ?? reject('USER_NOT_FOUND', 'There is no user with this id.')
  })
}
