import type { App, AppStatus } from '../../core/app.ts'
import { type Listed, listed, type Slice } from '../../core/page.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { parseSearch } from '../../core/search.ts'
import type { Ports } from '../../ports.ts'
import { listApps } from './store.ts'

export interface AppsQuery {
  readonly organizationId?: string
  readonly status?: AppStatus
  /** An id, or words that begin words of the name or the package name. */
  readonly q?: string
}

/** Lists apps, newest first. */
export async function pageOfApps(
  { db }: Pick<Ports, 'db'>,
  { q, ...exact }: AppsQuery,
  slice: Slice,
): Promise<Listed<App> | Rejection> {
  const search = q === undefined ? undefined : parseSearch(q)
  if (isRejection(search)) return search
  const rows = await listApps(db.sql, { ...exact, ...(search && { search }) }, { ...slice, limit: slice.limit + 1 })
  return listed(rows, slice.limit, ({ appId }) => appId)
}
