import type { Sql } from '../../platform/db/db.ts'

/**
 * Decisions 3: a business that "approved it, or has or had a subscription". Both tables belong to other slices. One statement reads each table,
 * because most requests that name a business need the answer.
 */

export async function isRelatedToApp(sql: Sql, of: { businessId: string; appId: string }): Promise<boolean> {
  const [row] = await sql<{ related: boolean }[]>`
    select exists (
      select 1 from approvals
      where business_id = ${of.businessId} and app_id = ${of.appId} and revoked_at is null
    ) or exists (
      select 1 from subscriptions where business_id = ${of.businessId} and app_id = ${of.appId}
    ) as related`
  return row?.related === true
}

/** Related to any app of a developer's organization. */
export async function isRelatedToOrganization(
  sql: Sql,
  of: { businessId: string; organizationId: string },
): Promise<boolean> {
  const [row] = await sql<{ related: boolean }[]>`
    select exists (
      select 1 from approvals join apps using (app_id)
      where business_id = ${of.businessId} and organization_id = ${of.organizationId} and revoked_at is null
    ) or exists (
      select 1 from subscriptions
      where business_id = ${of.businessId} and organization_id = ${of.organizationId}
    ) as related`
  return row?.related === true
}
