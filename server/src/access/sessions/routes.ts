import type { SignedIn } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Db } from '../../platform/db/db.ts'
import { type AnyRoute, answer, NOT_KEPT, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { listMembershipsOfUser } from '../memberships/store.ts'
import { expiresAt, findSession, personOf } from './find.ts'
import { chooseMembership } from './move.ts'
import {
  CurrentAnswer,
  currentToJson,
  MembershipChoice,
  OpenedAnswer,
  SessionPath,
  SessionsAnswer,
  SignIn,
  sessionToJson,
} from './schema.ts'
import { invalidCredentials, originOf, signIn } from './sign-in.ts'
import { endSession, listSessionsOfUser } from './store.ts'

export function sessionRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>): AnyRoute[] {
  const { clock } = ports
  return [
    route({
      method: 'POST',
      path: '/sessions',
      name: 'signIn',
      operation: 'public',
      summary: 'Sign in. The response has the bearer token of the session',
      body: SignIn,
      answers: { 201: OpenedAnswer },
      sends: ['Pragma'],
      rejections: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED'],
      // A password attempt stays counted, and the sign-in token is not stored. A caller that lost the answer signs in again.
      idempotent: false,
      // The row of the session records the person, the start and the end.
      audited: false,
      async handle({ body, headers, address, db }) {
        const from = originOf(address, headers)
        const opened = await signIn({ ...ports, db }, { ...body, from })
        if (isRejection(opened)) return opened
        const session = await findSession({ db, clock }, opened.token)
        // The membership was removed, or the person disabled, in the meantime.
        if (session === null) return invalidCredentials()
        return answer(201, { token: opened.token, ...currentToJson(session, opened.memberships) }, NOT_KEPT)
      },
    }),
    route({
      method: 'GET',
      path: '/sessions/current',
      name: 'getCurrentSession',
      operation: 'account.manage',
      summary: 'Get my current session and my memberships',
      answers: { 200: CurrentAnswer },
      handle: ({ principal, db }) => current(db, personOf(principal)),
    }),
    route({
      method: 'PATCH',
      path: '/sessions/current',
      name: 'chooseMembership',
      operation: 'account.manage',
      summary: 'Switch my session to another membership',
      body: MembershipChoice,
      answers: { 200: CurrentAnswer },
      rejections: ['SESSION_NOT_FOUND', 'MEMBERSHIP_NOT_FOUND'],
      // The row of the session records the membership.
      audited: false,
      async handle({ body, principal, db }) {
        const person = personOf(principal)
        const chosen = await chooseMembership({ db }, person, body.membershipId)
        return isRejection(chosen) ? chosen : current(db, person)
      },
    }),
    route({
      method: 'DELETE',
      path: '/sessions/current',
      name: 'signOut',
      operation: 'account.manage',
      summary: 'Sign out',
      answers: { 204: null },
      // The row of the session records the end.
      audited: false,
      // Ending an ended session is not an error.
      async handle({ principal, db }) {
        await end(db, personOf(principal))
        return answer(204)
      },
    }),
    route({
      method: 'GET',
      path: '/sessions',
      name: 'listSessions',
      operation: 'account.manage',
      summary: 'List my sessions',
      answers: { 200: SessionsAnswer },
      async handle({ principal, db }) {
        const { userId, sessionId } = personOf(principal)
        const now = clock.now()
        const live = (await listSessionsOfUser(db.sql, userId)).filter(session => expiresAt(session) > now)
        return answer(200, { list: live.map(session => sessionToJson(session, sessionId)) })
      },
    }),
    route({
      method: 'DELETE',
      path: '/sessions/:sessionId',
      name: 'endSession',
      operation: 'account.manage',
      summary: 'End one of my sessions',
      params: SessionPath,
      answers: { 204: null },
      rejections: ['SESSION_NOT_FOUND'],
      // The row of the session records the end.
      audited: false,
      handle: ({ params, principal, db }) => end(db, { ...personOf(principal), sessionId: params.sessionId }),
    }),
  ]

  async function current(db: Db, { userId, sessionId }: SignedIn) {
    const session = (await listSessionsOfUser(db.sql, userId)).find(one => one.sessionId === sessionId)
    // Ended since the caller was authenticated.
    if (session === undefined) return reject('INVALID_ACCESS_TOKEN', 'The session has ended. Sign in again.')
    return answer(200, currentToJson(session, await listMembershipsOfUser(db.sql, userId)))
  }

  async function end(db: Db, { userId, sessionId }: SignedIn) {
    return (await endSession(db.sql, { userId, sessionId }, clock.now())) ? answer(204) : unknownSession()
  }
}

/** The same answer for another person's session. */
function unknownSession(): Rejection {
  return reject('SESSION_NOT_FOUND', 'You have no session with this id.')
}
