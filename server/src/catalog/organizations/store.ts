import type { Organization } from '../../core/organization.ts'
import type { Slice } from '../../core/page.ts'
import type { Search } from '../../core/search.ts'
import type { Sql } from '../../platform/db/db.ts'
import { matching } from '../../platform/db/search.ts'

export async function findOrganization(sql: Sql, organizationId: string): Promise<Organization | null> {
  const [row] = await sql<Organization[]>`
    select organization_id as "organizationId", name, email, created_at as "createdAt", updated_at as "updatedAt"
    from organizations where organization_id = ${organizationId}`
  return row ?? null
}

/** Unknown ids are missing from the result. */
export async function findOrganizations(sql: Sql, organizationIds: readonly string[]): Promise<Organization[]> {
  if (organizationIds.length === 0) return []
  return [
    ...(await sql<Organization[]>`
      select organization_id as "organizationId", name, email, created_at as "createdAt", updated_at as "updatedAt"
      from organizations where organization_id = any(${organizationIds as string[]}::uuid[])`),
  ]
}

/** Newest first. */
export async function listOrganizations(
  sql: Sql,
  { organizationId, search }: { readonly organizationId?: string; readonly search?: Search },
  { limit, after }: Slice,
): Promise<Organization[]> {
  const words = sql`search_words(name || ' ' || email)`
  return [
    ...(await sql<Organization[]>`
      select organization_id as "organizationId", name, email, created_at as "createdAt", updated_at as "updatedAt"
      from organizations
      where true
        ${search ? sql`and ${matching(sql, search, { id: 'organization_id', words })}` : sql``}
        ${organizationId ? sql`and organization_id = ${organizationId}` : sql``}
        ${after ? sql`and organization_id < ${after}` : sql``}
      order by organization_id desc limit ${limit}`),
  ]
}

/** Locks the organization until the transaction ends. Returns false if it does not exist. */
export async function lockOrganization(sql: Sql, organizationId: string): Promise<boolean> {
  const held = await sql`select 1 from organizations where organization_id = ${organizationId} for no key update`
  return held.length === 1
}

export async function insertOrganization(sql: Sql, organization: Organization): Promise<void> {
  await sql`
    insert into organizations (organization_id, name, email, created_at, updated_at)
    values (${organization.organizationId}, ${organization.name}, ${organization.email}, ${organization.createdAt},
      ${organization.updatedAt})
    on conflict (organization_id) do nothing`
}
