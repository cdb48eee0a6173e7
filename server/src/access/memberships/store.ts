import type { Membership, PersonRole, Workspace, WorkspaceKind } from '../../core/membership.ts'
import { adminRoleOf } from '../../core/membership.ts'
import type { UserStatus } from '../../core/user.ts'
import type { Sql } from '../../platform/db/db.ts'

/** A workspace as columns, and its display name. */
export interface WorkspaceRow {
  readonly kind: WorkspaceKind
  readonly organizationId: string | null
  readonly businessId: string | null
}

interface Row extends WorkspaceRow {
  readonly membershipId: string
  readonly userId: string
  readonly role: PersonRole
  readonly createdAt: Date
}

export interface NamedMembership extends Membership {
  /** Null: the operator, who has no row. */
  readonly workspaceName: string | null
}

export interface PersonOfWorkspace extends Membership {
  readonly name: string
  readonly email: string
  readonly status: UserStatus
}

export async function findMembership(sql: Sql, membershipId: string): Promise<Membership | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from memberships as m where m.membership_id = ${membershipId} and m.removed_at is null`
  return row === undefined ? null : toMembership(row)
}

/** The oldest first. */
export async function listMembershipsOfUser(sql: Sql, userId: string): Promise<NamedMembership[]> {
  const rows = await sql<(Row & { workspaceName: string | null })[]>`
    select ${columns(sql)}, coalesce(o.name, b.doing_business_as) as "workspaceName"
    from memberships as m
    left join organizations as o on o.organization_id = m.organization_id
    left join businesses as b on b.business_id = m.business_id
    where m.user_id = ${userId} and m.removed_at is null
    order by m.created_at, m.membership_id`
  return rows.map(row => ({ ...toMembership(row), workspaceName: row.workspaceName }))
}

/** The oldest first. */
export async function listPeople(sql: Sql, workspace: Workspace): Promise<PersonOfWorkspace[]> {
  const rows = await sql<(Row & Pick<PersonOfWorkspace, 'name' | 'email' | 'status'>)[]>`
    select ${columns(sql)}, u.name, u.email, u.status
    from memberships as m join users as u on u.user_id = m.user_id
    where m.removed_at is null and ${isOf(sql, workspace)}
    order by m.created_at, m.membership_id
    limit 1000`
  return rows.map(({ name, email, status, ...row }) => ({ ...toMembership(row), name, email, status }))
}

/** Returns false if the person is a member already. */
export async function insertMembership(sql: Sql, { membershipId, userId, workspace, role, createdAt }: Membership) {
  const { kind, organizationId, businessId } = columnsOf(workspace)
  const rows = await sql`
    insert into memberships (membership_id, user_id, kind, organization_id, business_id, role, created_at, updated_at)
    values (${membershipId}, ${userId}, ${kind}, ${organizationId}, ${businessId}, ${role}, ${createdAt}, ${createdAt})
    on conflict (user_id, kind, organization_id, business_id) where removed_at is null do nothing
    returning 1`
  return rows.length === 1
}

/** Locks the admins of a workspace who can sign in. Two admins who remove or disable each other take turns. */
export async function lockAdmins(sql: Sql, workspace: Workspace): Promise<string[]> {
  const areAdmins = sql`m.removed_at is null and m.role = ${adminRoleOf(workspace.kind)} and ${isOf(sql, workspace)}`
  await sql`
    select 1 from memberships as m where ${areAdmins} order by m.membership_id for update`
  // A second statement sees who was disabled by the previous holder of the lock.
  const rows = await sql<{ membershipId: string }[]>`
    select m.membership_id as "membershipId" from memberships as m join users as u on u.user_id = m.user_id
    where ${areAdmins} and u.status = 'ACTIVE'`
  return rows.map(({ membershipId }) => membershipId)
}

export async function updateRole(sql: Sql, membershipId: string, role: PersonRole, now: Date): Promise<void> {
  await sql`
    update memberships set role = ${role}, updated_at = ${now}
    where membership_id = ${membershipId} and removed_at is null and role <> ${role}`
}

export async function removeMembership(sql: Sql, membershipId: string, now: Date): Promise<void> {
  await sql`
    update memberships set removed_at = ${now}, updated_at = ${now}
    where membership_id = ${membershipId} and removed_at is null`
}

export async function isMember(sql: Sql, workspace: Workspace, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from memberships as m where m.user_id = ${userId} and m.removed_at is null and ${isOf(sql, workspace)}`
  return rows.length > 0
}

export function columnsOf(workspace: Workspace): WorkspaceRow {
  return {
    kind: workspace.kind,
    organizationId: workspace.kind === 'DEVELOPER' ? workspace.organizationId : null,
    businessId: workspace.kind === 'MERCHANT' ? workspace.businessId : null,
  }
}

export function workspaceOfRow({ kind, organizationId, businessId }: WorkspaceRow): Workspace {
  if (kind === 'DEVELOPER' && organizationId !== null) return { kind, organizationId }
  if (kind === 'MERCHANT' && businessId !== null) return { kind, businessId }
  return { kind: 'OPERATOR' }
}

function toMembership({ membershipId, userId, role, createdAt, ...workspace }: Row): Membership {
  return { membershipId, userId, role, createdAt, workspace: workspaceOfRow(workspace) }
}

function isOf(sql: Sql, workspace: Workspace) {
  switch (workspace.kind) {
    case 'OPERATOR':
      return sql`m.kind = 'OPERATOR'`
    case 'DEVELOPER':
      return sql`m.organization_id = ${workspace.organizationId}`
    case 'MERCHANT':
      return sql`m.business_id = ${workspace.businessId}`
  }
}

const columns = (sql: Sql) => sql`
  m.membership_id as "membershipId", m.user_id as "userId", m.kind, m.organization_id as "organizationId",
  m.business_id as "businessId", m.role, m.created_at as "createdAt"`
