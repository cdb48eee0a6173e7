import type { BusinessUserRole } from './business-user.ts'
import type { DeveloperRole, MerchantRole, OperatorRole } from './roles.ts'

/** The authenticated caller of a request. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | AppPrincipal
  | OperatorPrincipal
  | MerchantPrincipal
  | TerminalPrincipal
  | DeveloperPrincipal

/** A terminal of a store and its signed-in user. */
export interface TerminalPrincipal {
  readonly kind: 'terminal'
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
  /** Absent: nobody is signed in. */
  readonly user?: TerminalUser
}

/** A business user, signed in on a terminal. */
export interface TerminalUser {
  readonly businessUserId: string
  readonly role: BusinessUserRole
  readonly sessionId: string
}

/** An app with its access token. With `businessId` the token is bound to that business (decisions 3). */
export interface AppPrincipal {
  readonly kind: 'app'
  readonly appId: string
  readonly organizationId: string
  readonly grantId: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  /** Set on a token that a terminal issued to the app for its signed-in user. */
  readonly user?: { readonly businessUserId: string; readonly role: BusinessUserRole }
}

/** The holder of the operator key, or a person of the operator. */
export interface OperatorPrincipal extends Partial<SignedIn> {
  readonly kind: 'operator'
  /** Of a person: their id. */
  readonly name: string
  readonly role: OperatorRole
}

/** A person of a business: on the web with a session, or at a terminal. */
export interface MerchantPrincipal extends Partial<SignedIn> {
  readonly kind: 'merchant'
  readonly userId: string
  readonly businessId: string
  readonly role: MerchantRole
  /** Of the terminal. Absent on the web. */
  readonly storeId?: string
  readonly deviceId?: string
}

export interface DeveloperPrincipal extends Partial<SignedIn> {
  readonly kind: 'developer'
  readonly userId: string
  readonly organizationId: string
  readonly role: DeveloperRole
}

/** A person with an account, signed in on the web. */
export interface SignedIn {
  readonly userId: string
  readonly sessionId: string
  /** Membership of the session. */
  readonly membershipId: string
}

/** The person of a web session; null for all others. */
export function signedIn(principal: Principal): SignedIn | null {
  if (!('sessionId' in principal)) return null
  const { userId, sessionId, membershipId } = principal
  if (userId === undefined || sessionId === undefined || membershipId === undefined) return null
  return { userId, sessionId, membershipId }
}

/** The store and device that bind a caller; empty if unbound. */
export function locationOfCaller(principal: Principal): { readonly storeId?: string; readonly deviceId?: string } {
  if (!('storeId' in principal || 'deviceId' in principal)) return {}
  const { storeId, deviceId } = principal
  return { ...(storeId === undefined ? {} : { storeId }), ...(deviceId === undefined ? {} : { deviceId }) }
}

/** A stable name of the caller for idempotency keys and the audit trail. */
export function principalName(principal: Principal): string {
  switch (principal.kind) {
    case 'anonymous':
      return 'anonymous'
    case 'app':
      return [
        `app:${principal.appId}:${principal.businessId ?? ''}`,
        // A user on two terminals counts as two callers.
        ...(principal.user ? [principal.user.businessUserId, principal.deviceId ?? ''] : []),
      ].join(':')
    case 'operator':
      return `operator:${principal.name}`
    case 'merchant':
      return `merchant:${principal.userId}:${principal.businessId}`
    case 'terminal':
      return `terminal:${principal.deviceId}:${principal.user?.businessUserId ?? ''}`
    case 'developer':
      return `developer:${principal.userId}:${principal.organizationId}`
  }
}

/** The organization of a list or of a new resource: the given one, else a developer's own. */
export function organizationOf(principal: Principal, given: string | undefined): { readonly organizationId?: string } {
  if (given !== undefined) return { organizationId: given.toLowerCase() }
  return principal.kind === 'developer' ? { organizationId: principal.organizationId } : {}
}
