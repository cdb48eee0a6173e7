import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findPlansOfReleases } from '../plans/store.ts'
import { findMessages } from './message-store.ts'
import type { ReleaseWithPlans } from './record.ts'
import { findRelease } from './store.ts'

/** A release of an app with its plans in the order of the upload, approved or not, and its messages. */
export async function getRelease(
  { db }: Pick<Ports, 'db'>,
  of: { readonly appId: string; readonly releaseId: string },
): Promise<ReleaseWithPlans | Rejection> {
  const release = await findRelease(db.sql, of)
  if (release === null) return reject('RELEASE_NOT_FOUND', 'This app has no release with this id.')
  const messages = await findMessages(db.sql, of.releaseId)
  return { release, messages, plans: await findPlansOfReleases(db.sql, [of.releaseId]) }
}
