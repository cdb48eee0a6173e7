import { signedIn } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Ready } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { MembershipAnswer, membershipToJson, WorkspaceQuery } from '../memberships/schema.ts'
import type { NamedMembership } from '../memberships/store.ts'
import { subjectOf, subjectOfNamed, workspaceOf } from '../memberships/workspace.ts'
import { proveAcceptance } from './accept.ts'
import { invite, revokeInvitation } from './invite.ts'
import {
  Acceptance,
  InvitationAnswer,
  InvitationPath,
  InvitationsAnswer,
  invitationToJson,
  NewInvitation,
} from './schema.ts'
import { findInvitation, listInvitations } from './store.ts'

type RoutePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>

export function invitationRoutes(ports: RoutePorts): AnyRoute[] {
  const { clock } = ports
  return [
    route({
      method: 'POST',
      path: '/invitations',
      name: 'invite',
      operation: 'people.manage',
      summary: 'Invite a person by mail',
      body: NewInvitation,
      answers: { 201: InvitationAnswer },
      rejections: ['ORGANIZATION_NOT_FOUND', 'BUSINESS_NOT_FOUND', 'ALREADY_MEMBER'],
      subject: ({ body }) => subjectOfNamed(body),
      async handle({ body, principal, db }) {
        const workspace = workspaceOf(body)
        if (isRejection(workspace)) return workspace
        const invitedBy = signedIn(principal)?.userId
        const { email, role } = body
        const made = await invite({ ...ports, db }, { workspace, email, role, ...(invitedBy && { invitedBy }) })
        return isRejection(made) ? made : answer(201, invitationToJson(made, clock.now()))
      },
    }),
    route({
      method: 'GET',
      path: '/invitations',
      name: 'listInvitations',
      operation: 'people.read',
      summary: 'List invitations, newest first',
      query: WorkspaceQuery,
      answers: { 200: InvitationsAnswer },
      rejections: ['BUSINESS_NOT_FOUND'],
      subject: ({ query }) => subjectOfNamed(query),
      async handle({ query, db }) {
        const workspace = workspaceOf(query)
        if (isRejection(workspace)) return workspace
        const list = await listInvitations(db.sql, workspace)
        return answer(200, { list: list.map(one => invitationToJson(one, clock.now())) })
      },
    }),
    route({
      method: 'DELETE',
      path: '/invitations/:invitationId',
      name: 'revokeInvitation',
      operation: 'people.manage',
      summary: 'Revoke an invitation',
      params: InvitationPath,
      answers: { 204: null },
      rejections: ['INVITATION_NOT_FOUND', 'BUSINESS_NOT_FOUND'],
      async subject({ params }) {
        const invitation = await findInvitation(ports.db.sql, params.invitationId)
        return invitation === null ? {} : subjectOf(invitation.workspace)
      },
      async handle({ params, db }) {
        const revoked = await revokeInvitation({ ...ports, db }, params.invitationId)
        return isRejection(revoked) ? revoked : answer(204)
      },
    }),
    route({
      method: 'POST',
      path: '/memberships',
      name: 'acceptInvitation',
      operation: 'public',
      summary: 'Accept an invitation, with a new account or the existing account of the address',
      body: Acceptance,
      answers: { 201: MembershipAnswer },
      rejections: ['INVITATION_NOT_FOUND', 'INVALID_CREDENTIALS', 'ACCOUNT_EXISTS', 'ALREADY_MEMBER'],
      // A password attempt stays counted.
      prepare: ({ body, address }) => proveAcceptance(ports, { ...body, address }),
      async handle({ prepared, db }) {
        const membership = await (prepared as Ready<NamedMembership>)(db)
        return isRejection(membership) ? membership : answer(201, membershipToJson(membership))
      },
    }),
  ]
}
