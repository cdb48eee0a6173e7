import { isRejection } from '../../core/rejection.ts'
import type { Ready } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { noteAsking, takeAsking, uncountAsking } from './request-reset.ts'
import { proveReset } from './reset-password.ts'
import { ResetCompletion, ResetRequest } from './schema.ts'

type RoutePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>

export function passwordResetRoutes(ports: RoutePorts): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/password-resets',
      name: 'requestPasswordReset',
      operation: 'public',
      summary: 'Send a password reset link to an address, if the address has an account',
      body: ResetRequest,
      answers: { 202: null },
      // The caller is anonymous. The row of the link records the time.
      audited: false,
      prepare: ({ body, address }) => takeAsking(ports, { ...body, address }),
      unprepare: ({ body, address }) => uncountAsking(ports, { ...body, address }),
      async handle({ body: { email }, db }) {
        await noteAsking({ ...ports, db }, email)
        return answer(202)
      },
    }),
    route({
      method: 'POST',
      path: '/password-resets/complete',
      name: 'completePasswordReset',
      operation: 'public',
      summary: 'Set a new password with a reset link and end every session',
      body: ResetCompletion,
      answers: { 204: null },
      rejections: ['PASSWORD_RESET_NOT_FOUND'],
      prepare: ({ body, address }) => proveReset(ports, { ...body, address }),
      async handle({ prepared, db }) {
        const changed = await (prepared as Ready<'changed'>)(db)
        return isRejection(changed) ? changed : answer(204)
      },
    }),
  ]
}
