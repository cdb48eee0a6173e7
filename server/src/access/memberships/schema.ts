import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { PERSON_ROLES, WORKSPACE_KINDS, type Workspace } from '../../core/membership.ts'
import { USER_STATUSES } from '../../core/user.ts'
import { Timestamp, Uuid } from '../../platform/http/wire.ts'
import type { NamedMembership, PersonOfWorkspace } from './store.ts'

export const WorkspaceFields = {
  kind: Type.Enum([...WORKSPACE_KINDS]),
  organizationId: Type.Optional(Uuid),
  businessId: Type.Optional(Uuid),
}

export const Role = Type.Enum([...PERSON_ROLES])

export const WorkspaceQuery = Type.Object(WorkspaceFields)
export const MembershipPath = Type.Object({ membershipId: Uuid })
export const RoleChange = Type.Object({ role: Role })

export const MembershipAnswer = Type.Object({
  membershipId: Uuid,
  ...WorkspaceFields,
  /** Name of the organization or business. */
  workspaceName: Type.Optional(Type.String()),
  role: Role,
})

export const PersonAnswer = Type.Object({
  membershipId: Uuid,
  userId: Uuid,
  name: Type.String(),
  email: Type.String(),
  status: Type.Enum([...USER_STATUSES]),
  role: Role,
  createdAt: Timestamp,
})

export const PeopleAnswer = Type.Object({ list: Type.Array(PersonAnswer) })

export function workspaceToJson(workspace: Workspace) {
  return workspace
}

export function membershipToJson({ membershipId, workspace, workspaceName, role }: NamedMembership) {
  return { membershipId, ...workspaceToJson(workspace), ...(workspaceName !== null && { workspaceName }), role }
}

export function personToJson({ membershipId, userId, name, email, status, role, createdAt }: PersonOfWorkspace) {
  return { membershipId, userId, name, email, status, role, createdAt: toTimestamp(createdAt) }
}
