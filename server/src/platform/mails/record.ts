import type { Ports } from '../../ports.ts'
import type { Db } from '../db/db.ts'
import type { Message } from '../mail/mail.ts'
import { insertMail } from './store.ts'

/** What the message is sealed for: it may hold a link that opens an account. */
export const MAIL_PURPOSE = 'mail'

/** Has a message sent once the transaction has committed, and not otherwise. Give it the transaction's database. */
export async function recordMail(
  { db, clock, newId, vault }: { readonly db: Db } & Pick<Ports, 'clock' | 'newId' | 'vault'>,
  message: Message,
): Promise<void> {
  const now = clock.now()
  const sealed = vault.seal(MAIL_PURPOSE, JSON.stringify(message))
  await insertMail(db.sql, { mailId: newId(), sealed, dueAt: now, createdAt: now })
}
