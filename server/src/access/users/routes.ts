import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { User } from '../../core/user.ts'
import type { Db } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { type StatusChange, UserAnswer, UserChange, UserPath, userToJson } from './schema.ts'
import { findUser } from './store.ts'

export interface UserPorts {
  /** Filled by `accounts`, which ends sessions and protects the last admin. */
  changeStatus(db: Db, userId: string, change: StatusChange): Promise<User | Rejection>
}

export function userRoutes({ changeStatus }: UserPorts): AnyRoute[] {
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
        const changed = await changeStatus(db, params.userId, body)
        return isRejection(changed) ? changed : answer(200, userToJson(changed))
      },
    }),
  ]
}

function unknownUser(): Rejection {
  return reject('USER_NOT_FOUND', 'There is no user with this id.')
}
