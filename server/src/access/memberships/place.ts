import type { Place, PlaceKind } from '../../core/membership.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'

/** A workspace on the wire: its kind and the id of that kind. */
export interface NamedPlace {
  readonly kind: PlaceKind
  readonly organizationId?: string
  readonly businessId?: string
}

export function placeOf({ kind, organizationId, businessId }: NamedPlace): Place | Rejection {
  if (kind !== 'DEVELOPER' && organizationId !== undefined) return rejectField('organizationId', `not with ${kind}`)
  if (kind !== 'MERCHANT' && businessId !== undefined) return rejectField('businessId', `not with ${kind}`)
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
 * The subject of a request about people, for `authorize`: all ids the request names, even if they contradict each other. `placeOf` reports
 * a contradiction, after authorization.
 */
export function subjectOfNamed({ organizationId, businessId }: NamedPlace): Subject {
  return {
    ...(organizationId !== undefined && { organizationId: organizationId.toLowerCase() }),
    ...(businessId !== undefined && { businessId: businessId.toLowerCase() }),
  }
}

/** The subject of a workspace, for `authorize`. The operator's workspace has none. */
export function subjectOf(place: Place): Subject {
  switch (place.kind) {
    case 'OPERATOR':
      return {}
    case 'DEVELOPER':
      return { organizationId: place.organizationId }
    case 'MERCHANT':
      return { businessId: place.businessId }
  }
}

function missing(path: string, kind: PlaceKind): Rejection {
  return rejectField(path, `required with ${kind}`)
}
