import type { Sql } from '../db/db.ts'

export interface ClaimedMail {
  readonly mailId: string
  readonly sealed: Buffer
  /** This one included. */
  readonly tries: number
  readonly createdAt: Date
}

export async function insertMail(
  sql: Sql,
  { mailId, sealed, dueAt, createdAt }: Omit<ClaimedMail, 'tries'> & { readonly dueAt: Date },
): Promise<void> {
  await sql`
    insert into mails (mail_id, sealed, tries, due_at, created_at)
    values (${mailId}, ${sealed}, 0, ${dueAt}, ${createdAt})`
}

/** Nobody else gets them before `leasedUntil`. */
export async function claimMails(
  sql: Sql,
  { now, leasedUntil, limit }: { readonly now: Date; readonly leasedUntil: Date; readonly limit: number },
): Promise<ClaimedMail[]> {
  return await sql<ClaimedMail[]>`
    update mails set due_at = ${leasedUntil}, tries = tries + 1
    where mail_id in (
      select mail_id from mails where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    returning mail_id as "mailId", sealed, tries, created_at as "createdAt"`
}

/** Not where somebody else has claimed it since: their word counts. */
export async function delayMail(sql: Sql, { mailId, tries }: ClaimedMail, dueAt: Date): Promise<void> {
  await sql`update mails set due_at = ${dueAt} where mail_id = ${mailId} and tries = ${tries}`
}

export async function deleteMail(sql: Sql, mailId: string): Promise<void> {
  await sql`delete from mails where mail_id = ${mailId}`
}
