import { adminRoleOf, type Membership, type PersonRole, rolesOf } from '../../core/membership.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { lastAdmin } from './admins.ts'
import { findMembership, lockAdmins, removeMembership, updateRole } from './store.ts'

/** Changes the role of a person in a workspace, from their next request on. The last admin of a workspace keeps the role. */
export function changeRole(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  membershipId: string,
  role: PersonRole,
): Promise<Membership | Rejection> {
  return db.transaction(async ({ sql }) => {
    const membership = await lockMembership(sql, membershipId)
    if (isRejection(membership)) return membership
    const { kind } = membership.workspace
    if (!rolesOf(kind).includes(role)) return rejectField('role', `must be one of ${rolesOf(kind).join(', ')}`)
    if (role !== adminRoleOf(kind) && membership.isLastAdmin) return lastAdmin()
    await updateRole(sql, membershipId, role, clock.now())
    return { ...membership, role }
  })
}

/** Removes a person from a workspace and ends the person's sessions in that workspace. */
export function removePerson(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  membershipId: string,
): Promise<'removed' | Rejection> {
  return db.transaction(async ({ sql }) => {
    const membership = await lockMembership(sql, membershipId)
    if (isRejection(membership)) return membership
    if (membership.isLastAdmin) return lastAdmin()
    await removeMembership(sql, membershipId, clock.now())
    return 'removed'
  })
}

/** Reads the membership again after locking the admins: the role may have changed. */
async function lockMembership(
  sql: Sql,
  membershipId: string,
): Promise<(Membership & { isLastAdmin: boolean }) | Rejection> {
  const before = await findMembership(sql, membershipId)
  if (before === null) return unknownMembership()
  const admins = await lockAdmins(sql, before.workspace)
  const membership = await findMembership(sql, membershipId)
  if (membership === null) return unknownMembership()
  return { ...membership, isLastAdmin: admins.length === 1 && admins[0] === membership.membershipId }
}

export function unknownMembership(): Rejection {
  return reject('MEMBERSHIP_NOT_FOUND', 'There is no person with this membership id.')
}
