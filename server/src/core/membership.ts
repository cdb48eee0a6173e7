import type { Principal } from './principal.ts'
import { DEVELOPER_ROLES, type DeveloperRole, MERCHANT_ROLES, type MerchantRole, OPERATOR_ROLES } from './roles.ts'

/** The workspace of a membership: the operator, an organization or a business. */
export type Place =
  | { readonly kind: 'OPERATOR' }
  | { readonly kind: 'DEVELOPER'; readonly organizationId: string }
  | { readonly kind: 'MERCHANT'; readonly businessId: string }

/** For whom a caller acts; null: for none of these, as an app or a terminal. */
export function placeOfPerson(principal: Principal): Place | null {
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

export function isSamePlace(one: Place, other: Place): boolean {
  return keyOfPlace(one) === keyOfPlace(other)
}

/** A stable key of a workspace. */
export function keyOfPlace(place: Place): string {
  switch (place.kind) {
    case 'OPERATOR':
      return 'operator'
    case 'DEVELOPER':
      return `organization ${place.organizationId}`
    case 'MERCHANT':
      return `business ${place.businessId}`
  }
}

export const PLACE_KINDS = ['MERCHANT', 'DEVELOPER', 'OPERATOR'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

/** Roles of people on the web. CLERK exists only at terminals; MFA_REQUIRED is never assigned. */
export type PersonRole = (typeof OPERATOR_ROLES)[number] | DeveloperRole | Exclude<MerchantRole, 'CLERK'>

/** A person's right to act for a place. */
export interface Membership {
  readonly membershipId: string
  readonly userId: string
  readonly place: Place
  readonly role: PersonRole
  readonly createdAt: Date
}

/** Every role, once. */
export const PERSON_ROLES: readonly PersonRole[] = ['OWNER', 'ADMIN', 'MANAGER', 'MEMBER', 'VIEWER']

/** Roles of a workspace of this kind, strongest first. */
export function rolesOf(kind: PlaceKind): readonly PersonRole[] {
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
export function adminRoleOf(kind: PlaceKind): PersonRole {
  return kind === 'MERCHANT' ? 'OWNER' : 'ADMIN'
}
