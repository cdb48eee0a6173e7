import type { DeliveryStatus } from '../../core/delivery.ts'
import type { Location } from '../../core/subscription.ts'

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
