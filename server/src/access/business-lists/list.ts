import type { BusinessRecord } from '../../core/business-record.ts'
import { type Listed, listed, type Slice } from '../../core/page.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { parseSearch, type Search } from '../../core/search.ts'
import { findBusinesses } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { matching } from '../../platform/db/search.ts'
import type { Ports } from '../../ports.ts'

export interface BusinessesQuery {
  /** The businesses that this organization's apps may read. Absent: all. */
  readonly organizationId?: string
  readonly type?: BusinessRecord['type']
  /** An id, or words that begin words of a name or the e-mail. */
  readonly q?: string
}

interface Filter extends Omit<BusinessesQuery, 'q'> {
  readonly search?: Search
}

/** Lists businesses, newest first. */
export async function pageOfBusinesses(
  { db }: Pick<Ports, 'db'>,
  { q, ...exact }: BusinessesQuery,
  slice: Slice,
): Promise<Listed<BusinessRecord> | Rejection> {
  const search = q === undefined ? undefined : parseSearch(q)
  if (isRejection(search)) return search
  const ids = await listIds(db.sql, { ...exact, ...(search && { search }) }, { ...slice, limit: slice.limit + 1 })
  const { items, ...more } = listed(ids, slice.limit, id => id)
  return { items: await findBusinesses(db.sql, items), ...more }
}

async function listIds(sql: Sql, filter: Filter, slice: Slice): Promise<string[]> {
  const { organizationId, type, search } = filter
  const isByIndex = organizationId !== undefined && type === undefined && search === undefined
  const rows = await (isByIndex ? idsOfOrganization(sql, organizationId, slice) : idsByFilter(sql, filter, slice))
  return rows.map(({ businessId }) => businessId)
}

/** Each source gives one page. A business in several sources appears once. */
function idsOfOrganization(sql: Sql, organizationId: string, { limit, after }: Slice) {
  const behind = after ? sql`and business_id < ${after}` : sql``
  const approved = sql`
    select r.business_id from apps as a cross join lateral (
      select business_id from approvals where app_id = a.app_id and revoked_at is null ${behind}
      order by business_id desc limit ${limit}) as r
    where a.organization_id = ${organizationId}`
  const subscribed = sql`
    select distinct business_id from subscriptions where organization_id = ${organizationId} ${behind}
    order by business_id desc limit ${limit}`
  const owned = sql`
    select business_id from businesses where organization_id = ${organizationId} ${behind}
    order by business_id desc limit ${limit}`
  return sql<{ businessId: string }[]>`
    select business_id as "businessId" from ((${approved}) union (${subscribed}) union (${owned})) as related
    order by business_id desc limit ${limit}`
}

function idsByFilter(sql: Sql, { organizationId, type, search }: Filter, { limit, after }: Slice) {
  const words = sql`search_words(legal_name || ' ' || doing_business_as || ' ' || email_address)`
  return sql<{ businessId: string }[]>`
    select business_id as "businessId" from businesses as b
    where true
      ${search ? sql`and ${matching(sql, search, { id: 'business_id', words })}` : sql``}
      ${organizationId ? relatedTo(sql, organizationId) : sql``}
      ${type ? sql`and type = ${type}` : sql``}
      ${after ? sql`and business_id < ${after}` : sql``}
    order by business_id desc limit ${limit}`
}

const relatedTo = (sql: Sql, organizationId: string) => sql`
  and (organization_id = ${organizationId}
    or exists (select 1 from subscriptions as s
      where s.business_id = b.business_id and s.organization_id = ${organizationId})
    or exists (select 1 from approvals as r join apps as a on a.app_id = r.app_id
      where r.business_id = b.business_id and r.revoked_at is null and a.organization_id = ${organizationId}))`
