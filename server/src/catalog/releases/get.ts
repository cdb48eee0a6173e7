import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Package, Release } from '../../core/release.ts'
import { compareReleases, type ReleaseDiff } from '../../core/release-diff.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findPlansOfReleases } from '../plans/store.ts'
import { findMessages } from './message-store.ts'
import { readPackage } from './package-store.ts'
import type { ReleaseWithPlans } from './record.ts'
import { findLastApproved, findRelease } from './store.ts'

/** A release of an app with its plans in the order of the upload, approved or not, and its messages. */
export async function getRelease(
  { db }: Pick<Ports, 'db'>,
  of: { readonly appId: string; readonly releaseId: string },
): Promise<ReleaseWithPlans | Rejection> {
  const release = await findRelease(db.sql, of)
  if (release === null) return reject('RELEASE_NOT_FOUND', 'This app has no release with this id.')
  return withPlans(db.sql, release)
}

/** A release with its plans and messages. */
export async function withPlans(sql: Sql, release: Release): Promise<ReleaseWithPlans> {
  const { releaseId } = release
  const messages = await findMessages(sql, releaseId)
  return { release, messages, plans: await findPlansOfReleases(sql, [releaseId]) }
}

interface StoredPackage extends Package {
  readonly chunks: AsyncIterable<Buffer>
}

/** The package of a release, byte for byte. Rejects a release without a package. */
export async function getPackage(
  { db }: Pick<Ports, 'db'>,
  of: { readonly appId: string; readonly releaseId: string },
): Promise<StoredPackage | Rejection> {
  const release = await findRelease(db.sql, of)
  if (release === null) return reject('RELEASE_NOT_FOUND', 'This app has no release with this id.')
  if (release.package === undefined)
    return reject('RESOURCE_NOT_FOUND', 'This release was submitted without a package.')
  if (release.status === 'REJECTED' || release.status === 'WITHDRAWN') {
    const words = `The release was ${release.status.toLowerCase()}, and its package deleted. Submit another release.`
    return reject('RESOURCE_NOT_FOUND', words)
  }
  return { ...release.package, chunks: readPackage(db.sql, of.releaseId) }
}

export interface Review extends ReleaseWithPlans {
  /** The last approved release of the app, if it is another one. */
  readonly earlier?: Release
  readonly diff: ReleaseDiff
}

/** A release beside the last approved release of its app. Rejects with RELEASE_NOT_FOUND. */
export async function getReview(
  { db }: Pick<Ports, 'db'>,
  of: { readonly appId: string; readonly releaseId: string },
): Promise<Review | Rejection> {
  const found = await getRelease({ db }, of)
  if (isRejection(found)) return found
  const last = await findLastApproved(db.sql, of.appId)
  const earlier = last === null || last.releaseId === found.release.releaseId ? null : last
  const compared = earlier && { release: earlier, plans: await findPlansOfReleases(db.sql, [earlier.releaseId]) }
  return { ...found, ...(earlier && { earlier }), diff: compareReleases(found, compared) }
}
