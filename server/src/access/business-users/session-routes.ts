import { assert } from '../../core/assert.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import type { Revocations } from '../tokens/revocations.ts'
import { SignInAnswer, SignInBody, signInToJson } from './schema.ts'
import { signInAtTerminal } from './sign-in.ts'
import { signOutAtTerminal } from './sign-out.ts'

type RoutePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'> & { readonly revocations: Revocations }

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
