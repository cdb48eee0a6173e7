import type { Organization } from '../../core/organization.ts'
import { type Listed, listed, type Slice } from '../../core/page.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { parseSearch } from '../../core/search.ts'
import type { Ports } from '../../ports.ts'
import { listOrganizations } from './store.ts'

export interface OrganizationsQuery {
  /** For a developer: only the developer's own organization. */
  readonly organizationId?: string
  /** An id, or words that begin words of the name or the e-mail. */
  readonly q?: string
}

/** Lists organizations, newest first. */
export async function pageOfOrganizations(
  { db }: Pick<Ports, 'db'>,
  { q, organizationId }: OrganizationsQuery,
  slice: Slice,
): Promise<Listed<Organization> | Rejection> {
  const search = q === undefined ? undefined : parseSearch(q)
  if (isRejection(search)) return search
  const filter = { ...(search && { search }), ...(organizationId && { organizationId }) }
  const rows = await listOrganizations(db.sql, filter, { ...slice, limit: slice.limit + 1 })
  return listed(rows, slice.limit, ({ organizationId }) => organizationId)
}
