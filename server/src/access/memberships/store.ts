import type { Membership, PersonRole, Place, PlaceKind } from '../../core/membership.ts'
import { adminRoleOf } from '../../core/membership.ts'
import type { UserStatus } from '../../core/user.ts'
import type { Sql } from '../../platform/db/db.ts'

/** A workspace as columns, and its display name. */
export interface PlaceRow {
  readonly kind: PlaceKind
  readonly organizationId: string | null
  readonly businessId: string | null
}

interface Row extends PlaceRow {
  readonly membershipId: string
  readonly userId: string
  readonly role: PersonRole
  readonly createdAt: Date
}

export interface NamedMembership extends Membership {
  /** Null: the operator, who has no row. */
  readonly placeName: string | null
}

export interface PersonOfPlace extends Membership {
  readonly name: string
  readonly email: string
  readonly status: UserStatus
}

export async function findMembership(sql: Sql, membershipId: string): Promise<Membership | null> {
  const [row] = await sql<Row[]>`
    select membership_id as "membershipId", user_id as "userId", kind, organization_id as "organizationId",
      business_id as "businessId", role, created_at as "createdAt"
    from memberships where membership_id = ${membershipId} and removed_at is null`
  return row === undefined ? null : toMembership(row)
}

/** The oldest first. */
export async function listMembershipsOfUser(sql: Sql, userId: string): Promise<NamedMembership[]> {
  const rows = await sql<(Row & { placeName: string | null })[]>`
    select m.membership_id as "membershipId", m.user_id as "userId", m.kind, m.organization_id as "organizationId",
      m.business_id as "businessId", m.role, m.created_at as "createdAt",
      coalesce(o.name, b.doing_business_as) as "placeName"
    from memberships as m
    left join organizations as o on o.organization_id = m.organization_id
    left join businesses as b on b.business_id = m.business_id
    where m.user_id = ${userId} and m.removed_at is null
    order by m.created_at, m.membership_id`
  return rows.map(row => ({ ...toMembership(row), placeName: row.placeName }))
}

/** The oldest first. */
export async function listPeople(sql: Sql, place: Place): Promise<PersonOfPlace[]> {
  const rows = await sql<(Row & Pick<PersonOfPlace, 'name' | 'email' | 'status'>)[]>`
    select m.membership_id as "membershipId", m.user_id as "userId", m.kind, m.organization_id as "organizationId",
      m.business_id as "businessId", m.role, m.created_at as "createdAt", u.name, u.email, u.status
    from memberships as m join users as u on u.user_id = m.user_id
    where m.removed_at is null and ${isOf(sql, place)}
    order by m.created_at, m.membership_id
    limit 1000`
  return rows.map(({ name, email, status, ...row }) => ({ ...toMembership(row), name, email, status }))
}

/** False: they are there already. */
export async function insertMembership(sql: Sql, { membershipId, userId, place, role, createdAt }: Membership) {
  const { kind, organizationId, businessId } = columnsOf(place)
  const rows = await sql`
    insert into memberships (membership_id, user_id, kind, organization_id, business_id, role, created_at, updated_at)
    values (${membershipId}, ${userId}, ${kind}, ${organizationId}, ${businessId}, ${role}, ${createdAt}, ${createdAt})
    on conflict (user_id, kind, organization_id, business_id) where removed_at is null do nothing
    returning 1`
  return rows.length === 1
}

/** Locks the admins of a workspace who can sign in. Two admins who remove or disable each other take turns. */
export async function lockAdmins(sql: Sql, place: Place): Promise<string[]> {
  const areKeepers = sql`m.removed_at is null and m.role = ${adminRoleOf(place.kind)} and ${isOf(sql, place)}`
  await sql`
    select 1 from memberships as m where ${areKeepers} order by m.membership_id for update`
  // A second statement sees who was disabled by the previous holder of the lock.
  const rows = await sql<{ membershipId: string }[]>`
    select m.membership_id as "membershipId" from memberships as m join users as u on u.user_id = m.user_id
    where ${areKeepers} and u.status = 'ACTIVE'`
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

export async function isMember(sql: Sql, place: Place, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from memberships as m where m.user_id = ${userId} and m.removed_at is null and ${isOf(sql, place)}`
  return rows.length > 0
}

export function columnsOf(place: Place): PlaceRow {
  return {
    kind: place.kind,
    organizationId: place.kind === 'DEVELOPER' ? place.organizationId : null,
    businessId: place.kind === 'MERCHANT' ? place.businessId : null,
  }
}

export function placeOfRow({ kind, organizationId, businessId }: PlaceRow): Place {
  if (kind === 'DEVELOPER' && organizationId !== null) return { kind, organizationId }
  if (kind === 'MERCHANT' && businessId !== null) return { kind, businessId }
  return { kind: 'OPERATOR' }
}

function toMembership({ membershipId, userId, role, createdAt, ...place }: Row): Membership {
  return { membershipId, userId, role, createdAt, place: placeOfRow(place) }
}

function isOf(sql: Sql, place: Place) {
  switch (place.kind) {
    case 'OPERATOR':
      return sql`m.kind = 'OPERATOR'`
    case 'DEVELOPER':
      return sql`m.organization_id = ${place.organizationId}`
    case 'MERCHANT':
      return sql`m.business_id = ${place.businessId}`
  }
}
