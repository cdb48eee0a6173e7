import { isRejection, reject } from '../../core/rejection.ts'
import { type AnyRoute, answer, NOT_KEPT, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { listMembershipsOfUser } from '../memberships/store.ts'
import { findSession } from '../sessions/find.ts'
import { currentToJson, OpenedAnswer } from '../sessions/schema.ts'
import { originOf } from '../sessions/sign-in.ts'
import { pollDeviceLogin, startDeviceLogin } from './login.ts'
import { DeviceLoginAnswer, DevicePoll, startedToJson } from './schema.ts'

export function deviceLoginRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/device-logins',
      name: 'startDeviceLogin',
      operation: 'public',
      summary: 'Start a login that a person approves in the browser (RFC 8628)',
      answers: { 201: DeviceLoginAnswer },
      sends: ['Pragma'],
      // The device code is not stored. A caller that lost the answer starts again.
      idempotent: false,
      // The caller is anonymous, and the row records the time.
      audited: false,
      async handle({ headers, address, db }) {
        const started = await startDeviceLogin({ ...ports, db }, originOf(address, headers))
        return answer(201, startedToJson(started, ports.settings.baseUrl), NOT_KEPT)
      },
    }),
    route({
      method: 'POST',
      path: '/device-logins/token',
      name: 'pollDeviceLogin',
      operation: 'public',
      summary: 'Poll for the session of an approved login (RFC 8628)',
      body: DevicePoll,
      answers: { 200: OpenedAnswer },
      sends: ['Pragma'],
      rejections: ['AUTHORIZATION_PENDING', 'SLOW_DOWN', 'EXPIRED_TOKEN', 'ACCESS_DENIED'],
      // Each poll has an outcome of its own, and the session token is not stored.
      idempotent: false,
      // The row of the session records the person and the time.
      audited: false,
      async handle({ body, db }) {
        const opened = await pollDeviceLogin({ ...ports, db }, body.deviceCode)
        if (isRejection(opened)) return opened
        const session = await findSession({ ...ports, db }, opened.token)
        // The membership was removed, or the person disabled, in the meantime.
        if (session === null) return reject('ACCESS_DENIED', 'The person is no longer a member of the workspace.')
        const memberships = await listMembershipsOfUser(db.sql, session.membership.userId)
        return answer(200, { token: opened.token, ...currentToJson(session, memberships) }, NOT_KEPT)
      },
    }),
  ]
}
