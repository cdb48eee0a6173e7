import { type Rejection, reject, rejectField } from './rejection.ts'

export const RELEASE_STATUSES = ['SUBMITTED', 'APPROVED', 'REJECTED', 'WITHDRAWN'] as const
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number]

/** The uploaded package, stored and returned byte for byte. */
export interface Package {
  /** Bytes. */
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** As the developer said. */
  readonly contentType: string
  /** Absent: the package is not for Android. */
  readonly apk?: ApkFacts
}

export const PACKAGE_KINDS = ['APK', 'OTHER'] as const
export type PackageKind = (typeof PACKAGE_KINDS)[number]

/** The facts in an APK's manifest. */
export interface ApkFacts {
  readonly packageName: string
  readonly versionCode: number
  /** SHA-256 of the signer's certificate, in hexadecimal digits. */
  readonly signerSha256: string
  /** Sorted. */
  readonly permissions: readonly string[]
  readonly versionName?: string
  readonly label?: string
  /** A data URL. */
  readonly icon?: string
}

/** An uploaded version of an app with its plans. Decisions 4. */
export interface Release {
  readonly releaseId: string
  readonly appId: string
  readonly version: string
  readonly status: ReleaseStatus
  /** The developer's message to the reviewer. */
  readonly notes?: string
  /** Why it was rejected. */
  readonly reason?: string
  /** Absent: submitted without a package. */
  readonly package?: Package
  readonly createdAt: Date
  /** When it was approved, rejected or withdrawn. */
  readonly decidedAt?: Date
}

export const MAX_NOTES_LENGTH = 2_000
/** Maximum length of a question, an answer or a reason. */
export const MAX_MESSAGE_LENGTH = 2_000

export const MESSAGE_AUTHORS = ['OPERATOR', 'DEVELOPER'] as const

/** A question of the operator about a release in review, or the developer's answer. */
export interface ReleaseMessage {
  readonly messageId: string
  readonly author: (typeof MESSAGE_AUTHORS)[number]
  readonly text: string
  readonly createdAt: Date
}

/** A conversation that is longer belongs on the telephone. */
const MAX_MESSAGES = 100

/** A release takes messages while it is in review. */
export function checkMessage({ status }: Pick<Release, 'status'>, before: number): Rejection | null {
  if (status !== 'SUBMITTED') {
    return reject('RELEASE_ALREADY_DECIDED', `This release is already ${status}, and no longer accepts messages.`)
  }
  if (before >= MAX_MESSAGES) {
    return reject('QUOTA_EXCEEDED', `A release has at most ${MAX_MESSAGES} messages. Decide or withdraw the release.`)
  }
  return null
}

/** An APK of an earlier release that was not rejected. */
export type EarlierApk = Pick<ApkFacts, 'versionCode' | 'signerSha256'>

/**
 * Rejects an APK that a terminal would not install over the app's last one. Decisions 4: "an APK's package name must be the app's, its
 * versionCode higher than the last, its signer the same".
 */
export function checkUpgrade(apk: ApkFacts, packageName: string, last: EarlierApk | null): Rejection | null {
  if (apk.packageName !== packageName) {
    return rejectField(
      'package',
      `has the package name ${apk.packageName}, but the package name of the app is ${packageName}`,
    )
  }
  if (last === null) return null
  if (apk.versionCode <= last.versionCode) {
    const advice = `Raise versionCode (${apk.versionCode}) above ${last.versionCode}.`
    return reject('VERSION_CODE_TOO_LOW', advice)
  }
  if (apk.signerSha256 !== last.signerSha256) {
    const advice = `Sign with the key whose certificate has SHA-256 ${last.signerSha256}.`
    return reject('SIGNER_CHANGED', `The APK is signed by ${apk.signerSha256}. ${advice}`)
  }
  return null
}

/** The reviewer's decision, or the developer's withdrawal. */
export type Decision =
  | { readonly status: 'APPROVED' }
  | { readonly status: 'REJECTED'; readonly reason: string }
  | { readonly status: 'WITHDRAWN' }

/** A release is decided or withdrawn once. Decisions 4: "SUBMITTED → APPROVED | REJECTED (reason)". */
export function decideRelease(release: Release, decision: Decision, now: Date): Release | Rejection {
  if (release.status !== 'SUBMITTED') {
    return reject('RELEASE_ALREADY_DECIDED', `This release is already ${release.status}. Submit a new one instead.`)
  }
  return { ...release, ...decision, decidedAt: now }
}
