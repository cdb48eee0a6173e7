import type { Workspace } from './membership.ts'
import type { DeveloperPrincipal, MerchantPrincipal, SignedIn } from './principal.ts'
import type { Operation } from './rights.ts'

/** A workspace that an operator can see as its viewer. */
export type ViewedWorkspace = Exclude<Workspace, { kind: 'OPERATOR' }>

/** Long enough for a support call. */
export const VIEWING_MS = 30 * 60_000

/** The caller of an operator's session during a viewing: a viewer of the workspace. */
export function viewerOf(workspace: ViewedWorkspace, person: SignedIn): DeveloperPrincipal | MerchantPrincipal {
  const { userId, sessionId, membershipId } = person
  const viewer = { userId, sessionId, membershipId, role: 'VIEWER' } as const
  return workspace.kind === 'DEVELOPER'
    ? { kind: 'developer', organizationId: workspace.organizationId, ...viewer }
    : { kind: 'merchant', businessId: workspace.businessId, ...viewer }
}

/**
 * Whether a page opens during a viewing: pages that read and do not manage the operator's own account. The role removes every page
 * whose operation changes something.
 */
export function opensDuringViewing({ method, operation }: { method: 'GET' | 'POST'; operation: Operation }): boolean {
  return method === 'GET' && operation !== 'account.manage'
}
