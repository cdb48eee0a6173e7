import { type Refusal, refuse } from '../core/refusal.ts'
import type { Sql } from '../db/db.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import type { Ports } from '../ports.ts'
import { UserAnswer, UserChange, UserPath, userToJson } from './schema.ts'
import { findUser, updateStatus } from './store.ts'

export interface UserPorts extends Pick<Ports, 'clock'> {
  /** Filled by `sessions`, in the transaction that disables the person. */
  readonly endSessions: (sql: Sql, userId: string, now: Date) => Promise<void>
}

export function userRoutes({ clock, endSessions }: UserPorts): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/users/:userId',
      name: 'getUser',
      operation: 'users.read',
      summary: 'Read a person who signs in',
      params: UserPath,
      answers: { 200: UserAnswer },
      refusals: ['USER_NOT_FOUND'],
      async handle({ params, db }) {
        const user = await findUser(db.sql, params.userId)
        return user === null ? unknownUser() : answer(200, userToJson(user))
      },
    }),
    route({
      method: 'PATCH',
      path: '/users/:userId',
      name: 'changeUser',
      operation: 'users.manage',
      summary: 'Disable a person, which ends what they are signed in to, or enable them again',
      params: UserPath,
      body: UserChange,
      answers: { 200: UserAnswer },
      refusals: ['USER_NOT_FOUND'],
      handle: ({ params: { userId }, body: { status }, db }) =>
        db.transaction(async ({ sql }) => {
          const now = clock.now()
          await updateStatus(sql, userId, status, now)
          // Not only while they are disabled: what is enabled again is the person, and nothing that they were signed in to.
          if (status === 'DISABLED') await endSessions(sql, userId, now)
          const user = await findUser(sql, userId)
          return user === null ? unknownUser() : answer(200, userToJson(user))
        }),
    }),
  ]
}

function unknownUser(): Refusal {
  return refuse('USER_NOT_FOUND', 'There is no user with this id.')
}
