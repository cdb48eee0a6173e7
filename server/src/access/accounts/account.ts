import { assert } from '../../core/assert.ts'
import type { Db } from '../../platform/db/db.ts'
import { countRecoveryCodes, findSecondFactor } from '../second-factors/store.ts'
import { findUser } from '../users/store.ts'

export interface Account {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly hasSecondFactor: boolean
  readonly recoveryCodesLeft: number
}

/** The signed-in person's account. */
export async function findAccount({ sql }: Pick<Db, 'sql'>, userId: string): Promise<Account> {
  const [user, factor] = [await findUser(sql, userId), await findSecondFactor(sql, userId)]
  assert(user !== null, 'who is signed in is there')
  const hasSecondFactor = factor !== null && factor.confirmedAt !== null
  const recoveryCodesLeft = await countRecoveryCodes(sql, userId)
  return { userId: user.userId, email: user.email, name: user.name, hasSecondFactor, recoveryCodesLeft }
}
