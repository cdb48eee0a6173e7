import { unknownInvitation } from '../../access/invitations/revoke.ts'
import { findInvitation, type Invitation } from '../../access/invitations/store.ts'
import { unknownMembership } from '../../access/memberships/change.ts'
import { listPeople, type PersonOfPlace } from '../../access/memberships/store.ts'
import { isSamePlace } from '../../core/membership.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { OwnPlace } from './own-place.ts'

/** Somebody of the place; another's is as good as none. */
export async function findOwnPerson(
  sql: Sql,
  { place }: OwnPlace,
  membershipId: string,
): Promise<PersonOfPlace | Rejection> {
  const people = await listPeople(sql, place)
  return people.find(person => person.membershipId === membershipId.toLowerCase()) ?? unknownMembership()
}

/** An invitation to the place; another's is as good as none. */
export async function findOwnInvitation(
  sql: Sql,
  { place }: OwnPlace,
  invitationId: string,
): Promise<Invitation | Rejection> {
  const invitation = await findInvitation(sql, invitationId)
  return invitation !== null && isSamePlace(invitation.place, place) ? invitation : unknownInvitation()
}
