import type { Approval, ApprovalRight } from '../../core/approval.ts'
import type { Sql } from '../../platform/db/db.ts'

/** The approval in force, or null. */
export async function findApproval(sql: Sql, businessId: string, appId: string): Promise<Approval | null> {
  const [row] = await sql<Approval[]>`
    select ${columns(sql)} from approvals
    where business_id = ${businessId} and app_id = ${appId} and revoked_at is null`
  return row ?? null
}

/** Whether an approval is in force. The row stays locked until the transaction ends. */
export async function isApprovedNow(sql: Sql, businessId: string, appId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from approvals
    where business_id = ${businessId} and app_id = ${appId} and revoked_at is null for share`
  return rows.length > 0
}

/** The approvals in force, oldest first. */
export async function findApprovals(sql: Sql, businessId: string): Promise<Approval[]> {
  return await sql<Approval[]>`
    select ${columns(sql)} from approvals where business_id = ${businessId} and revoked_at is null
    order by approved_at, app_id`
}

/** Writes an approval: replaces the rights and lifts a revocation. */
export async function saveApproval(sql: Sql, approval: Approval): Promise<void> {
  await sql`
    insert into approvals (business_id, app_id, rights, approved_at)
    values (${approval.businessId}, ${approval.appId}, ${approval.rights as ApprovalRight[]}::text[],
      ${approval.approvedAt})
    on conflict (business_id, app_id) do update set
      rights = excluded.rights, approved_at = excluded.approved_at, revoked_at = null`
}

/** Returns false if no approval was in force. */
export async function revokeApproval(sql: Sql, of: { businessId: string; appId: string; now: Date }): Promise<boolean> {
  const revoked = await sql`
    update approvals set revoked_at = ${of.now}
    where business_id = ${of.businessId} and app_id = ${of.appId} and revoked_at is null`
  return revoked.count === 1
}

const columns = (sql: Sql) => sql`
  business_id as "businessId", app_id as "appId", rights, approved_at as "approvedAt"`
