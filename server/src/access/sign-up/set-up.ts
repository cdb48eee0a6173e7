import { assert } from '../../core/assert.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { passwordProblem, type User } from '../../core/user.ts'
import type { Sql } from '../../platform/db/db.ts'
import { addressKeys, clearAttempts, countAttempt } from '../../platform/throttles/throttle.ts'
import { hashPassword } from '../../platform/vault/password.ts'
import type { Ports } from '../../ports.ts'
import { insertMembership, lockAdmins } from '../memberships/store.ts'
import { lockOperatorKeys, type OperatorKey } from '../operator-keys/ensure-operator-key.ts'
import { type Opened, type Origin, signIn } from '../sessions/sign-in.ts'
import { insertUser } from '../users/store.ts'

export interface SetUpInput {
  readonly key: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly from: Origin
}

/** True until a person can sign in as the operator. */
export async function needsSetUp(sql: Sql): Promise<boolean> {
  return (await lockAdmins(sql, { kind: 'OPERATOR' })).length === 0
}

/**
 * Creates the first administrator of the operator and signs the person in. Requires the operator key; attempts are throttled by address. Of
 * two concurrent calls one succeeds. Rejects: INVALID_CREDENTIALS for a wrong key, INVALID_PARAMETER for a weak password,
 * ACCOUNT_EXISTS, TOO_MANY_REQUESTS. 'done': the operator has an administrator already.
 */
export async function setUp(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'> & { readonly operatorKey: Pick<OperatorKey, 'verify'> },
  { key, name, email, password, from }: SetUpInput,
): Promise<Opened | 'done' | Rejection> {
  const { db, clock, newId, operatorKey } = ports
  const throttle = { kind: 'operator key', keys: addressKeys(from.address) }
  const wait = await countAttempt(ports, throttle)
  if (wait !== null) return wait
  if (!operatorKey.verify(key)) return reject('INVALID_CREDENTIALS', 'This is not the operator key.')
  await clearAttempts(ports, throttle)
  const problem = passwordProblem('password', password, [email, name])
  if (problem !== null) return problem
  const now = clock.now()
  const user: User = {
    ...{ userId: newId(), email, name, passwordHash: await hashPassword(password), status: 'ACTIVE' },
    ...{ createdAt: now, updatedAt: now },
  }
  const made = await db.transaction(async ({ sql }): Promise<'made' | 'done' | Rejection> => {
    await lockOperatorKeys(sql)
    if (!(await needsSetUp(sql))) return 'done'
    if (!(await insertUser(sql, user))) return reject('ACCOUNT_EXISTS', 'This address has an account: use another one.')
    const membership = { membershipId: newId(), userId: user.userId, role: 'ADMIN', createdAt: now } as const
    const isNew = await insertMembership(sql, { ...membership, workspace: { kind: 'OPERATOR' } })
    assert(isNew, `a new account that is a member already: ${user.userId}`)
    return 'made'
  })
  return made !== 'made' ? made : signIn(ports, { email, password, from })
}
