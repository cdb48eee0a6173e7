import { isSamePlace } from '../../core/membership.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { Sql } from '../../db/db.ts'
import { unknownInvitation } from '../../invitations/revoke.ts'
import { findInvitation, type Invitation } from '../../invitations/store.ts'
import { unknownMembership } from '../../memberships/change.ts'
import { listPeople, type PersonOfPlace } from '../../memberships/store.ts'
import type { OwnPlace } from './own-place.ts'

/** Somebody of the place; another's is as good as none. */
export async function findOwnPerson(
  sql: Sql,
  { place }: OwnPlace,
  membershipId: string,
): Promise<PersonOfPlace | Refusal> {
  const people = await listPeople(sql, place)
  return people.find(person => person.membershipId === membershipId.toLowerCase()) ?? unknownMembership()
}

/** An invitation to the place; another's is as good as none. */
export async function findOwnInvitation(
  sql: Sql,
  { place }: OwnPlace,
  invitationId: string,
): Promise<Invitation | Refusal> {
  const invitation = await findInvitation(sql, invitationId)
  return invitation !== null && isSamePlace(invitation.place, place) ? invitation : unknownInvitation()
}
