import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Package } from '../../core/release.ts'
import type { Ports } from '../../ports.ts'
import { readPackage } from './package-store.ts'
import { findRelease } from './store.ts'

export interface StoredPackage extends Package {
  readonly chunks: AsyncIterable<Buffer>
}

/** The package that a release came with, byte for byte. Refuses for a release that came without. */
export async function getPackage(
  { db }: Pick<Ports, 'db'>,
  of: { readonly appId: string; readonly releaseId: string },
): Promise<StoredPackage | Refusal> {
  const release = await findRelease(db.sql, of)
  if (release === null) return refuse('RELEASE_NOT_FOUND', 'This app has no release with this id.')
  if (release.package === undefined)
    return refuse('RESOURCE_NOT_FOUND', 'This release was submitted without a package.')
  return { ...release.package, chunks: readPackage(db.sql, of.releaseId) }
}
