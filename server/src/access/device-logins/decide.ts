import { type DeviceDecision, readUserCode } from '../../core/device-login.ts'
import type { SignedIn } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { countAttempt, deviceCodeThrottle, uncountAttempt } from '../../platform/throttles/throttle.ts'
import type { Ports } from '../../ports.ts'
import { decideDeviceLogin, findOpenDeviceLogin, type OpenDeviceLogin } from './store.ts'

interface Typed {
  readonly code: string
  readonly person: SignedIn
  readonly address: string
}

/**
 * The open login of a code. A code that was decided, has expired or never existed gets one answer and counts as a guess. `ports.db` is the
 * database of the process: a transaction could roll the count back.
 */
export async function findLoginOfCode(
  ports: Pick<Ports, 'db' | 'clock'>,
  { code, person, address }: Typed,
): Promise<OpenDeviceLogin | Rejection> {
  const attempts = deviceCodeThrottle(person.userId, address)
  const rejection = await countAttempt(ports, attempts)
  if (rejection !== null) return rejection
  const userCode = readUserCode(code)
  const login = userCode === null ? null : await findOpenDeviceLogin(ports.db.sql, userCode, ports.clock.now())
  if (login === null) return unknownCode()
  await uncountAttempt(ports, attempts)
  return login
}

/** Approves or denies the login for the person's current workspace, once. */
export async function decideLogin(
  ports: Pick<Ports, 'db' | 'clock'>,
  typed: Typed & { readonly decision: DeviceDecision },
): Promise<'decided' | Rejection> {
  const login = await findLoginOfCode(ports, typed)
  if (isRejection(login)) return login
  const { person, decision } = typed
  const decided = { userCode: login.userCode, decision, ...person }
  const isDecided = await decideDeviceLogin(ports.db.sql, decided, ports.clock.now())
  return isDecided ? 'decided' : unknownCode()
}

function unknownCode(): Rejection {
  return reject('DEVICE_LOGIN_NOT_FOUND', 'No login with this code waits for a decision.')
}
