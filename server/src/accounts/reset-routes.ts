import { isRefusal } from '../core/refusal.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import type { Ports } from '../ports.ts'
import { requestReset } from './request-reset.ts'
import { completeReset } from './reset-password.ts'
import { ResetCompletion, ResetRequest } from './schema.ts'

type RoutePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>

export function passwordResetRoutes(ports: RoutePorts): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/password-resets',
      name: 'requestPasswordReset',
      operation: 'public',
      summary: 'Send a link for a new password to a mailbox, if somebody has it for an address',
      body: ResetRequest,
      answers: { 202: null },
      idempotent: false,
      // Nobody is known to ask. The link's row says when.
      audited: false,
      async handle({ body, address, db }) {
        const asked = await requestReset({ ...ports, db }, { ...body, address })
        return isRefusal(asked) ? asked : answer(202)
      },
    }),
    route({
      method: 'POST',
      path: '/password-resets/complete',
      name: 'completePasswordReset',
      operation: 'public',
      summary: 'Set a new password by such a link: every session ends',
      body: ResetCompletion,
      answers: { 204: null },
      refusals: ['PASSWORD_RESET_NOT_FOUND'],
      idempotent: false,
      async handle({ body, address, db }) {
        const changed = await completeReset({ ...ports, db }, { ...body, address })
        return isRefusal(changed) ? changed : answer(204)
      },
    }),
  ]
}
