import { isRejection } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { getHook, subjectOfHook } from '../hooks/get.ts'
import { findHookHealth } from '../hooks/health.ts'
import { HookChanges, HookParams, hookToJson } from '../hooks/schema.ts'
import { changeHook } from './change-hook.ts'
import { ChangedHookJson } from './schema.ts'

/** Changes a hook. In this folder, because the change may start a redelivery. */
export function hookChangeRoute(ports: Ports): AnyRoute {
  return route({
    method: 'PATCH',
    path: '/hooks/:hookId',
    name: 'updateHook',
    operation: 'hooks.manage',
    summary: 'Update a hook. Absent fields stay unchanged',
    params: HookParams,
    body: HookChanges,
    answers: { 200: ChangedHookJson },
    rejections: ['HOOK_NOT_FOUND', 'HOOK_EXISTS'],
    subject: ({ params, principal, db }) => subjectOfHook(db.sql, params.hookId, principal),
    handle: async ({ params, body, principal, db }) => {
      const hook = await getHook(db.sql, params.hookId, principal)
      const changed = isRejection(hook) ? hook : await changeHook({ ...ports, db }, hook, body)
      if (isRejection(changed)) return changed
      const { hook: after, ...resent } = changed
      const health = await findHookHealth(db.sql, [after.hookId])
      const shown = hookToJson(after, { of: health.get(after.hookId), now: ports.clock.now() })
      return answer(200, { ...shown, ...resent })
    },
  })
}
