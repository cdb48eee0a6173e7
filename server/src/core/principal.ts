import type { BusinessUserRole } from './business-user.ts'

/** Who calls. One of these stands behind every request; nothing else is ever asked about the caller. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | AppPrincipal
  | { readonly kind: 'operator'; readonly name: string }
  | { readonly kind: 'merchant'; readonly userId: string; readonly businessId: string }
  | {
      readonly kind: 'terminal'
      readonly businessId: string
      readonly storeId: string
      readonly deviceId: string
      /** Absent: nobody is signed in on it. */
      readonly user?: TerminalUser
    }
  | { readonly kind: 'developer'; readonly userId: string; readonly organizationId: string }

/** A business user, signed in on a terminal. */
export interface TerminalUser {
  readonly businessUserId: string
  readonly role: BusinessUserRole
  readonly sessionId: string
}

/** An app with its access token. With `businessId` it sees and touches only that business (decisions 3). */
export interface AppPrincipal {
  readonly kind: 'app'
  readonly appId: string
  readonly organizationId: string
  readonly grantId: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  /** The business user on whose terminal, and at whose wish, it has the token. */
  readonly userId?: string
}

/** One word for a caller, as idempotency keys and the audit trail name it: the same caller, the same word. */
export function principalName(principal: Principal): string {
  switch (principal.kind) {
    case 'anonymous':
      return 'anonymous'
    case 'app':
      return [
        `app:${principal.appId}:${principal.businessId ?? ''}`,
        ...(principal.userId ? [principal.userId] : []),
      ].join(':')
    case 'operator':
      return `operator:${principal.name}`
    case 'merchant':
      return `merchant:${principal.userId}:${principal.businessId}`
    case 'terminal':
      return `terminal:${principal.deviceId}:${principal.user?.businessUserId ?? ''}`
    case 'developer':
      return `developer:${principal.userId}`
  }
}
