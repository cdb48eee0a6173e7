import type { BusinessUser, BusinessUserRole } from '../../core/business-user.ts'
import type { Sql } from '../../platform/db/db.ts'

/** A business user with the hash of the passcode. The hash never leaves this slice. */
export interface StoredBusinessUser extends BusinessUser {
  readonly passcodeHash: string
}

/** Returns false if a user of the business has this user id, or the row exists. The indexes decide, so two concurrent inserts cannot both succeed. */
export async function insertBusinessUser(sql: Sql, user: StoredBusinessUser): Promise<boolean> {
  const inserted = await sql`
    insert into business_users (
      business_user_id, business_id, user_id, name, role, status, passcode_hash, created_at, updated_at)
    values (
      ${user.businessUserId}, ${user.businessId}, ${user.userId}, ${user.name}, ${user.role}, ${user.status},
      ${user.passcodeHash}, ${user.createdAt}, ${user.updatedAt})
    on conflict do nothing`
  return inserted.count === 1
}

/** Lists the users of a business in the order of their user ids. */
export async function findBusinessUsers(sql: Sql, businessId: string): Promise<BusinessUser[]> {
  return await sql<BusinessUser[]>`
    select ${columns(sql)} from business_users where business_id = ${businessId} order by lower(user_id)`
}

/** Finds a user by the user id typed at sign-in. */
export async function findBusinessUser(
  sql: Sql,
  of: { businessId: string; userId: string },
): Promise<StoredBusinessUser | null> {
  const [row] = await sql<StoredBusinessUser[]>`
    select ${columns(sql)}, passcode_hash as "passcodeHash" from business_users
    where business_id = ${of.businessId} and lower(user_id) = lower(${of.userId})`
  return row ?? null
}

/** The role of a user who may sign in; null if the user is disabled or gone. */
export async function findActiveRole(sql: Sql, businessUserId: string): Promise<BusinessUserRole | null> {
  const [row] = await sql<{ role: BusinessUserRole }[]>`
    select role from business_users where business_user_id = ${businessUserId} and status = 'ACTIVE'`
  return row?.role ?? null
}

/** Locks the user until the transaction ends. A user of another business is not found. */
export async function lockBusinessUser(
  sql: Sql,
  of: { businessId: string; businessUserId: string },
): Promise<StoredBusinessUser | null> {
  const [row] = await sql<StoredBusinessUser[]>`
    select ${columns(sql)}, passcode_hash as "passcodeHash" from business_users
    where business_user_id = ${of.businessUserId} and business_id = ${of.businessId} for no key update`
  return row ?? null
}

/** The row must be locked. */
export async function saveBusinessUser(sql: Sql, user: StoredBusinessUser): Promise<void> {
  await sql`
    update business_users set name = ${user.name}, role = ${user.role}, status = ${user.status},
      passcode_hash = ${user.passcodeHash}, updated_at = ${user.updatedAt}
    where business_user_id = ${user.businessUserId}`
}

/** Stores a new hash of the same passcode, unless the passcode has changed. The user's `updatedAt` stays. */
export async function savePasscodeHash(
  sql: Sql,
  of: { businessUserId: string; before: string; after: string },
): Promise<void> {
  await sql`
    update business_users set passcode_hash = ${of.after}
    where business_user_id = ${of.businessUserId} and passcode_hash = ${of.before}`
}

/** Deletes the user with all sessions. Returns false if the business has no such user. */
export async function deleteBusinessUser(
  sql: Sql,
  of: { businessId: string; businessUserId: string },
): Promise<boolean> {
  const deleted = await sql`
    delete from business_users where business_user_id = ${of.businessUserId} and business_id = ${of.businessId}`
  return deleted.count === 1
}

const columns = (sql: Sql) => sql`
  business_user_id as "businessUserId", business_id as "businessId", user_id as "userId", name, role, status,
  created_at as "createdAt", updated_at as "updatedAt"`
