import { type Rejection, reject } from '../../core/rejection.ts'

export const ENDING_STATES = ['RUNNING', 'DONE', 'STOPPED'] as const

/** A job: the end of all live subscriptions of a disabled app, and how far it has come. */
export interface Ending {
  readonly endingId: string
  readonly appId: string
  /** Refunds the unused share of each paid period. */
  readonly refundUnused: boolean
  readonly state: (typeof ENDING_STATES)[number]
  /** Live subscriptions when the job began. */
  readonly total: number
  readonly ended: number
  /** Refunds that were ordered. */
  readonly refunds: number
  /** Subscriptions that could not be ended and are quarantined. */
  readonly failed: number
  /** The subscriptions up to this id are done. */
  readonly reachedId?: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Whole percent. Subscriptions that ended for other reasons during the job are counted at the end. */
export function percentOf({ state, total, ended, failed }: Ending): number {
  if (state === 'DONE' || total === 0) return 100
  return Math.min(99, Math.floor(((ended + failed) * 100) / total))
}

export function endingNotFound(): Rejection {
  return reject('RESOURCE_NOT_FOUND', 'The app has no ending with this id.')
}
