import type { ViewedWorkspace } from '../../core/viewing.ts'
import type { Sql } from '../../platform/db/db.ts'
import { columnsOf, type WorkspaceRow } from '../memberships/store.ts'

export interface Viewing {
  readonly workspace: ViewedWorkspace
  readonly workspaceName: string
  readonly endsAt: Date
}

/** The viewing of a session, also after its time. */
export async function findViewing(sql: Sql, sessionId: string): Promise<Viewing | null> {
  const [row] = await sql<(Omit<WorkspaceRow, 'kind'> & Pick<Viewing, 'workspaceName' | 'endsAt'>)[]>`
    select v.organization_id as "organizationId", v.business_id as "businessId",
      coalesce(o.name, b.doing_business_as) as "workspaceName", v.ends_at as "endsAt"
    from viewings as v
    left join organizations as o on o.organization_id = v.organization_id
    left join businesses as b on b.business_id = v.business_id
    where v.session_id = ${sessionId} and v.ended_at is null`
  if (row === undefined) return null
  const { organizationId, businessId, workspaceName, endsAt } = row
  if (organizationId !== null) return { workspace: { kind: 'DEVELOPER', organizationId }, workspaceName, endsAt }
  return businessId === null ? null : { workspace: { kind: 'MERCHANT', businessId }, workspaceName, endsAt }
}

interface NewViewing {
  readonly viewingId: string
  readonly sessionId: string
  readonly userId: string
  readonly workspace: ViewedWorkspace
  readonly startedAt: Date
  readonly endsAt: Date
}

/** Does nothing if the session has a viewing. */
export async function insertViewing(sql: Sql, viewing: NewViewing): Promise<void> {
  const { viewingId, sessionId, userId, workspace, startedAt, endsAt } = viewing
  const { organizationId, businessId } = columnsOf(workspace)
  await sql`
    insert into viewings (viewing_id, session_id, user_id, organization_id, business_id, started_at, ends_at)
    values (${viewingId}, ${sessionId}, ${userId}, ${organizationId}, ${businessId}, ${startedAt}, ${endsAt})
    on conflict (session_id) where ended_at is null do nothing`
}

/** An expired viewing ended at its expiry. */
export async function endViewing(sql: Sql, sessionId: string, now: Date): Promise<void> {
  await sql`
    update viewings set ended_at = least(ends_at, ${now}) where session_id = ${sessionId} and ended_at is null`
}

/** Ends the viewing of a session if the viewing has expired. */
export async function endExpiredViewing(sql: Sql, sessionId: string, now: Date): Promise<void> {
  await sql`
    update viewings set ended_at = ends_at
    where session_id = ${sessionId} and ended_at is null and ends_at <= ${now}`
}
