import type { Language } from '../../core/mail-kind.ts'
import { emailKey, type User, type UserStatus } from '../../core/user.ts'
import type { Sql } from '../../platform/db/db.ts'

export async function findUser(sql: Sql, userId: string): Promise<User | null> {
  const [row] = await sql<User[]>`
    select ${columns(sql)} from users where user_id = ${userId}`
  return row ?? null
}

export async function findUserByEmail(sql: Sql, email: string): Promise<User | null> {
  const [row] = await sql<User[]>`
    select ${columns(sql)} from users where email_key = ${emailKey(email)}`
  return row ?? null
}

/** False: the address has a user already. */
export async function insertUser(sql: Sql, user: User): Promise<boolean> {
  const rows = await sql`
    insert into users (user_id, email, email_key, name, password_hash, status, created_at, updated_at)
    values (${user.userId}, ${user.email}, ${emailKey(user.email)}, ${user.name}, ${user.passwordHash}, ${user.status},
      ${user.createdAt}, ${user.updatedAt})
    on conflict (email_key) do nothing
    returning 1`
  return rows.length === 1
}

export async function updatePassword(sql: Sql, userId: string, passwordHash: string, now: Date): Promise<void> {
  await sql`update users set password_hash = ${passwordHash}, updated_at = ${now} where user_id = ${userId}`
}

/** Changes the password of a user who proved the current one. Returns false if the password changed in the meantime. */
export async function replacePassword(
  sql: Sql,
  { userId, passwordHash: before }: Pick<User, 'userId' | 'passwordHash'>,
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  const updated = await sql`
    update users set password_hash = ${passwordHash}, updated_at = ${now}
    where user_id = ${userId} and password_hash = ${before}`
  return updated.count === 1
}

/** Stores the same password hashed at a higher cost, unless the password changed in the meantime. */
export async function replaceHash(sql: Sql, { userId, passwordHash }: User, better: string): Promise<void> {
  await sql`
    update users set password_hash = ${better} where user_id = ${userId} and password_hash = ${passwordHash}`
}

export async function updateName(sql: Sql, userId: string, name: string, now: Date): Promise<void> {
  await sql`update users set name = ${name}, updated_at = ${now} where user_id = ${userId} and name <> ${name}`
}

/** Null: pages are in the browser's language. */
export async function updateLanguage(sql: Sql, userId: string, language: Language | null, now: Date): Promise<void> {
  await sql`
    update users set language = ${language}, updated_at = ${now}
    where user_id = ${userId} and language is distinct from ${language}`
}

export async function updateStatus(sql: Sql, userId: string, status: UserStatus, now: Date): Promise<void> {
  await sql`
    update users set status = ${status}, updated_at = ${now} where user_id = ${userId} and status <> ${status}`
}

const columns = (sql: Sql) => sql`
  user_id as "userId", email, name, password_hash as "passwordHash", status, created_at as "createdAt",
  updated_at as "updatedAt"`
