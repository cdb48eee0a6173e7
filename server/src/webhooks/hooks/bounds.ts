import { given } from '../../core/given.ts'
import type { Principal } from '../../core/principal.ts'
import type { HookBounds } from './store.ts'

/**
 * Which hooks a caller can see at all. Another app's hook is the same as none, and a token for one business never
 * touches app-wide hooks (decisions 3 and 7).
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
