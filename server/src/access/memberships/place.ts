import type { Place, PlaceKind } from '../../core/membership.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'

/** A place as it is named on the wire: by its kind, and the id that the kind has. */
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
 * What a request about people is about, for `authorize`: all that it names, whether or not that goes together. What does not is
 * told only to those who have a right there (`placeOf`).
 */
export function subjectOfNamed({ organizationId, businessId }: NamedPlace): Subject {
  return {
    ...(organizationId !== undefined && { organizationId: organizationId.toLowerCase() }),
    ...(businessId !== undefined && { businessId: businessId.toLowerCase() }),
  }
}

/** What people of a place are about, for `authorize`. The operator's own are about nothing that anybody else has. */
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
