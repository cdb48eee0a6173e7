import { type Refusal, refuse } from '../core/refusal.ts'
import { passwordProblem } from '../core/user.ts'
import { recordMail } from '../mails/record.ts'
import type { Ports } from '../ports.ts'
import { endSessionsOfUser } from '../sessions/store.ts'
import { passwordTries, resetTries } from '../throttles/kinds.ts'
import { forgetTries, takeTry } from '../throttles/throttle.ts'
import { findUser, findUserByEmail, updatePassword } from '../users/store.ts'
import { hashPassword } from '../vault/password.ts'
import { hashSecret, makeSecret } from '../vault/secret.ts'
import { findUserOfReset, insertReset, purgeResets as purgeBatch, useReset } from './reset-store.ts'
import { passwordChangedMail, resetMail } from './words.ts'

/** Mail may be slow; an hour is long for a thief of one. */
const RESET_LIFETIME_MS = 3_600_000

type ResetPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>

/** Sends a link to the mailbox, if somebody has it for an address. Who asks is not told which. Each request counts. */
export async function requestReset(
  ports: ResetPorts,
  { email, address }: { readonly email: string; readonly address: string },
): Promise<'asked' | Refusal> {
  const refusal = await takeTry(ports, resetTries(email, address))
  if (refusal !== null) return refusal
  const user = await findUserByEmail(ports.db.sql, email)
  if (user === null || user.status !== 'ACTIVE') return 'asked'
  const [resetId, secret, now] = [ports.newId(), makeSecret(), ports.clock.now()]
  const expiresAt = new Date(now.getTime() + RESET_LIFETIME_MS)
  const link = `${ports.settings.baseUrl}/reset-password/new?secret=${secret}`
  await ports.db.transaction(async tx => {
    await insertReset(tx.sql, {
      resetId,
      userId: user.userId,
      secretHash: hashSecret(secret),
      createdAt: now,
      expiresAt,
    })
    await recordMail({ ...ports, db: tx }, resetMail(user, link))
  })
  return 'asked'
}

/** Whether the link is still good. */
export async function isOpenReset({ db, clock }: Pick<Ports, 'db' | 'clock'>, secret: string): Promise<boolean> {
  return (await findUserOfReset(db.sql, hashSecret(secret), clock.now())) !== null
}

/** Sets a new password by a link, once. Every session of the person ends, and their mailbox is told. */
export async function completeReset(
  ports: Omit<ResetPorts, 'settings'>,
  { secret, newPassword, address }: { readonly secret: string; readonly newPassword: string; readonly address: string },
): Promise<'changed' | Refusal> {
  const secretHash = hashSecret(secret)
  const userId = await findUserOfReset(ports.db.sql, secretHash, ports.clock.now())
  const user = userId === null ? null : await findUser(ports.db.sql, userId)
  if (user === null) return notOpen()
  const problem = passwordProblem('newPassword', newPassword, [user.email, user.name])
  if (problem !== null) return problem
  const passwordHash = await hashPassword(newPassword)
  const now = ports.clock.now()
  const outcome = await ports.db.transaction(async tx => {
    if (!(await useReset(tx.sql, user.userId, secretHash, now))) return notOpen()
    await updatePassword(tx.sql, user.userId, passwordHash, now)
    await endSessionsOfUser(tx.sql, user.userId, now, null)
    await recordMail({ ...ports, db: tx }, passwordChangedMail(user))
    return 'changed' as const
  })
  // What others tried meanwhile shall not keep the owner out: the password they guessed at is gone.
  if (outcome === 'changed') await forgetTries(ports, passwordTries(user.email, address))
  return outcome
}

const BATCH = 1_000
const KEPT_MS = 30 * 24 * 3_600_000

/** Deletes one batch of links that were over long ago. Gives how many; less than a batch means that it is done. */
export function purgeResets({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeBatch(db.sql, new Date(clock.now().getTime() - KEPT_MS), BATCH)
}

function notOpen(): Refusal {
  return refuse('PASSWORD_RESET_NOT_FOUND', 'No open reset has this secret: it was used, or is over, or never was.')
}
