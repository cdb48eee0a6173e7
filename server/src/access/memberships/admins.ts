import { adminRoleOf, keyOfWorkspace } from '../../core/membership.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { listMembershipsOfUser, lockAdmins } from './store.ts'

/**
 * Rejects disabling a person who is the last admin of a workspace. Call it in the transaction that disables: until its end no other admin
 * of these workspaces is removed or disabled. With `force`, only the operator's own workspace is protected; elsewhere the operator can
 * invite another admin.
 */
export async function rejectLastAdmin(
  sql: Sql,
  userId: string,
  { force }: { readonly force: boolean },
): Promise<Rejection | null> {
  const memberships = await listMembershipsOfUser(sql, userId)
  const kept = memberships.filter(({ role, workspace }) => role === adminRoleOf(workspace.kind))
  // One order for all callers prevents a deadlock.
  for (const { membershipId, workspace } of kept.sort((a, b) =>
    keyOfWorkspace(a.workspace) < keyOfWorkspace(b.workspace) ? -1 : 1,
  )) {
    const admins = await lockAdmins(sql, workspace)
    const isLast = admins.length === 1 && admins[0] === membershipId
    if (!isLast) continue
    if (workspace.kind === 'OPERATOR') return lastAdmin()
    if (!force) return lastAdmin('or disable this one with force, and invite another one')
  }
  return null
}

export function lastAdmin(orElse?: string): Rejection {
  const advice = `Give somebody else that role first${orElse === undefined ? '' : `, ${orElse}`}.`
  return reject('LAST_ADMIN', `This is the last person who may invite people. ${advice}`)
}
