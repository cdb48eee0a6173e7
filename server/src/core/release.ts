import { type Rejection, reject } from './rejection.ts'

export const RELEASE_STATUSES = ['SUBMITTED', 'APPROVED', 'REJECTED'] as const
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number]

/** The uploaded package, stored and returned byte for byte. */
export interface Package {
  /** Bytes. */
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** As the developer said. */
  readonly contentType: string
}

/** An uploaded version of an app with its plans. Decisions 4. */
export interface Release {
  readonly releaseId: string
  readonly appId: string
  readonly version: string
  readonly status: ReleaseStatus
  /** Why it was rejected. */
  readonly reason?: string
  /** Absent: submitted without a package. */
  readonly package?: Package
  readonly createdAt: Date
  readonly decidedAt?: Date
}

/** What the review says. */
export type Decision = { readonly status: 'APPROVED' } | { readonly status: 'REJECTED'; readonly reason: string }

/** A release is decided once. Decisions 4: "SUBMITTED → APPROVED | REJECTED (reason)". */
export function decideRelease(release: Release, decision: Decision, now: Date): Release | Rejection {
  if (release.status !== 'SUBMITTED') {
    return reject('RELEASE_ALREADY_DECIDED', `This release is already ${release.status}. Submit a new one instead.`)
  }
  return { ...release, ...decision, decidedAt: now }
}
