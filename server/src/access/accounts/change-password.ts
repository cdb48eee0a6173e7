import type { SignedIn } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { passwordProblem, type User } from '../../core/user.ts'
import type { Ready } from '../../platform/db/db.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import { clearAttempts, countAttempt, passwordThrottle, type Source } from '../../platform/throttles/throttle.ts'
import { hashPassword, verifyPassword } from '../../platform/vault/password.ts'
import type { Ports } from '../../ports.ts'
import { endSessionsOfUser } from '../sessions/store.ts'
import { findUser, replacePassword } from '../users/store.ts'
import { passwordChangedMail } from './words.ts'

export interface Confirmed extends Source {
  readonly person: Pick<SignedIn, 'userId' | 'sessionId'>
  readonly password: string
}

/** A stolen session must not be enough: sensitive changes ask for the password. Each attempt counts. */
export async function confirmPassword(
  ports: Pick<Ports, 'db' | 'clock'>,
  { person, password, ...source }: Confirmed,
): Promise<User | Rejection> {
  const user = await findUser(ports.db.sql, person.userId)
  if (user === null) return wrongPassword()
  const throttle = passwordThrottle(user.email, source)
  const rejection = await countAttempt(ports, throttle)
  if (rejection !== null) return rejection
  if (!(await verifyPassword(password, user.passwordHash))) return wrongPassword()
  await clearAttempts(ports, throttle)
  return user
}

type ChangePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>
type Change = Confirmed & { readonly newPassword: string }

/**
 * Changes the password after checking the current one. The person's other sessions end, and a mail informs the person. Counting the attempt, which
 * must survive a rollback, and hashing, which takes too long, happen before the transaction.
 */
export async function provePasswordChange(
  ports: ChangePorts,
  { newPassword, ...input }: Change,
): Promise<Ready<'changed'> | Rejection> {
  const user = await confirmPassword(ports, input)
  if (isRejection(user)) return user
  const problem = passwordProblem('newPassword', newPassword, [user.email, user.name])
  if (problem !== null) return problem
  const passwordHash = await hashPassword(newPassword)
  const now = ports.clock.now()
  return db =>
    db.transaction(async tx => {
      // A reset link may have set another password in the meantime. The caller then knows only the old password.
      if (!(await replacePassword(tx.sql, user, passwordHash, now))) return wrongPassword()
      await endSessionsOfUser(tx.sql, user.userId, now, input.person.sessionId)
      await recordMail({ ...ports, db: tx }, passwordChangedMail(user))
      return 'changed' as const
    })
}

function wrongPassword(): Rejection {
  return reject('INVALID_CREDENTIALS', 'This is not your password.')
}
