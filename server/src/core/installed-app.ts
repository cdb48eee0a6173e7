import { type Rejection, reject } from './rejection.ts'
import type { ApkFacts } from './release.ts'

/** An app on a terminal, as the terminal's package manager reported it. */
export interface InstalledApp {
  readonly deviceId: string
  readonly appId: string
  readonly version: string
  /** SHA-256 of the signer's certificate, in hexadecimal digits. */
  readonly signerSha256: string
  /** Sorted. */
  readonly permissions: readonly string[]
  readonly installedAt: Date
  readonly updatedAt: Date
}

/** An APK that the review approved. */
export type ApprovedApk = Pick<ApkFacts, 'versionCode' | 'signerSha256' | 'permissions'>

/**
 * Rejects an installed package that no review saw: another signer, or permissions beyond those of every approved APK of that signer. Without
 * an approved APK, every package passes. Source: decisions 9.
 */
export function checkInstall(
  { signerSha256, permissions }: Pick<InstalledApp, 'signerSha256' | 'permissions'>,
  approved: readonly ApprovedApk[],
): Rejection | null {
  if (approved.length === 0) return null
  const ofSigner = approved.filter(apk => apk.signerSha256 === signerSha256)
  if (ofSigner.length === 0) {
    return reject('RELEASE_NOT_APPROVED', `signerSha256: no approved release of the app is signed by ${signerSha256}.`)
  }
  if (ofSigner.some(apk => permissions.every(permission => apk.permissions.includes(permission)))) return null
  const reviewed = new Set(ofSigner.flatMap(apk => apk.permissions))
  const unseen = permissions.filter(permission => !reviewed.has(permission))
  const which = unseen.length > 0 ? unseen.join(', ') : `all of ${permissions.join(', ')}`
  return reject('RELEASE_NOT_APPROVED', `permissions: no approved release of the app declares ${which}.`)
}

/** The declared permissions that the merchant has not approved yet. */
export function permissionsToApprove(declared: readonly string[], approved: readonly string[]): string[] {
  return declared.filter(permission => !approved.includes(permission))
}
