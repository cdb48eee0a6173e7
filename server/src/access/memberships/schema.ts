import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { PERSON_ROLES, PLACE_KINDS, type Place } from '../../core/membership.ts'
import { USER_STATUSES } from '../../core/user.ts'
import { Timestamp, Uuid } from '../../platform/http/wire.ts'
import type { NamedMembership, PersonOfPlace } from './store.ts'

export const PlaceFields = {
  kind: Type.Enum([...PLACE_KINDS]),
  organizationId: Type.Optional(Uuid),
  businessId: Type.Optional(Uuid),
}

export const Role = Type.Enum([...PERSON_ROLES])

export const PlaceQuery = Type.Object(PlaceFields)
export const MembershipPath = Type.Object({ membershipId: Uuid })
export const RoleChange = Type.Object({ role: Role })

export const MembershipAnswer = Type.Object({
  membershipId: Uuid,
  ...PlaceFields,
  /** Name of the organization or business. */
  placeName: Type.Optional(Type.String()),
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

export function placeToJson(place: Place) {
  return place
}

export function membershipToJson({ membershipId, place, placeName, role }: NamedMembership) {
  return { membershipId, ...placeToJson(place), ...(placeName !== null && { placeName }), role }
}

export function personToJson({ membershipId, userId, name, email, status, role, createdAt }: PersonOfPlace) {
  return { membershipId, userId, name, email, status, role, createdAt: toTimestamp(createdAt) }
}
