import type { Rejection } from '../../core/rejection.ts'
import type { Db, Ready } from '../../platform/db/db.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import { countAttempt, resetThrottle, uncountAttempt } from '../../platform/throttles/throttle.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import { inLanguage, type PageLanguage, pageLanguage } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { findUserByEmail } from '../users/store.ts'
import { insertReset, insertResetRequest, takeResetRequests } from './reset-store.ts'
import { resetMail } from './words.ts'

/** A mail may arrive late, but a stolen mail must expire soon. */
const RESET_LIFETIME_MS = 3_600_000

const PURPOSE = 'password reset request'
const BATCH = 50

type AskPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>
type Asking = { readonly email: string; readonly address: string }

/**
 * Records that an address requests a link, with the language of the page for the mail. The account is not looked up here, so neither the answer
 * nor the time reveals an account. Each request counts, outside any transaction that may roll back.
 */
export async function proveAsking(ports: AskPorts, { email, address }: Asking): Promise<Ready<'asked'> | Rejection> {
  const rejection = await countAttempt(ports, resetThrottle(email, address))
  if (rejection !== null) return rejection
  return async db => {
    const sealed = ports.vault.seal(PURPOSE, `${pageLanguage()} ${email}`)
    await insertResetRequest(db.sql, { requestId: ports.newId(), sealed, createdAt: ports.clock.now() })
    return 'asked'
  }
}

/** Uncounts the request, because a concurrent request with the same id has finished. */
export function uncountAsking(ports: AskPorts, { email, address }: Asking): Promise<void> {
  return uncountAttempt(ports, resetThrottle(email, address))
}

/**
 * Sends the links of the recorded requests whose address has an account. Request, link and mail change in one transaction. Returns the
 * number of requests.
 */
export function sendResetLinks(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>): Promise<number> {
  return ports.db.transaction(async db => {
    const asked = await takeResetRequests(db.sql, BATCH)
    for (const sealed of asked) {
      const [language = '', email = ''] = ports.vault.openText(PURPOSE, sealed).split(' ')
      await inLanguage(language as PageLanguage, () => sendLink({ ...ports, db }, email))
    }
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
