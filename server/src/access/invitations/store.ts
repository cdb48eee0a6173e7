import { addDays } from '../../core/calendar.ts'
import type { PersonRole, Workspace, WorkspaceKind } from '../../core/membership.ts'
import { PURGED_AT_ONCE, type Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { columnsOf, workspaceOfRow } from '../memberships/store.ts'

export interface Invitation {
  readonly invitationId: string
  readonly workspace: Workspace
  /** Name of the organization or business; null for the operator. */
  readonly workspaceName: string | null
  readonly email: string
  readonly role: PersonRole
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly acceptedAt: Date | null
  readonly revokedAt: Date | null
}

interface Row extends Omit<Invitation, 'workspace'> {
  readonly kind: WorkspaceKind
  readonly organizationId: string | null
  readonly businessId: string | null
}

export interface NewInvitation extends Omit<Invitation, 'workspaceName' | 'acceptedAt' | 'revokedAt'> {
  readonly secretHash: Buffer
  readonly invitedBy: string | null
}

/** Returns false if an invitation has this id. */
export async function insertInvitation(sql: Sql, invitation: NewInvitation): Promise<boolean> {
  const { invitationId, secretHash, email, role, invitedBy, createdAt, expiresAt } = invitation
  const { kind, organizationId, businessId } = columnsOf(invitation.workspace)
  const inserted = await sql`
    insert into invitations (invitation_id, secret_hash, email, kind, organization_id, business_id, role, invited_by,
      created_at, expires_at)
    values (${invitationId}, ${secretHash}, ${email}, ${kind}, ${organizationId}, ${businessId}, ${role}, ${invitedBy},
      ${createdAt}, ${expiresAt})
    on conflict (invitation_id) do nothing`
  return inserted.count === 1
}

export async function findInvitation(sql: Sql, invitationId: string): Promise<Invitation | null> {
  const [row] = await select(sql, sql`i.invitation_id = ${invitationId}`)
  return row ?? null
}

export async function findInvitationBySecret(sql: Sql, secretHash: Buffer): Promise<Invitation | null> {
  const [row] = await select(sql, sql`i.secret_hash = ${secretHash}`)
  return row ?? null
}

/** Any constant. Invitations are rare, so one lock for all of them is enough. */
const INVITATIONS_LOCK = 7_461_004

/** Concurrent invitations take turns until the transaction ends, so that each is counted before the next. */
export async function lockInvitations(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${INVITATIONS_LOCK})`
}

/** Counts the invitations since an instant, to an address in any case and by a person. */
export async function countInvitations(
  sql: Sql,
  { email, invitedBy, since }: { email: string; invitedBy?: string; since: Date },
): Promise<{ toAddress: number; byInviter: number }> {
  const [row] = await sql<{ toAddress: number; byInviter: number }[]>`
    select count(*) filter (where lower(email) = lower(${email}))::int as "toAddress",
      count(*) filter (where invited_by = ${invitedBy ?? null})::int as "byInviter"
    from invitations where created_at > ${since}`
  return row ?? { toAddress: 0, byInviter: 0 }
}

/** The newest first. */
export function listInvitations(sql: Sql, workspace: Workspace): Promise<Invitation[]> {
  switch (workspace.kind) {
    case 'OPERATOR':
      return select(sql, sql`i.kind = 'OPERATOR'`)
    case 'DEVELOPER':
      return select(sql, sql`i.organization_id = ${workspace.organizationId}`)
    case 'MERCHANT':
      return select(sql, sql`i.business_id = ${workspace.businessId}`)
  }
}

/** Locks an invitation until the transaction ends. Returns false if the invitation can no longer be accepted. */
export async function lockOpenInvitation(sql: Sql, invitationId: string, now: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from invitations
    where invitation_id = ${invitationId} and accepted_at is null and revoked_at is null and expires_at > ${now}
    for update`
  return rows.length === 1
}

/** Returns false if the invitation was accepted, revoked or has expired. A concurrent second call waits and gets false. */
export async function markAccepted(sql: Sql, invitationId: string, userId: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update invitations set accepted_at = ${now}, accepted_by = ${userId}
    where invitation_id = ${invitationId} and accepted_at is null and revoked_at is null and expires_at > ${now}
    returning 1`
  return rows.length === 1
}

/** Returns false if the invitation was accepted or revoked before. */
export async function markRevoked(sql: Sql, invitationId: string, now: Date): Promise<boolean> {
  const revoked = await sql`
    update invitations set revoked_at = ${now}
    where invitation_id = ${invitationId} and accepted_at is null and revoked_at is null`
  return revoked.count === 1
}

/** Ends all other open invitations of the same address and workspace. */
export async function revokeEarlier(
  sql: Sql,
  { invitationId, workspace, email }: Pick<Invitation, 'invitationId' | 'workspace' | 'email'>,
  now: Date,
): Promise<void> {
  const { kind, organizationId, businessId } = columnsOf(workspace)
  await sql`
    update invitations set revoked_at = ${now}
    where kind = ${kind} and organization_id is not distinct from ${organizationId}
      and business_id is not distinct from ${businessId} and lower(email) = lower(${email})
      and accepted_at is null and revoked_at is null and invitation_id <> ${invitationId}`
}

/** Inviters see ended invitations for this time. */
const KEPT_DAYS = 90

/** Deletes one batch of invitations that ended long ago. Returns the number. */
export async function purgeInvitations({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const deleted = await db.sql`
    delete from invitations where invitation_id in (
      select invitation_id from invitations where expires_at < ${addDays(clock.now(), -KEPT_DAYS)}
      limit ${PURGED_AT_ONCE} for update skip locked)`
  return deleted.count
}

async function select(sql: Sql, where: ReturnType<Sql>): Promise<Invitation[]> {
  const rows = await sql<Row[]>`
    select i.invitation_id as "invitationId", i.kind, i.organization_id as "organizationId",
      i.business_id as "businessId", coalesce(o.name, b.doing_business_as) as "workspaceName", i.email, i.role,
      i.created_at as "createdAt", i.expires_at as "expiresAt", i.accepted_at as "acceptedAt",
      i.revoked_at as "revokedAt"
    from invitations as i
    left join organizations as o on o.organization_id = i.organization_id
    left join businesses as b on b.business_id = i.business_id
    where ${where}
    order by i.created_at desc, i.invitation_id desc
    limit 1000`
  return rows.map(({ kind, organizationId, businessId, ...row }) => ({
    ...row,
    workspace: workspaceOfRow({ kind, organizationId, businessId }),
  }))
}
