import { type Static, Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { USER_STATUSES, type User } from '../../core/user.ts'
import { Timestamp, Uuid } from '../../platform/http/wire.ts'

export const UserPath = Type.Object({ userId: Uuid })

export const UserChange = Type.Object({
  status: Type.Enum([...USER_STATUSES]),
  force: Type.Optional(
    Type.Boolean({ description: 'Disables the user even as the last administrator of a business or an organization' }),
  ),
})

export type StatusChange = Static<typeof UserChange>

export const UserAnswer = Type.Object({
  userId: Uuid,
  email: Type.String(),
  name: Type.String(),
  status: Type.Enum([...USER_STATUSES]),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export function userToJson({ userId, email, name, status, createdAt, updatedAt }: User) {
  return { userId, email, name, status, createdAt: toTimestamp(createdAt), updatedAt: toTimestamp(updatedAt) }
}
