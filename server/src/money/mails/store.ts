import { firstIdAt } from '../../core/id.ts'
import type { MailKind } from '../../core/mail-kind.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** A recorded mail and the resource that the mail reports. */
export interface MoneyMail {
  readonly moneyMailId: string
  readonly kind: MailKind
  /** The subscription, charge, refund or payment method. */
  readonly sourceId: string
  /** The event of a subscription, a period, a month; else 0. */
  readonly sourceSeq: number
  readonly businessId: string
  readonly subscriptionId?: string
  readonly invoiceId?: string
  /** Business time. */
  readonly occurredAt: Date
}

/** Records mails in the caller's transaction. A source that was recorded before stays unchanged. Returns the number of new mails. */
export async function insertMoneyMails(sql: Sql, mails: readonly MoneyMail[], dueAt: Date): Promise<number> {
  if (mails.length === 0) return 0
  const { count } = await sql`
    insert into money_mails (
      money_mail_id, kind, source_id, source_seq, business_id, subscription_id, invoice_id, occurred_at, due_at)
    select "moneyMailId", "kind", "sourceId", "sourceSeq", "businessId", "subscriptionId", "invoiceId", "occurredAt", ${dueAt}
    from jsonb_to_recordset(${sql.json(mails as never)}) as x (
      "moneyMailId" uuid, "kind" text, "sourceId" uuid, "sourceSeq" integer, "businessId" uuid, "subscriptionId" uuid,
      "invoiceId" uuid, "occurredAt" timestamptz)
    on conflict (kind, source_id, source_seq) do nothing`
  return count
}

/** Due mails, locked until the transaction ends. Rows that another process has locked are skipped. */
export async function lockDueMails(sql: Sql, { now, limit }: { now: Date; limit: number }): Promise<MoneyMail[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from money_mails where due_at <= ${now} order by due_at limit ${limit} for update skip locked`
  return rows.map(row => present(row))
}

/** A mail that is done. */
export interface ClosedMail {
  readonly moneyMailId: string
  /** Null: the mail is not sent. */
  readonly recipient: string | null
}

export async function closeMoneyMails(sql: Sql, mails: readonly ClosedMail[]): Promise<void> {
  await sql`
    update money_mails as m set due_at = null, recipient = x.recipient
    from jsonb_to_recordset(${sql.json(mails as never)}) as x ("moneyMailId" uuid, recipient text)
    where m.money_mail_id = x."moneyMailId"`
}

/** Closes mails unsent. */
export async function closeDueMails(sql: Sql, now: Date): Promise<number> {
  const { count } = await sql`update money_mails set due_at = null where due_at <= ${now}`
  return count
}

/** Rendering failed: the mail is due again later. */
export async function postponeMoneyMail(sql: Sql, moneyMailId: string, dueAt: Date): Promise<void> {
  await sql`update money_mails set due_at = ${dueAt} where money_mail_id = ${moneyMailId}`
}

export async function deleteOldMails(sql: Sql, before: Date): Promise<number> {
  const { count } = await sql`
    delete from money_mails where money_mail_id = any(array(
      select money_mail_id from money_mails where money_mail_id < ${firstIdAt(before)} and due_at is null limit 1000))`
  return count
}

type Row = RowOf<MoneyMail>

const columns = (sql: Sql) => sql`
  money_mail_id as "moneyMailId", kind, source_id as "sourceId", source_seq as "sourceSeq", business_id as "businessId",
  subscription_id as "subscriptionId", invoice_id as "invoiceId", occurred_at as "occurredAt"`

/** A mail about a subscription, and whom it reached. */
export interface RecordedMail extends Pick<MoneyMail, 'kind' | 'occurredAt'> {
  /** Absent: not sent, or not yet. */
  readonly recipient?: string
}

/** The mails about a subscription, newest first. */
export async function listMailsOfSubscription(
  sql: Sql,
  subscriptionId: string,
  limit: number,
): Promise<RecordedMail[]> {
  const rows = await sql<RowOf<RecordedMail>[]>`
    select kind, occurred_at as "occurredAt", recipient from money_mails
    where subscription_id = ${subscriptionId} order by occurred_at desc, money_mail_id desc limit ${limit}`
  return rows.map(row => present(row))
}
