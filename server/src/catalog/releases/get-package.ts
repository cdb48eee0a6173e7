import { type Rejection, reject } from '../../core/rejection.ts'
import type { Package } from '../../core/release.ts'
import type { Ports } from '../../ports.ts'
import { readPackage } from './package-store.ts'
import { findRelease } from './store.ts'

export interface StoredPackage extends Package {
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
