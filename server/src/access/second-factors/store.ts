import type { Sql } from '../../platform/db/db.ts'

export interface SecondFactor {
  /** Sealed. */
  readonly secret: Buffer
  readonly lastStep: number
  /** Null until the first correct code. */
  readonly confirmedAt: Date | null
}

export async function findSecondFactor(sql: Sql, userId: string): Promise<SecondFactor | null> {
  const [row] = await sql<SecondFactor[]>`
    select secret, last_step as "lastStep", confirmed_at as "confirmedAt" from second_factors where user_id = ${userId}`
  return row ?? null
}

/** Replaces an unconfirmed secret. Returns false if the factor is confirmed. */
export async function saveSecret(sql: Sql, userId: string, secret: Buffer, now: Date): Promise<boolean> {
  const rows = await sql`
    insert into second_factors as f (user_id, secret, last_step, created_at) values (${userId}, ${secret}, 0, ${now})
    on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = excluded.created_at
      where f.confirmed_at is null
    returning 1`
  return rows.length === 1
}

/** RFC 6238, 5.2: "The verifier MUST NOT accept the second attempt of the OTP". Returns false if this step or a later one was used. */
export async function takeStep(sql: Sql, userId: string, step: number): Promise<boolean> {
  const rows = await sql`
    update second_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step} returning 1`
  return rows.length === 1
}

/** Returns false if the factor was confirmed before or does not exist. */
export async function confirmSecondFactor(sql: Sql, userId: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update second_factors set confirmed_at = ${now} where user_id = ${userId} and confirmed_at is null returning 1`
  return rows.length === 1
}

/** With its recovery codes. */
export async function deleteSecondFactor(sql: Sql, userId: string): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`
  await sql`delete from second_factors where user_id = ${userId}`
}

/** Replaces all earlier codes. The factor's row records the time for the audit trail; the codes are hashes. */
export async function replaceRecoveryCodes(
  sql: Sql,
  userId: string,
  codeHashes: readonly Buffer[],
  now: Date,
): Promise<void> {
  await sql`update second_factors set recovery_codes_at = ${now} where user_id = ${userId}`
  await sql`delete from recovery_codes where user_id = ${userId}`
  for (const codeHash of codeHashes) {
    await sql`insert into recovery_codes (user_id, code_hash, created_at) values (${userId}, ${codeHash}, ${now})`
  }
}

/** Returns false if the code is unknown or used. */
export async function useRecoveryCode(sql: Sql, userId: string, codeHash: Buffer, now: Date): Promise<boolean> {
  const rows = await sql`
    update recovery_codes set used_at = ${now}
    where user_id = ${userId} and code_hash = ${codeHash} and used_at is null returning 1`
  return rows.length === 1
}

export async function countRecoveryCodes(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from recovery_codes where user_id = ${userId} and used_at is null`
  return row?.count ?? 0
}
