import { type BusinessUser, TERMINAL_SESSION_IDLE_MS } from '../../core/business-user.ts'
import type { TerminalPrincipal, TerminalUser } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { PATIENCE_WITH_ADDRESS, PATIENCE_WITH_ONE } from '../../core/throttle.ts'
import { clearAttempts, countAttempt, type Throttled } from '../../platform/throttles/throttle.ts'
import { isOutdated } from '../../platform/vault/password.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import type { Revocations } from '../tokens/revocations.ts'
import { revokeGrantsOfUser } from '../tokens/store.ts'
import { hashPasscode, verifyPasscode } from './passcode.ts'
import { endTerminalSession, insertTerminalSession } from './session-store.ts'
import { findBusinessUser, savePasscodeHash } from './store.ts'

export interface SignedInAtTerminal {
  readonly sessionToken: string
  readonly user: BusinessUser
  /** Moves with each use. */
  readonly expiresAt: Date
}

type SignInPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>

/**
 * A business user signs in on a terminal of the business. An unknown user, a disabled one and a wrong passcode get the same
 * answer after the same time; guessing is slowed down for the user and for the terminal. Source: decisions 9.
 */
export async function signInAtTerminal(
  ports: SignInPorts,
  {
    terminal,
    userId,
    passcode,
  }: {
    readonly terminal: TerminalPrincipal
    readonly userId: string
    readonly passcode: string
  },
): Promise<SignedInAtTerminal | Rejection> {
  const { db, clock, newId, vault } = ports
  const { businessId, deviceId } = terminal
  const throttle: Throttled = {
    kind: 'passcode',
    keys: [
      { key: `${businessId}/${userId.toLowerCase()}`, patience: PATIENCE_WITH_ONE },
      { key: deviceId, patience: PATIENCE_WITH_ADDRESS },
    ],
  }
  const rejection = await countAttempt(ports, throttle)
  if (rejection !== null) return rejection
  const stored = await findBusinessUser(db.sql, { businessId, userId })
  const isRight = await verifyPasscode(vault, passcode, stored?.status === 'ACTIVE' ? stored.passcodeHash : null)
  if (stored === null || !isRight) return wrong()
  const { passcodeHash, ...user } = stored
  // The prefix identifies a leaked token.
  const sessionToken = `tus_${makeSecret()}`
  const now = clock.now()
  const session = {
    ...{ sessionId: newId(), tokenHash: hashSecret(sessionToken) },
    ...{ businessUserId: user.businessUserId, deviceId, passcodeHash },
  }
  // They may have been locked out since they were read.
  if (!(await insertTerminalSession(db.sql, session, now))) return wrong()
  await clearAttempts(ports, throttle)
  await hashAnew(ports, user, passcode, passcodeHash)
  return { sessionToken, user, expiresAt: new Date(now.getTime() + TERMINAL_SESSION_IDLE_MS) }
}

async function hashAnew(
  { db, vault }: Pick<Ports, 'db' | 'vault'>,
  { businessUserId }: BusinessUser,
  passcode: string,
  before: string,
): Promise<void> {
  if (!isOutdated(before)) return
  await savePasscodeHash(db.sql, { businessUserId, before, after: await hashPasscode(vault, passcode) })
}

function wrong(): Rejection {
  return reject('INVALID_PASSCODE', 'There is no active user of this business with this userId and passcode.')
}

/** Ends the session and the tokens issued to apps on that terminal for the user: at once in this process, within a second in others. */
export function signOutAtTerminal(
  { db, clock, revocations }: Pick<Ports, 'db' | 'clock'> & { readonly revocations: Revocations },
  { user, deviceId }: { readonly user: TerminalUser; readonly deviceId: string },
): Promise<void> {
  const now = clock.now()
  return db.transaction(async tx => {
    await endTerminalSession(tx.sql, user.sessionId, now)
    const ended = await revokeGrantsOfUser(tx.sql, user.businessUserId, now, deviceId)
    tx.afterCommit(() => revocations.add(ended, now))
  })
}
