import type { Principal } from './principal.ts'
import { DEVELOPER_ROLES, type DeveloperRole, MERCHANT_ROLES, type MerchantRole, OPERATOR_ROLES } from './roles.ts'

/** The workspace of a membership: the operator, an organization or a business. */
export type Workspace =
  | { readonly kind: 'OPERATOR' }
  | { readonly kind: 'DEVELOPER'; readonly organizationId: string }
  | { readonly kind: 'MERCHANT'; readonly businessId: string }

/** The workspace for which a caller acts. Null for an app and a terminal. */
export function workspaceOfPerson(principal: Principal): Workspace | null {
  switch (principal.kind) {
    case 'operator':
      return { kind: 'OPERATOR' }
    case 'developer':
      return { kind: 'DEVELOPER', organizationId: principal.organizationId }
    case 'merchant':
      return { kind: 'MERCHANT', businessId: principal.businessId }
    default:
      return null
  }
}

export function isSameWorkspace(one: Workspace, other: Workspace): boolean {
  return keyOfWorkspace(one) === keyOfWorkspace(other)
}

/** A stable key of a workspace. */
export function keyOfWorkspace(workspace: Workspace): string {
  switch (workspace.kind) {
    case 'OPERATOR':
      return 'operator'
    case 'DEVELOPER':
      return `organization ${workspace.organizationId}`
    case 'MERCHANT':
      return `business ${workspace.businessId}`
  }
}

export const WORKSPACE_KINDS = ['MERCHANT', 'DEVELOPER', 'OPERATOR'] as const
export type WorkspaceKind = (typeof WORKSPACE_KINDS)[number]

/** Roles of people on the web. CLERK exists only at terminals; MFA_REQUIRED is never assigned. */
export type PersonRole = (typeof OPERATOR_ROLES)[number] | DeveloperRole | Exclude<MerchantRole, 'CLERK'>

/** A person's right to act for a workspace. */
export interface Membership {
  readonly membershipId: string
  readonly userId: string
  readonly workspace: Workspace
  readonly role: PersonRole
  readonly createdAt: Date
}

/** Every role, once. */
export const PERSON_ROLES: readonly PersonRole[] = ['OWNER', 'ADMIN', 'MANAGER', 'MEMBER', 'VIEWER']

/** Roles of a workspace of this kind, strongest first. */
export function rolesOf(kind: WorkspaceKind): readonly PersonRole[] {
  switch (kind) {
    case 'OPERATOR':
      return OPERATOR_ROLES
    case 'DEVELOPER':
      return DEVELOPER_ROLES
    case 'MERCHANT':
      return MERCHANT_ROLES
  }
}

/** The admin role of a workspace. The last admin cannot leave, because no other person could invite people. */
export function adminRoleOf(kind: WorkspaceKind): PersonRole {
  return kind === 'MERCHANT' ? 'OWNER' : 'ADMIN'
}
