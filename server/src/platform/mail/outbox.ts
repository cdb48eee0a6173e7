import { type Brand, DEFAULT_BRAND } from '../../core/brand.ts'
import type { Ports } from '../../ports.ts'
import { findBrand } from '../brand/store.ts'
import type { Db, Sql } from '../db/db.ts'
import { present } from '../db/sql.ts'
import type { Message } from './mail.ts'

/** The vault's purpose of a stored message. A message may contain a link that opens an account. */
export const MAIL_PURPOSE = 'mail'
const BATCH = 8
/** Longer than the timeout of the relay, plus 5 s of clock skew. */
const LEASE_MS = 60_000
/** A link in a message expires within a day. */
const KEPT_MS = 24 * 3_600_000
const RETRY_DELAYS_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000]
const LONGEST_RETRY_DELAY_MS = 30 * 60_000

interface ClaimedMail {
  readonly mailId: string
  readonly sealed: Buffer
  /** Including the current attempt. */
  readonly attempts: number
  readonly expiresAt: Date
}

type RecordPorts = { readonly db: Db } & Pick<Ports, 'clock' | 'newId' | 'vault'>

/** Stores a message in the transaction of `db`. The message is sent after the commit. */
export async function recordMail(
  ports: RecordPorts,
  message: Message,
  { keptMs = KEPT_MS, mailId = ports.newId() }: { readonly keptMs?: number; readonly mailId?: string } = {},
): Promise<void> {
  await insertMails(ports, [{ mailId, message }], keptMs)
}

/** Stores messages as `recordMail` does, with one statement. */
export async function recordMails(ports: RecordPorts, messages: readonly Message[], keptMs: number): Promise<void> {
  const mails = messages.map(message => ({ mailId: ports.newId(), message }))
  if (mails.length > 0) await insertMails(ports, mails, keptMs)
}

async function insertMails(
  { db: { sql }, clock, vault }: RecordPorts,
  mails: readonly { readonly mailId: string; readonly message: Message }[],
  keptMs: number,
): Promise<void> {
  const now = clock.now()
  const rows = mails.map(({ mailId, message }) => ({
    mailId,
    sealed: vault.seal(MAIL_PURPOSE, JSON.stringify(message)).toString('base64'),
  }))
  await sql`
    insert into mails (mail_id, sealed, attempts, due_at, created_at, expires_at)
    select "mailId", decode(sealed, 'base64'), 0, ${now}, ${now}, ${new Date(now.getTime() + keptMs)}
    from jsonb_to_recordset(${sql.json(rows)}) as x ("mailId" uuid, sealed text)`
}

/** Sends the due messages and returns their number. A crash after a relay has accepted a message sends the message twice. */
export async function sendMails(ports: Pick<Ports, 'db' | 'clock' | 'vault' | 'mail' | 'log'>): Promise<number> {
  const now = ports.clock.now()
  const claimed = await claimMails(ports.db.sql, now)
  if (claimed.length === 0) return 0
  const sender = senderOf(await findBrand(ports.db.sql))
  await Promise.all(claimed.map(mail => sendOne(ports, mail, sender)))
  return claimed.length
}

async function claimMails(sql: Sql, now: Date): Promise<ClaimedMail[]> {
  return await sql<ClaimedMail[]>`
    update mails set due_at = ${new Date(now.getTime() + LEASE_MS)}, attempts = attempts + 1
    where mail_id = any(array(
      select mail_id from mails where due_at <= ${now} order by due_at limit ${BATCH} for update skip locked))
    returning mail_id as "mailId", sealed, attempts, expires_at as "expiresAt"`
}

/** The default brand keeps the name in TILLHOOK_MAIL_FROM. */
function senderOf({ name, mailName }: Brand): Pick<Message, 'fromName'> {
  if (mailName !== undefined) return { fromName: mailName }
  return name === DEFAULT_BRAND.name ? {} : { fromName: name }
}

async function sendOne(
  { db, clock, vault, mail, log }: Parameters<typeof sendMails>[0],
  claimed: ClaimedMail,
  sender: Pick<Message, 'fromName'>,
) {
  const { mailId, attempts, expiresAt } = claimed
  let answer: string | undefined
  let state: 'SENT' | 'FAILED' = 'SENT'
  try {
    const message = JSON.parse(vault.openText(MAIL_PURPOSE, claimed.sealed)) as Message
    answer = await mail.send({ id: mailId, ...message, ...sender })
  } catch (error) {
    const now = clock.now()
    const reason = reasonOf(error)
    answer = wordsOf(error)
    if (now.getTime() < expiresAt.getTime()) {
      log.warn({ reason, mailId, attempts }, 'a mail could not be sent and will be retried')
      return await postponeMail(db.sql, { mailId, attempts, reason, answer, now })
    }
    log.error({ reason, mailId, attempts }, 'a mail could not be sent in time and is deleted')
    state = 'FAILED'
  }
  await endMail(db.sql, { mailId, state, attempts, answer, now: clock.now() })
}

/** Deletes a mail, and keeps the answer if the mail is a test mail. */
async function endMail(
  sql: Sql,
  end: { mailId: string; state: 'SENT' | 'FAILED'; attempts: number; answer: string | undefined; now: Date },
): Promise<void> {
  await sql`
    with ended as (delete from mails where mail_id = ${end.mailId})
    update test_mails set state = ${end.state}, attempts = ${end.attempts}, answer = ${end.answer ?? null}, answered_at = ${end.now}
    where mail_id = ${end.mailId}`
}

/** Another process may have claimed the row since: its attempt counts. */
async function postponeMail(
  sql: Sql,
  {
    mailId,
    attempts,
    reason,
    answer,
    now,
  }: { mailId: string; attempts: number; reason: string; answer: string; now: Date },
): Promise<void> {
  const dueAt = new Date(now.getTime() + (RETRY_DELAYS_MS[attempts - 1] ?? LONGEST_RETRY_DELAY_MS))
  await sql`
    with postponed as (
      update mails set due_at = ${dueAt}, last_error = ${reason} where mail_id = ${mailId} and attempts = ${attempts}
      returning mail_id)
    update test_mails set attempts = ${attempts}, answer = ${answer}, answered_at = ${now}
    where mail_id in (select mail_id from postponed)`
}

/** The code alone: the relay's message may contain the recipient's address. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return [code, responseCode].filter(Boolean).join(' ') || 'unknown'
}

const MAX_ANSWER_LENGTH = 500

/** The relay's own words, for a test mail: its recipient is the reader. */
function wordsOf(error: unknown): string {
  const words = (error instanceof Error && error.message) || reasonOf(error)
  return words.slice(0, MAX_ANSWER_LENGTH).replaceAll('\0', '\ufffd').toWellFormed()
}

/** Counting more would itself be a load. */
const MOST_COUNTED = 10_000

interface MailBacklog {
  readonly waiting: number
  readonly oldestAt?: Date
  /** The code of a failed attempt. */
  readonly lastError?: string
}

/** The mails that no relay has accepted yet, and when the oldest was recorded. */
export async function findMailBacklog(sql: Sql): Promise<MailBacklog> {
  const [row] = await sql<{ waiting: number; oldestAt: Date | null; lastError: string | null }[]>`
    select count(*)::int as waiting, min(created_at) as "oldestAt",
      (array_agg(last_error order by created_at desc) filter (where last_error is not null))[1] as "lastError"
    from (select created_at, last_error from mails order by due_at limit ${MOST_COUNTED}) as m`
  return row === undefined ? { waiting: 0 } : present(row)
}
