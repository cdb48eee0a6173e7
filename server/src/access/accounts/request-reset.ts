import type { Rejection } from '../../core/rejection.ts'
import type { Db } from '../../platform/db/db.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import { countAttempt, resetThrottle, uncountAttempt } from '../../platform/throttles/throttle.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { findUserByEmail } from '../users/store.ts'
import { insertReset, insertResetRequest, takeResetRequests } from './reset-store.ts'
import { resetMail } from './words.ts'

/** Mail may be slow; an hour is long for a thief of one. */
const RESET_LIFETIME_MS = 3_600_000

const PURPOSE = 'password reset request'
const BATCH = 50

type AskPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>
type Asking = { readonly email: string; readonly address: string }

/**
 * Notes that a mailbox shall be sent a link, if somebody has it for an address. Whether somebody has is not looked at here, so
 * that neither an answer nor the time it takes tells. Each request counts.
 */
export async function requestReset(ports: AskPorts, input: Asking): Promise<'asked' | Rejection> {
  const rejection = await takeAsking(ports, input)
  if (rejection !== null) return rejection
  await noteAsking(ports, input.email)
  return 'asked'
}

/** Counts it, outside of any transaction that might be rolled back. */
export function takeAsking(ports: AskPorts, { email, address }: Asking): Promise<Rejection | null> {
  return countAttempt(ports, resetThrottle(email, address))
}

/** The same request was answered meanwhile. */
export function giveBackAsking(ports: AskPorts, { email, address }: Asking): Promise<void> {
  return uncountAttempt(ports, resetThrottle(email, address))
}

export async function noteAsking({ db, clock, newId, vault }: AskPorts, email: string): Promise<void> {
  const sealed = vault.seal(PURPOSE, email)
  await insertResetRequest(db.sql, { requestId: newId(), sealed, createdAt: clock.now() })
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
