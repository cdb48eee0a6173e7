import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { changeStatus } from '../accounts/change-status.ts'
import { UserAnswer, UserChange, UserPath, userToJson } from './schema.ts'
import { findUser } from './store.ts'

export function userRoutes(ports: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/users/:userId',
      name: 'getUser',
      operation: 'users.read',
      summary: 'Get a user',
      params: UserPath,
      answers: { 200: UserAnswer },
      rejections: ['USER_NOT_FOUND'],
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
      summary: 'Disable a user and end all sessions, or enable the user again',
      params: UserPath,
      body: UserChange,
      answers: { 200: UserAnswer },
      rejections: ['USER_NOT_FOUND', 'LAST_ADMIN'],
      async handle({ params, body, db }) {
        const changed = await changeStatus({ ...ports, db }, params.userId, body)
        return isRejection(changed) ? changed : answer(200, userToJson(changed))
      },
    }),
  ]
}

function unknownUser(): Rejection {
  return reject('USER_NOT_FOUND', 'There is no user with this id.')
}
