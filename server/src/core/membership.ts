import type { Principal } from './principal.ts'
import { DEVELOPER_ROLES, type DeveloperRole, MERCHANT_ROLES, type MerchantRole, OPERATOR_ROLES } from './roles.ts'

/** For whom somebody signs in: the operator, a developer's organization, a merchant's business. */
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

/** One word for a place, the same for the same place. */
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

/** What a person may be given on the web: a clerk has none, and an unproven operator is not given. */
export type PersonRole = (typeof OPERATOR_ROLES)[number] | DeveloperRole | Exclude<MerchantRole, 'CLERK'>

/** A person's right to act for a place. */
export interface Membership {
  readonly membershipId: string
  readonly userId: string
  readonly place: Place
  readonly role: PersonRole
  readonly createdAt: Date
}

/** Every role that there is anywhere, each once. */
export const PERSON_ROLES: readonly PersonRole[] = ['OWNER', 'ADMIN', 'MANAGER', 'MEMBER', 'VIEWER']

/** Of a place of this kind, the strongest first. */
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

/** The role that may see to the people of a place: the last who has it must stay, or nobody could let anybody in. */
export function keeperOf(kind: PlaceKind): PersonRole {
  return kind === 'MERCHANT' ? 'OWNER' : 'ADMIN'
}
