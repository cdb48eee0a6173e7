import type { Static } from 'typebox'
import type { Workspace, WorkspaceKind } from '../../core/membership.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { WorkspaceQuery } from './schema.ts'

/** A workspace on the wire: its kind and the id of that kind. */
type NamedWorkspace = Static<typeof WorkspaceQuery>

export function workspaceOf({ kind, organizationId, businessId }: NamedWorkspace): Workspace | Rejection {
  if (kind !== 'DEVELOPER' && organizationId !== undefined)
    return rejectField('organizationId', `cannot be sent with kind ${kind}`)
  if (kind !== 'MERCHANT' && businessId !== undefined)
    return rejectField('businessId', `cannot be sent with kind ${kind}`)
  switch (kind) {
    case 'OPERATOR':
      return { kind }
    case 'DEVELOPER':
      return organizationId === undefined
        ? missing('organizationId', kind)
        : { kind, organizationId: organizationId.toLowerCase() }
    case 'MERCHANT':
      return businessId === undefined ? missing('businessId', kind) : { kind, businessId: businessId.toLowerCase() }
  }
}

/**
 * The subject of a request about people, for `authorize`: all ids the request names, even if they contradict each other. `workspaceOf` reports
 * a contradiction, after authorization.
 */
export function subjectOfNamed({ organizationId, businessId }: NamedWorkspace): Subject {
  return {
    ...(organizationId !== undefined && { organizationId: organizationId.toLowerCase() }),
    ...(businessId !== undefined && { businessId: businessId.toLowerCase() }),
  }
}

/** The subject of a workspace, for `authorize`. The operator's workspace has none. */
export function subjectOf(workspace: Workspace): Subject {
  switch (workspace.kind) {
    case 'OPERATOR':
      return {}
    case 'DEVELOPER':
      return { organizationId: workspace.organizationId }
    case 'MERCHANT':
      return { businessId: workspace.businessId }
  }
}

function missing(path: string, kind: WorkspaceKind): Rejection {
  return rejectField(path, `is required with kind ${kind}`)
}
