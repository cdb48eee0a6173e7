import { Type } from 'typebox'
import { BUSINESS_USER_ROLES, BUSINESS_USER_STATUSES, type BusinessUser } from '../../core/business-user.ts'
import { Line, pageOf, Text, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import type { SignedInAtTerminal } from './sign-in.ts'

export const UsersPath = Type.Object({ businessId: Uuid })
export const UserPath = Type.Object({ businessId: Uuid, businessUserId: Uuid })

/** Typed on a terminal: no spaces, and only characters that every keyboard has. */
const UserId = Type.String({ pattern: '^[A-Za-z0-9._@+-]{1,64}$', description: 'The name for the sign-in' })

/** Tills commonly use four digits; longer passcodes are allowed. */
const Passcode = Text(64, 4)

export const NewUserBody = Type.Object({
  userId: UserId,
  passcode: Passcode,
  name: Line(255),
  role: Type.Enum(BUSINESS_USER_ROLES),
})

export const UserChangesBody = Type.Object({
  passcode: Type.Optional(Passcode),
  name: Type.Optional(Line(255)),
  role: Type.Optional(Type.Enum(BUSINESS_USER_ROLES)),
  status: Type.Optional(Type.Enum(BUSINESS_USER_STATUSES)),
})

export const UserAnswer = Type.Object({
  businessUserId: Uuid,
  businessId: Uuid,
  userId: Type.String(),
  name: Type.String(),
  role: Type.Enum(BUSINESS_USER_ROLES),
  status: Type.Enum(BUSINESS_USER_STATUSES),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const UserListAnswer = pageOf(UserAnswer)

/** Accepts any text: only a correct pair signs in, so neither field has a pattern. */
export const SignInBody = Type.Object({ userId: Line(64), passcode: Text(64) })

export const SignInAnswer = Type.Object({
  sessionToken: Type.String({ description: 'For the header Service-User-Session. Returned only once' }),
  user: UserAnswer,
  expiresAt: Timestamp,
})

export function userToJson(user: BusinessUser) {
  const { businessUserId, businessId, userId, name, role, status, createdAt, updatedAt } = user
  return timestamped({ businessUserId, businessId, userId, name, role, status, createdAt, updatedAt })
}

export function signInToJson({ sessionToken, user, expiresAt }: SignedInAtTerminal) {
  return timestamped({ sessionToken, user: userToJson(user), expiresAt })
}
