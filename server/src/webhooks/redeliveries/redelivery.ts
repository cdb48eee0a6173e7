import type { DeliveryStatus } from '../../core/delivery.ts'
import { instantOfId } from '../../core/id.ts'
import { type Rejection, reject } from '../../core/rejection.ts'

export const REDELIVERY_STATES = ['RUNNING', 'DONE', 'CANCELLED'] as const

/** A job: a range of an app's notifications, and how far sending it again has come. */
export interface Redelivery {
  readonly redeliveryId: string
  readonly appId: string
  /** Only about this merchant. */
  readonly businessId?: string
  /** Only for this hook. */
  readonly hookId?: string
  /** Recorded at or after. */
  readonly startAt: Date
  /** Recorded before. */
  readonly endAt: Date
  /** Only deliveries with this status when the job reaches them. */
  readonly status?: DeliveryStatus
  /** Only notifications that the hook missed since; the job began when the hook became active again. Absent for a requested range. */
  readonly undeliveredSince?: Date
  readonly state: (typeof REDELIVERY_STATES)[number]
  /** The last notification that the job examined. */
  readonly reachedId?: string
  readonly queued: number
  readonly skipped: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The progress in whole percent, by time: counting ten million notifications would take longer than starting the job. */
export function percentOf({ state, startAt, endAt, reachedId }: Redelivery): number {
  if (state === 'DONE') return 100
  if (reachedId === undefined) return 0
  // A range of one instant ends where it begins.
  const wholeMs = Math.max(1, endAt.getTime() - startAt.getTime())
  const share = (instantOfId(reachedId).getTime() - startAt.getTime()) / wholeMs
  return Math.floor(Math.min(0.99, Math.max(0, share)) * 100)
}

export function redeliveryNotFound(): Rejection {
  return reject('REDELIVERY_NOT_FOUND', 'There is no redelivery with this id.')
}

export function hookInactive(): Rejection {
  return reject('HOOK_INACTIVE', 'Nothing is sent to a hook that is not active: PATCH it with active: true first.')
}
