import { Type } from 'typebox'
import { LONGEST_PASSWORD } from '../../core/user.ts'
import { Email, Text, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import { MembershipAnswer, membershipToJson } from '../memberships/schema.ts'
import type { NamedMembership } from '../memberships/store.ts'
import { expiresAt } from './find.ts'
import type { Session } from './store.ts'

/** Digits, optionally in groups as apps show them. */
export const Totp = Type.String({ pattern: '^[0-9 ]{6,9}$', description: 'six digits' })
export const RecoveryCode = Text(40)

export const SignIn = Type.Object({
  email: Email,
  password: Text(LONGEST_PASSWORD),
  totp: Type.Optional(Totp),
  recoveryCode: Type.Optional(RecoveryCode),
  membershipId: Type.Optional(Uuid),
})

export const SessionPath = Type.Object({ sessionId: Uuid })
export const MembershipChoice = Type.Object({ membershipId: Uuid })

export const SessionAnswer = Type.Object({
  sessionId: Uuid,
  isCurrent: Type.Boolean(),
  membership: MembershipAnswer,
  /** Whether a second factor was checked in this session. Without, an operator can only set one up. */
  isMfaVerified: Type.Boolean(),
  address: Type.String(),
  agent: Type.String(),
  createdAt: Timestamp,
  usedAt: Timestamp,
  expiresAt: Timestamp,
})

export const SessionsAnswer = Type.Object({ list: Type.Array(SessionAnswer) })

const Person = Type.Object({ userId: Uuid, name: Type.String(), email: Type.String() })

export const CurrentAnswer = Type.Object({
  ...SessionAnswer.properties,
  user: Person,
  /** All workspaces of the person. */
  memberships: Type.Array(MembershipAnswer),
})

export const OpenedAnswer = Type.Object({ token: Type.String(), ...CurrentAnswer.properties })

export function sessionToJson(session: Session, currentId: string) {
  const { sessionId, membership, workspaceName, mfaVerifiedAt, address, agent, createdAt, usedAt } = session
  return timestamped({
    ...{
      sessionId,
      isCurrent: sessionId === currentId,
      membership: membershipToJson({ ...membership, workspaceName }),
    },
    ...{ isMfaVerified: mfaVerifiedAt !== null, address, agent, createdAt, usedAt, expiresAt: expiresAt(session) },
  })
}

export function currentToJson(session: Session, memberships: readonly NamedMembership[]) {
  const { userName: name, email, membership, sessionId } = session
  return {
    ...sessionToJson(session, sessionId),
    user: { userId: membership.userId, name, email },
    memberships: memberships.map(membershipToJson),
  }
}
