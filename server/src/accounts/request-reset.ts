import type { Refusal } from '../core/refusal.ts'
import type { Db } from '../db/db.ts'
import { recordMail } from '../mails/record.ts'
import type { Ports } from '../ports.ts'
import { resetTries } from '../throttles/kinds.ts'
import { takeTry } from '../throttles/throttle.ts'
import { findUserByEmail } from '../users/store.ts'
import { hashSecret, makeSecret } from '../vault/secret.ts'
import { insertReset, insertResetRequest, takeResetRequests } from './reset-store.ts'
import { resetMail } from './words.ts'

/** Mail may be slow; an hour is long for a thief of one. */
const RESET_LIFETIME_MS = 3_600_000

const PURPOSE = 'password reset request'
const BATCH = 50

/**
 * Notes that a mailbox shall be sent a link, if somebody has it for an address. Whether somebody has is not looked at here, so
 * that neither an answer nor the time it takes tells. Each request counts.
 */
export async function requestReset(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>,
  { email, address }: { readonly email: string; readonly address: string },
): Promise<'asked' | Refusal> {
  const refusal = await takeTry(ports, resetTries(email, address))
  if (refusal !== null) return refusal
  const sealed = ports.vault.seal(PURPOSE, email)
  await insertResetRequest(ports.db.sql, { requestId: ports.newId(), sealed, createdAt: ports.clock.now() })
  return 'asked'
}

/** Sends their links to those who asked and have an account: request, link and mail change in one transaction. Gives how many asked. */
export function sendResetLinks(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>): Promise<number> {
  return ports.db.transaction(async db => {
    const asked = await takeResetRequests(db.sql, BATCH)
    for (const sealed of asked) await sendLink({ ...ports, db }, ports.vault.openText(PURPOSE, sealed))
    return asked.length
  })
}

async function sendLink(
  ports: { readonly db: Db } & Pick<Ports, 'clock' | 'newId' | 'vault' | 'settings'>,
  email: string,
): Promise<void> {
  const user = await findUserByEmail(ports.db.sql, email)
  if (user === null || user.status !== 'ACTIVE') return
  const [resetId, secret, now] = [ports.newId(), makeSecret(), ports.clock.now()]
  await insertReset(ports.db.sql, {
    ...{ resetId, userId: user.userId, secretHash: hashSecret(secret) },
    ...{ createdAt: now, expiresAt: new Date(now.getTime() + RESET_LIFETIME_MS) },
  })
  await recordMail(ports, resetMail(user, `${ports.settings.baseUrl}/reset-password/new?secret=${secret}`))
}
