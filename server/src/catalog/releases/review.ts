import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Release } from '../../core/release.ts'
import { compareReleases, type ReleaseDiff } from '../../core/release-diff.ts'
import type { Ports } from '../../ports.ts'
import { findPlansOfReleases } from '../plans/store.ts'
import { getRelease } from './get.ts'
import type { ReleaseWithPlans } from './record.ts'
import { findLastApproved } from './store.ts'

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
