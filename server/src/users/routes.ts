import { type Refusal, refuse } from '../core/refusal.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import type { Ports } from '../ports.ts'
import { UserAnswer, UserChange, UserPath, userToJson } from './schema.ts'
import { findUser, updateStatus } from './store.ts'

export function userRoutes({ clock }: Pick<Ports, 'clock'>): AnyRoute[] {
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
          await updateStatus(sql, userId, status, clock.now())
          const user = await findUser(sql, userId)
          return user === null ? unknownUser() : answer(200, userToJson(user))
        }),
    }),
  ]
}

function unknownUser(): Refusal {
  return refuse('USER_NOT_FOUND', 'There is no user with this id.')
}
