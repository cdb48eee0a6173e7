import { assert } from './assert.ts'
import type { Membership, WorkspaceKind } from './membership.ts'
import type { Principal } from './principal.ts'
import type { DeveloperRole, MerchantRole, OperatorRole } from './roles.ts'

const HOUR_MS = 3_600_000

interface Lifetime {
  readonly idleMs: number
  readonly longestMs: number
}

/** A working day for people of merchants and developers; less for people of the operator, who see all money. */
const LIFETIMES: Readonly<Record<WorkspaceKind, Lifetime>> = {
  OPERATOR: { idleMs: HOUR_MS, longestMs: 12 * HOUR_MS },
  DEVELOPER: { idleMs: 12 * HOUR_MS, longestMs: 14 * 24 * HOUR_MS },
  MERCHANT: { idleMs: 12 * HOUR_MS, longestMs: 14 * 24 * HOUR_MS },
}

/** Upper bound of all sessions: older ones can be purged. */
export const LONGEST_SESSION_MS = 14 * 24 * HOUR_MS

/** The last use is recorded at most this often, to save a write per request. */
export const USE_NOTED_EACH_MS = 60_000

/** Expiry of a session without further use. */
export function sessionExpiresAt(kind: WorkspaceKind, { createdAt, usedAt }: { createdAt: Date; usedAt: Date }): Date {
  const { idleMs, longestMs } = LIFETIMES[kind]
  return new Date(Math.min(usedAt.getTime() + idleMs, createdAt.getTime() + longestMs))
}

/** The caller of a session. An operator is MFA_REQUIRED until a second factor was checked in the session. */
export function principalOf(
  { userId, membershipId, workspace, role }: Membership,
  { sessionId, isMfaVerified }: { readonly sessionId: string; readonly isMfaVerified: boolean },
): Extract<Principal, { kind: 'operator' | 'developer' | 'merchant' }> {
  const person = { userId, sessionId, membershipId }
  switch (workspace.kind) {
    case 'OPERATOR':
      return {
        kind: 'operator',
        name: userId,
        role: isMfaVerified ? (role as OperatorRole) : 'MFA_REQUIRED',
        ...person,
      }
    case 'DEVELOPER':
      return { kind: 'developer', organizationId: workspace.organizationId, role: role as DeveloperRole, ...person }
    case 'MERCHANT':
      assert(role !== 'ADMIN' && role !== 'MEMBER', 'a role of a merchant')
      return { kind: 'merchant', businessId: workspace.businessId, role: role as MerchantRole, ...person }
  }
}
