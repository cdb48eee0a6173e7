import { addDays } from '../../core/calendar.ts'
import type { DeliveryStatus } from '../../core/delivery.ts'
import { given } from '../../core/given.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Location } from '../../core/subscription.ts'

/** Interface, Limits: "Notification history: 30 days". */
export const HISTORY_DAYS = 30

/** The notifications of an app, or those about a merchant. */
export type HistoryOf = { readonly appId: string } | { readonly businessId: string }

/**
 * Decisions 3, deliveries: an app sees "own notifications only"; with service.biz those of the merchant, and with a store or device those
 * of the location.
 */
export function scopeOf(of: HistoryOf, principal: Principal, now: Date): HistoryScope {
  const since = addDays(now, -HISTORY_DAYS)
  if (principal.kind === 'developer') return { ...of, organizationId: principal.organizationId, since }
  if (principal.kind !== 'app') return { ...of, since }
  const { appId, businessId } = principal
  const location = locationOfCaller(principal)
  const hasLocation = location.storeId !== undefined || location.deviceId !== undefined
  // The merchant of the token, else that of the path.
  return { ...of, ...given({ appId, since, businessId, seenFrom: hasLocation ? location : undefined }) }
}

/** For an app, the merchant must have to do with it. */
export function subjectOfBusiness(principal: Principal, businessId: string): Subject {
  return principal.kind === 'app' ? { appId: principal.appId, businessId } : { businessId }
}

export function deliveryNotFound(): Rejection {
  return reject('DELIVERY_NOT_FOUND', 'There is no delivery with this id in the last 30 days.')
}

/** The notifications of a caller. An absent field does not filter. */
export interface HistoryScope {
  readonly appId?: string
  readonly businessId?: string
  /** Only notifications of this organization's apps. */
  readonly organizationId?: string
  /** Only notifications that concern this location. */
  readonly seenFrom?: Location
  /** No older ones. */
  readonly since: Date
}

export interface HistoryFilter extends HistoryScope {
  /** Recorded at or after. */
  readonly startAt?: Date
  /** Recorded before. */
  readonly endAt?: Date
  readonly hookId?: string
  readonly eventType?: string
  readonly resourceId?: string
  readonly status?: DeliveryStatus
  /**
   * Of ERRORED deliveries, only those that have ended since this instant or were recorded in the 72 h before it, because attempts continue for 72
   * h.
   */
  readonly undeliveredSince?: Date
}
