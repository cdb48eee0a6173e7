import { type Rejection, reject } from '../../core/rejection.ts'
import { passwordProblem } from '../../core/user.ts'
import type { Ready } from '../../platform/db/db.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import { clearAttempts, passwordThrottle } from '../../platform/throttles/throttle.ts'
import { hashPassword } from '../../platform/vault/password.ts'
import { hashSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { endSessionsOfUser } from '../sessions/store.ts'
import { findUser, updatePassword } from '../users/store.ts'
import { findUserOfReset, useReset } from './reset-store.ts'
import { passwordChangedMail } from './words.ts'

/** Whether the link is still good. */
export async function isOpenReset({ db, clock }: Pick<Ports, 'db' | 'clock'>, secret: string): Promise<boolean> {
  return (await findUserOfReset(db.sql, hashSecret(secret), clock.now())) !== null
}

type ResetPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>

interface Reset {
  readonly secret: string
  readonly newPassword: string
  readonly address: string
}

/**
 * Sets a new password by a link, once. Every session of the person ends, and a mail informs them. Hashing takes too long for a transaction and happens
 * before.
 */
export async function proveReset(
  ports: ResetPorts,
  { secret, newPassword, address }: Reset,
): Promise<Ready<'changed'> | Rejection> {
  const secretHash = hashSecret(secret)
  const userId = await findUserOfReset(ports.db.sql, secretHash, ports.clock.now())
  const user = userId === null ? null : await findUser(ports.db.sql, userId)
  if (user === null) return notOpen()
  const problem = passwordProblem('newPassword', newPassword, [user.email, user.name])
  if (problem !== null) return problem
  const passwordHash = await hashPassword(newPassword)
  const now = ports.clock.now()
  return db =>
    db.transaction(async tx => {
      if (!(await useReset(tx.sql, user.userId, secretHash, now))) return notOpen()
      await updatePassword(tx.sql, user.userId, passwordHash, now)
      await endSessionsOfUser(tx.sql, user.userId, now, null)
      await recordMail({ ...ports, db: tx }, passwordChangedMail(user))
      // Failed attempts by others must not keep the owner out: the guessed password is gone.
      await clearAttempts({ db: tx }, passwordThrottle(user.email, { address }))
      return 'changed' as const
    })
}

function notOpen(): Rejection {
  return reject('PASSWORD_RESET_NOT_FOUND', 'No open reset has this secret. The secret is wrong, used or expired.')
}
