import type { Ports } from '../../ports.ts'
import type { Sql } from '../db/db.ts'
import { present } from '../db/sql.ts'
import { letter } from './letter.ts'
import type { Message } from './mail.ts'
import { recordMail } from './outbox.ts'

/** Longer than the first retries, so that a relay that is down for a moment is seen to recover. */
const KEPT_MS = 3_600_000

/** The latest test mail of a person. */
export interface TestMail {
  readonly mailId: string
  readonly recipient: string
  readonly state: 'WAITING' | 'SENT' | 'FAILED'
  readonly attempts: number
  readonly recordedAt: Date
  /** The answer of the relay to the latest attempt, in its own words. */
  readonly answer?: string
  readonly answeredAt?: Date
}

interface Requested {
  readonly userId: string
  readonly recipient: string
  /** The name of the person. */
  readonly name: string
  readonly brandName: string
  /** The page that shows the answer. */
  readonly url: string
}

/**
 * Records a mail to the person who asks for it, through the queue of all mails. A repeated call changes nothing while the first attempt is
 * under way. After a failed attempt, a new mail replaces the one that waits.
 */
export async function sendTestMail(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>,
  { userId, recipient, ...of }: Requested,
): Promise<void> {
  const mailId = ports.newId()
  await ports.db.transaction(async tx => {
    await deleteFailing(tx.sql, userId)
    if (!(await insertTestMail(tx.sql, { mailId, userId, recipient, now: ports.clock.now() }))) return
    await recordMail({ ...ports, db: tx }, testMail({ mailId, to: recipient, ...of }), { keptMs: KEPT_MS, mailId })
  })
}

/** A mail without other news than its arrival. */
export function testMail({
  mailId,
  to,
  name,
  brandName,
  url,
}: Omit<Requested, 'userId' | 'recipient'> & { readonly mailId: string; readonly to: string }): Message {
  return letter({
    ...{ id: mailId, to, subject: `Test mail from ${brandName}` },
    sentences: [
      `${name} sent this mail from the System page of ${brandName}.`,
      'Its arrival shows that mails are sent.',
    ],
    ...{ button: 'Open the System page', url },
  })
}

async function deleteFailing(sql: Sql, userId: string): Promise<void> {
  await sql`
    delete from mails where mail_id in (
      select mail_id from test_mails where user_id = ${userId} and state = 'WAITING' and answered_at is not null)`
}

async function insertTestMail(
  sql: Sql,
  {
    mailId,
    userId,
    recipient,
    now,
  }: Pick<TestMail, 'mailId' | 'recipient'> & { readonly userId: string; readonly now: Date },
): Promise<boolean> {
  const rows = await sql`
    insert into test_mails as t (user_id, mail_id, recipient, state, attempts, recorded_at)
    values (${userId}, ${mailId}, ${recipient}, 'WAITING', 0, ${now})
    on conflict (user_id) do update set
      mail_id = excluded.mail_id, recipient = excluded.recipient, state = 'WAITING', attempts = 0, recorded_at = excluded.recorded_at,
      answer = null, answered_at = null
    where t.state <> 'WAITING' or t.answered_at is not null
    returning 1`
  return rows.length > 0
}

export async function findTestMail(sql: Sql, userId: string): Promise<TestMail | null> {
  const [row] = await sql<
    (Omit<TestMail, 'answer' | 'answeredAt'> & { answer: string | null; answeredAt: Date | null })[]
  >`
    select mail_id as "mailId", recipient, state, attempts, recorded_at as "recordedAt", answer, answered_at as "answeredAt"
    from test_mails where user_id = ${userId}`
  return row === undefined ? null : present(row)
}
