import { given } from '../../core/given.ts'
import type { Hook } from '../../core/hook.ts'
import type { Principal } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Sql } from '../../platform/db/db.ts'
import { findHook, type HookBounds } from './store.ts'

/** A hook that the caller can see. A hook of another owner is HOOK_NOT_FOUND, like an unknown hook. */
export async function getHook(sql: Sql, hookId: string, principal: Principal): Promise<Hook | Rejection> {
  return (await findHook(sql, hookId, boundsOf(principal))) ?? hookNotFound()
}

/** The subject of a request about a hook: its app. The hook's merchant may have left the app. */
export async function subjectOfHook(sql: Sql, hookId: string, principal: Principal): Promise<Subject | Rejection> {
  const hook = await getHook(sql, hookId, principal)
  return 'rejected' in hook ? hook : { appId: hook.appId }
}

export function hookNotFound(): Rejection {
  return reject('HOOK_NOT_FOUND', 'There is no hook with this id.')
}

/**
 * The bounds of the hooks that a caller can see. A hook of another app is not found, and a token for one business never touches app-wide hooks
 * (decisions 3 and 7).
 */
export function boundsOf(principal: Principal): HookBounds {
  switch (principal.kind) {
    case 'app':
      return given({ appId: principal.appId, businessId: principal.businessId })
    case 'developer':
      return { organizationId: principal.organizationId }
    default:
      return {}
  }
}
