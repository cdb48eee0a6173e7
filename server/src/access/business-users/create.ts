import { type BusinessUser, passcodeProblem } from '../../core/business-user.ts'
import { type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { Ports } from '../../ports.ts'
import { hashPasscode } from './passcode.ts'
import { findBusinessUsers, insertBusinessUser } from './store.ts'

export interface CreateBusinessUser extends Pick<BusinessUser, 'businessId' | 'userId' | 'name' | 'role'> {
  /** Id of a form that may be sent twice: the second submission returns the first user. */
  readonly businessUserId?: string
  readonly passcode: string
}

/** Creates a user who signs in on the terminals of a business. Only a hash of the passcode is stored. Decisions 11. */
export async function createBusinessUser(
  { db, clock, newId, vault }: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>,
  { passcode, ...given }: CreateBusinessUser,
): Promise<BusinessUser | Rejection> {
  const problem = passcodeProblem(passcode, given.userId)
  if (problem !== null) return rejectField('passcode', problem)
  const now = clock.now()
  const passcodeHash = await hashPasscode(vault, passcode)
  const user: BusinessUser = {
    businessUserId: newId(),
    ...given,
    ...{ status: 'ACTIVE', createdAt: now, updatedAt: now },
  }
  return db.transaction(async ({ sql }) => {
    if ((await findBusiness(sql, user.businessId)) === null) {
      return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
    }
    if (await insertBusinessUser(sql, { ...user, passcodeHash })) return user
    const known = (await findBusinessUsers(sql, user.businessId)).find(
      one => one.businessUserId === user.businessUserId,
    )
    if (known !== undefined) return known
    return reject(
      'USER_ID_TAKEN',
      'Another user of this business has this userId. Upper and lower case count as equal.',
    )
  })
}
