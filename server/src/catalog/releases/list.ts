import { DEFAULT_COUNT, type Listed, listed, type PageRequest, type Slice } from '../../core/page.ts'
import type { Release } from '../../core/release.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { countReleases, countReleasesBefore, listReleases, listReleasesOfApps, type ReleasesFilter } from './store.ts'

/** The releases that wait for review. The first has waited longest. */
export const REVIEW_QUEUE: ReleasesFilter = { status: 'SUBMITTED', isOldestFirst: true }

export interface ReleasePage {
  readonly releases: readonly Release[]
  readonly start: number
  readonly total: number
}

/** The releases of an app, oldest first, without their plans: those are read release by release. */
export async function pageOfReleases(
  { db }: Pick<Ports, 'db'>,
  { appId, page }: { readonly appId: string; readonly page: PageRequest },
): Promise<ReleasePage> {
  const start = await offsetOf(db.sql, appId, page)
  const releases = await listReleases(db.sql, { appId, offset: start, limit: page.count ?? DEFAULT_COUNT })
  return { releases, start, total: await countReleases(db.sql, appId) }
}

/** Lists the releases of all apps, or of an organization's apps, without their plans. */
export async function pageOfAllReleases(
  { db }: Pick<Ports, 'db'>,
  filter: ReleasesFilter,
  slice: Slice,
): Promise<Listed<Release>> {
  const rows = await listReleasesOfApps(db.sql, filter, { ...slice, limit: slice.limit + 1 })
  return listed(rows, slice.limit, ({ releaseId }) => releaseId)
}

async function offsetOf(sql: Sql, appId: string, { start }: PageRequest): Promise<number> {
  if (start === undefined) return 0
  return 'offset' in start ? start.offset : countReleasesBefore(sql, { appId, createdFrom: start.createdFrom })
}
