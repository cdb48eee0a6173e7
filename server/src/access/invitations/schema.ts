import { Type } from 'typebox'
import { LONGEST_PASSWORD } from '../../core/user.ts'
import { Email, Line, Text, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import { Role, WorkspaceFields, workspaceToJson } from '../memberships/schema.ts'
import type { Invitation } from './store.ts'

export const InvitationPath = Type.Object({ invitationId: Uuid })

export const NewInvitation = Type.Object({ ...WorkspaceFields, email: Email, role: Role })

export const Acceptance = Type.Object({
  secret: Text(200),
  name: Type.Optional(Line(255)),
  password: Text(LONGEST_PASSWORD),
})

const STATUSES = ['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED'] as const

export const InvitationAnswer = Type.Object({
  invitationId: Uuid,
  ...WorkspaceFields,
  email: Type.String(),
  role: Role,
  status: Type.Enum([...STATUSES]),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})

export const InvitationsAnswer = Type.Object({ list: Type.Array(InvitationAnswer) })

export function invitationToJson(invitation: Invitation, now: Date) {
  const { invitationId, workspace, email, role, createdAt, expiresAt } = invitation
  const status = statusOf(invitation, now)
  return timestamped({ invitationId, ...workspaceToJson(workspace), email, role, status, createdAt, expiresAt })
}

export function statusOf({ acceptedAt, revokedAt, expiresAt }: Invitation, now: Date): (typeof STATUSES)[number] {
  if (acceptedAt !== null) return 'ACCEPTED'
  if (revokedAt !== null) return 'REVOKED'
  return expiresAt > now ? 'PENDING' : 'EXPIRED'
}
