import type { Organization } from '../../core/organization.ts'
import type { Slice } from '../../core/page.ts'
import type { Search } from '../../core/search.ts'
import type { Sql } from '../../platform/db/db.ts'
import { matching } from '../../platform/db/search.ts'

export async function findOrganization(sql: Sql, organizationId: string): Promise<Organization | null> {
  const [row] = await sql<Organization[]>`
    select ${columns(sql)} from organizations where organization_id = ${organizationId}`
  return row ?? null
}

/** Unknown ids are missing from the result. */
export async function findOrganizations(sql: Sql, organizationIds: readonly string[]): Promise<Organization[]> {
  if (organizationIds.length === 0) return []
  return await sql<Organization[]>`
    select ${columns(sql)} from organizations where organization_id = any(${organizationIds as string[]}::uuid[])`
}

/** Newest first. */
export async function listOrganizations(
  sql: Sql,
  { organizationId, search }: { readonly organizationId?: string; readonly search?: Search },
  { limit, after }: Slice,
): Promise<Organization[]> {
  const words = sql`search_words(name || ' ' || email)`
  return await sql<Organization[]>`
    select ${columns(sql)} from organizations
    where true
      ${search ? sql`and ${matching(sql, search, { id: 'organization_id', words })}` : sql``}
      ${organizationId ? sql`and organization_id = ${organizationId}` : sql``}
      ${after ? sql`and organization_id < ${after}` : sql``}
    order by organization_id desc limit ${limit}`
}

/** The name and e-mail of the organization at the issue of an invoice. Ids are in real time, also on test clocks. */
export async function findOrganizationAtIssue(
  sql: Sql,
  of: { readonly organizationId: string; readonly invoiceId: string },
): Promise<Pick<Organization, 'name' | 'email'> | null> {
  const [row] = await sql<Pick<Organization, 'name' | 'email'>[]>`
    select coalesce(f.name, o.name) as name, coalesce(f.email, o.email) as email
    from organizations as o
    left join lateral (
      select name, email from former_organization_names
      where organization_id = o.organization_id and until_id > ${of.invoiceId}
      order by until_id limit 1) as f on true
    where o.organization_id = ${of.organizationId}`
  return row ?? null
}

/** Saves the name and e-mail, and keeps those before for the invoices until now. The organization must be locked. */
export async function saveOrganization(sql: Sql, organization: Organization, untilId: string): Promise<void> {
  const { organizationId, name, email, updatedAt } = organization
  await sql`
    insert into former_organization_names (until_id, organization_id, name, email)
    select ${untilId}, organization_id, name, email from organizations where organization_id = ${organizationId}`
  await sql`
    update organizations set name = ${name}, email = ${email}, updated_at = ${updatedAt}
    where organization_id = ${organizationId}`
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

const columns = (sql: Sql) => sql`
  organization_id as "organizationId", name, email, created_at as "createdAt", updated_at as "updatedAt"`
