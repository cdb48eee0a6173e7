import type { SignedIn } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { listMembershipsOfUser } from '../memberships/store.ts'
import { moveSession } from './store.ts'

/** Switches the session to another workspace of the person. The operator's sessions are shorter. */
export function chooseMembership(
  { db }: Pick<Ports, 'db'>,
  { userId, sessionId }: Pick<SignedIn, 'userId' | 'sessionId'>,
  membershipId: string,
): Promise<'chosen' | Rejection> {
  return db.transaction(async ({ sql }) => {
    const own = await listMembershipsOfUser(sql, userId)
    const chosen = own.find(one => one.membershipId === membershipId.toLowerCase())
    if (chosen === undefined) return reject('MEMBERSHIP_NOT_FOUND', 'You have no membership with this id.')
    await moveSession(sql, sessionId, chosen.membershipId)
    return 'chosen'
  })
}
