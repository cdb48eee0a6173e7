import type { SignedIn } from '../core/principal.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import type { Ports } from '../ports.ts'
import { proveSecondFactor, SECRET_PURPOSE, type SecondCode, takeCode } from '../second-factors/prove.ts'
import { hashRecoveryCode, makeRecoveryCodes } from '../second-factors/recovery-codes.ts'
import {
  confirmSecondFactor,
  deleteSecondFactor,
  findSecondFactor,
  replaceRecoveryCodes,
  saveSecret,
} from '../second-factors/store.ts'
import { makeSecret, otpauthUri } from '../second-factors/totp.ts'
import { forgetProof, noteProven } from '../sessions/store.ts'
import { codeTries } from '../throttles/kinds.ts'
import { forgetTries, takeTry } from '../throttles/throttle.ts'
import { findUser } from '../users/store.ts'
import { type Confirmed, confirmPassword } from './change-password.ts'

type FactorPorts = Pick<Ports, 'db' | 'clock' | 'vault'>

export interface SetUp {
  /** In base 32, to be typed where no camera is. */
  readonly secret: string
  readonly otpauthUri: string
}

/** Makes the secret for an authenticator app. It counts once a code of it was right: `confirmFactor`. */
export async function setUpFactor(ports: FactorPorts, input: Confirmed): Promise<SetUp | Refusal> {
  const user = await confirmPassword(ports, input)
  if (isRefusal(user)) return user
  const secret = makeSecret()
  const sealed = ports.vault.seal(SECRET_PURPOSE, secret)
  const isSaved = await ports.db.transaction(tx => saveSecret(tx.sql, user.userId, sealed, ports.clock.now()))
  if (!isSaved) return refuse('SECOND_FACTOR_EXISTS', 'Remove the second factor that there is first.')
  return { secret, otpauthUri: otpauthUri(secret, user.email) }
}

/** The secret again, while it waits to be confirmed; null: there is none. */
export async function findSetUp({ db, vault }: FactorPorts, person: SignedIn): Promise<SetUp | null> {
  const [factor, user] = [await findSecondFactor(db.sql, person.userId), await findUser(db.sql, person.userId)]
  if (factor === null || user === null || factor.confirmedAt !== null) return null
  const secret = vault.openText(SECRET_PURPOSE, factor.secret)
  return { secret, otpauthUri: otpauthUri(secret, user.email) }
}

/** Confirms it by a first code: from now on signing in asks for one. Gives the recovery codes, told this once. */
export async function confirmFactor(
  ports: FactorPorts,
  { person, totp }: { person: Pick<SignedIn, 'userId' | 'sessionId'>; totp: string },
): Promise<readonly string[] | Refusal> {
  const { db, clock } = ports
  const factor = await findSecondFactor(db.sql, person.userId)
  if (factor === null) return refuse('SECOND_FACTOR_MISSING', 'Set up a second factor first.')
  if (factor.confirmedAt !== null) return refuse('SECOND_FACTOR_EXISTS', 'The second factor is confirmed already.')
  const tries = codeTries(person.userId)
  const refusal = await takeTry(ports, tries)
  if (refusal !== null) return refusal
  if (!(await takeCode(ports, person.userId, factor, totp))) return wrongCode()
  await forgetTries(ports, tries)
  const [codes, now] = [makeRecoveryCodes(), clock.now()]
  const isConfirmed = await db.transaction(async ({ sql }) => {
    if (!(await confirmSecondFactor(sql, person.userId, now))) return false
    await replaceRecoveryCodes(sql, person.userId, codes.map(hashRecoveryCode), now)
    await noteProven(sql, person.sessionId, now)
    return true
  })
  return isConfirmed ? codes : refuse('SECOND_FACTOR_EXISTS', 'The second factor is confirmed already.')
}

/** Removes it, for another app or another phone. An operator is unproven again until there is a new one. */
export async function removeFactor(ports: FactorPorts, input: Confirmed & SecondCode): Promise<'removed' | Refusal> {
  const user = await confirmPassword(ports, input)
  if (isRefusal(user)) return user
  const refusal = await problemOf(ports, input)
  if (refusal !== null) return refusal
  return ports.db.transaction(async ({ sql }) => {
    await deleteSecondFactor(sql, user.userId)
    await forgetProof(sql, user.userId)
    return 'removed' as const
  })
}

/** Makes new recovery codes in place of the old ones. Told this once. */
export async function renewRecoveryCodes(
  ports: FactorPorts,
  input: Confirmed & SecondCode,
): Promise<readonly string[] | Refusal> {
  const user = await confirmPassword(ports, input)
  if (isRefusal(user)) return user
  const refusal = await problemOf(ports, input)
  if (refusal !== null) return refusal
  const codes = makeRecoveryCodes()
  await ports.db.transaction(({ sql }) =>
    replaceRecoveryCodes(sql, user.userId, codes.map(hashRecoveryCode), ports.clock.now()),
  )
  return codes
}

async function problemOf(ports: FactorPorts, { person, ...input }: Confirmed & SecondCode): Promise<Refusal | null> {
  const factor = await findSecondFactor(ports.db.sql, person.userId)
  if (factor === null || factor.confirmedAt === null) {
    return refuse('SECOND_FACTOR_MISSING', 'There is no second factor.')
  }
  const tries = codeTries(person.userId, input)
  const refusal = await takeTry(ports, tries)
  if (refusal !== null) return refusal
  if (!(await proveSecondFactor(ports, person.userId, input))) return wrongCode()
  await forgetTries(ports, tries)
  return null
}

function wrongCode(): Refusal {
  return refuse('SECOND_FACTOR_REFUSED', 'The code is not right, or was used before. Wait for the next one.')
}
