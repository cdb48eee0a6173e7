import type { SignedIn } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { User } from '../../core/user.ts'
import { findBrand } from '../../platform/brand/store.ts'
import type { Ready, Sql } from '../../platform/db/db.ts'
import { clearAttempts, codeThrottle, countAttempt, uncountAttempt } from '../../platform/throttles/throttle.ts'
import type { Ports } from '../../ports.ts'
import {
  hashRecoveryCode,
  makeRecoveryCodes,
  proveSecondFactor,
  SECRET_PURPOSE,
  type SecondCode,
  takeCode,
} from '../second-factors/prove.ts'
import {
  confirmSecondFactor,
  deleteSecondFactor,
  findSecondFactor,
  replaceRecoveryCodes,
  saveSecret,
} from '../second-factors/store.ts'
import { makeSecret, otpauthUri } from '../second-factors/totp.ts'
import { forgetProof, recordMfa } from '../sessions/store.ts'
import { findUser } from '../users/store.ts'
import { type Confirmed, confirmPassword } from './change-password.ts'

type FactorPorts = Pick<Ports, 'db' | 'clock' | 'vault'>

export interface SetUp {
  /** In base 32, for typing on a device without a camera. */
  readonly secret: string
  readonly otpauthUri: string
}

/**
 * Creates the secret for an authenticator app. The factor counts after its first correct code (`proveConfirmation`). The password is checked before
 * the transaction, so that the attempt stays counted; the functions below do likewise.
 */
export async function proveSetUp(ports: FactorPorts, input: Confirmed): Promise<Ready<SetUp> | Rejection> {
  const user = await confirmPassword(ports, input)
  if (isRejection(user)) return user
  const secret = makeSecret()
  const sealed = ports.vault.seal(SECRET_PURPOSE, secret)
  return async db => {
    const isSaved = await db.transaction(tx => saveSecret(tx.sql, user.userId, sealed, ports.clock.now()))
    if (!isSaved) return reject('SECOND_FACTOR_EXISTS', 'Remove the existing second factor first.')
    return { secret, otpauthUri: await uriOf(db.sql, secret, user) }
  }
}

/** The secret of an unconfirmed factor, or null. */
export async function findSetUp({ db, vault }: FactorPorts, person: SignedIn): Promise<SetUp | null> {
  const [factor, user] = [await findSecondFactor(db.sql, person.userId), await findUser(db.sql, person.userId)]
  if (factor === null || user === null || factor.confirmedAt !== null) return null
  const secret = vault.openText(SECRET_PURPOSE, factor.secret)
  return { secret, otpauthUri: await uriOf(db.sql, secret, user) }
}

async function uriOf(sql: Sql, secret: string, { email }: Pick<User, 'email'>): Promise<string> {
  const { name: issuer } = await findBrand(sql)
  return otpauthUri(secret, { issuer, email })
}

export interface FirstCode {
  readonly person: Pick<SignedIn, 'userId' | 'sessionId'>
  readonly totp: string
}

type Codes = readonly string[]

/**
 * Confirms the factor with its first code: sign-in asks for a code from now on. Returns the recovery codes, which are shown this once. Counts the
 * attempt and leaves the use of the code to the transaction: a transaction that fails uses no code.
 */
export async function proveConfirmation(
  ports: FactorPorts,
  { person, totp }: FirstCode,
): Promise<Ready<Codes> | Rejection> {
  const factor = await findSecondFactor(ports.db.sql, person.userId)
  if (factor === null) return reject('SECOND_FACTOR_MISSING', 'Set up a second factor first.')
  if (factor.confirmedAt !== null) return alreadyConfirmed()
  const throttle = codeThrottle(person.userId)
  const rejection = await countAttempt(ports, throttle)
  if (rejection !== null) return rejection
  const [codes, now] = [makeRecoveryCodes(), ports.clock.now()]
  return db =>
    db.transaction(async tx => {
      if (!(await takeCode({ ...ports, db: tx }, person.userId, factor, totp))) return wrongCode()
      await clearAttempts({ db: tx }, throttle)
      if (!(await confirmSecondFactor(tx.sql, person.userId, now))) return alreadyConfirmed()
      await replaceRecoveryCodes(tx.sql, person.userId, codes.map(hashRecoveryCode), now)
      await recordMfa(tx.sql, person.sessionId, now)
      return codes
    })
}

/** Removes the factor, for a new app or phone. An operator loses the rights that need MFA until a new factor is confirmed. */
export function proveRemoval(ports: FactorPorts, input: Confirmed & SecondCode): Promise<Ready<'removed'> | Rejection> {
  return withBoth(ports, input, async (sql, userId) => {
    await deleteSecondFactor(sql, userId)
    await forgetProof(sql, userId)
    return 'removed' as const
  })
}

/** Replaces the recovery codes. The new codes are returned only once. */
export function proveRenewal(ports: FactorPorts, input: Confirmed & SecondCode): Promise<Ready<Codes> | Rejection> {
  const codes = makeRecoveryCodes()
  return withBoth(ports, input, async (sql, userId) => {
    await replaceRecoveryCodes(sql, userId, codes.map(hashRecoveryCode), ports.clock.now())
    return codes
  })
}

/** Uncounts the attempt if the same request was answered in the meantime: two copies of a request are one attempt. */
export function uncountCodeAttempt(ports: FactorPorts, person: Pick<SignedIn, 'userId'>): Promise<void> {
  return uncountAttempt(ports, codeThrottle(person.userId))
}

/** Runs work that needs the password and a code. The code is used together with the work or not at all. */
async function withBoth<T>(
  ports: FactorPorts,
  input: Confirmed & SecondCode,
  work: (sql: Sql, userId: string) => Promise<T>,
): Promise<Ready<T> | Rejection> {
  const user = await confirmPassword(ports, input)
  if (isRejection(user)) return user
  const factor = await findSecondFactor(ports.db.sql, user.userId)
  if (factor === null || factor.confirmedAt === null) {
    return reject('SECOND_FACTOR_MISSING', 'There is no second factor.')
  }
  const throttle = codeThrottle(user.userId, input)
  const rejection = await countAttempt(ports, throttle)
  if (rejection !== null) return rejection
  return db =>
    db.transaction(async (tx): Promise<T | Rejection> => {
      if (!(await proveSecondFactor({ ...ports, db: tx }, user.userId, input))) return wrongCode()
      await clearAttempts({ db: tx }, throttle)
      return work(tx.sql, user.userId)
    })
}

function alreadyConfirmed(): Rejection {
  return reject('SECOND_FACTOR_EXISTS', 'The second factor is confirmed already.')
}

function wrongCode(): Rejection {
  return reject('SECOND_FACTOR_REJECTED', 'The code is wrong or was used before. Wait for the next code.')
}
