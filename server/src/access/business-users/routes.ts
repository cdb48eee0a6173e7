import { assert } from '../../core/assert.ts'
import { given } from '../../core/given.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { wholePage } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import type { Revocations } from '../tokens/revocations.ts'
import { createBusinessUser } from './create.ts'
import {
  NewUserBody,
  SignInAnswer,
  SignInBody,
  signInToJson,
  UserAnswer,
  UserChangesBody,
  UserListAnswer,
  UserPath,
  UsersPath,
  userToJson,
} from './schema.ts'
import { signInAtTerminal, signOutAtTerminal } from './sign-in.ts'
import { findBusinessUsers } from './store.ts'
import { removeBusinessUser, updateBusinessUser } from './update.ts'

type RoutePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'> & { readonly revocations: Revocations }

/** The people of a business's terminals. */
export function businessUserRoutes(ports: RoutePorts): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/businesses/:businessId/users',
      name: 'createBusinessUser',
      operation: 'people.manage',
      summary: 'Create a user who signs in on the terminals of a business',
      params: UsersPath,
      body: NewUserBody,
      answers: { 201: UserAnswer },
      rejections: ['USER_ID_TAKEN'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params, body: { userId, passcode, name, role }, db }) {
        const businessId = params.businessId.toLowerCase()
        const made = await createBusinessUser({ ...ports, db }, { businessId, userId, passcode, name, role })
        return isRejection(made) ? made : answer(201, userToJson(made))
      },
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/users',
      name: 'listBusinessUsers',
      operation: 'people.read',
      summary: 'List the terminal users of a business',
      params: UsersPath,
      answers: { 200: UserListAnswer },
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, db }) =>
        answer(200, wholePage((await findBusinessUsers(db.sql, params.businessId)).map(userToJson))),
    }),
    route({
      method: 'PATCH',
      path: '/businesses/:businessId/users/:businessUserId',
      name: 'updateBusinessUser',
      operation: 'people.manage',
      summary: "Update a terminal user. A new passcode or DISABLED ends the user's sessions",
      params: UserPath,
      body: UserChangesBody,
      answers: { 200: UserAnswer },
      rejections: ['USER_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params, body: { passcode, name, role, status }, db }) {
        const edit = given({ passcode, name, role, status })
        const changed = await updateBusinessUser({ ...ports, db }, { ...idsOf(params), edit })
        return isRejection(changed) ? changed : answer(200, userToJson(changed))
      },
    }),
    route({
      method: 'DELETE',
      path: '/businesses/:businessId/users/:businessUserId',
      name: 'removeBusinessUser',
      operation: 'people.manage',
      summary: "Remove a terminal user and end the user's sessions",
      params: UserPath,
      answers: { 204: null },
      rejections: ['USER_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params, db }) {
        return (await removeBusinessUser({ ...ports, db }, idsOf(params))) ?? answer(204)
      },
    }),
  ]
}

function idsOf({ businessId, businessUserId }: { businessId: string; businessUserId: string }) {
  return { businessId: businessId.toLowerCase(), businessUserId: businessUserId.toLowerCase() }
}

/** Signing in and out on a terminal. Sent by the terminal, with its own token. */
export function terminalSessionRoutes(ports: RoutePorts): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/terminal/sessions',
      name: 'signInAtTerminal',
      operation: 'terminal.signIn',
      summary: 'Sign a user in on this terminal. The session ends after 15 idle minutes',
      body: SignInBody,
      answers: { 201: SignInAnswer },
      rejections: ['INVALID_PASSCODE'],
      // Hashing takes long for a transaction, and a wrong passcode must stay counted.
      idempotent: false,
      // No audit entry: the row of the session records the sign-in.
      audited: false,
      async handle({ body: { userId, passcode }, principal, db }) {
        assert(principal.kind === 'terminal', 'signInAtTerminal: by a terminal')
        const signedIn = await signInAtTerminal({ ...ports, db }, { terminal: principal, userId, passcode })
        return isRejection(signedIn) ? signedIn : answer(201, signInToJson(signedIn), { 'cache-control': 'no-store' })
      },
    }),
    route({
      method: 'DELETE',
      path: '/terminal/sessions/current',
      name: 'signOutAtTerminal',
      operation: 'terminal.signIn',
      summary: 'Sign the user out of this terminal. Succeeds also if nobody is signed in',
      answers: { 204: null },
      audited: false,
      async handle({ principal, db }) {
        assert(principal.kind === 'terminal', 'signOutAtTerminal: by a terminal')
        const { user, deviceId } = principal
        if (user !== undefined) await signOutAtTerminal({ ...ports, db }, { user, deviceId })
        return answer(204)
      },
    }),
  ]
}
