import { findApp } from '../../catalog/apps/store.ts'
import type { Approval, ApprovalRight } from '../../core/approval.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { lockBusiness } from '../businesses/store.ts'
import { findApproval, saveApproval } from './store.ts'

export interface Approve {
  readonly businessId: string
  readonly appId: string
  readonly rights?: readonly ApprovalRight[]
}

/** Records a merchant's consent to an app. A repeated approval replaces the rights and lifts a revocation. Decisions 8 and 11. */
export async function approve(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { businessId, appId, rights = ['READ'] }: Approve,
): Promise<{ approval: Approval; isNew: boolean } | Rejection> {
  return db.transaction(async ({ sql }) => {
    // Locked: of two concurrent calls one creates the approval and the other updates it.
    if ((await lockBusiness(sql, businessId)) === null) {
      return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
    }
    if ((await findApp(sql, appId)) === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
    const isNew = (await findApproval(sql, businessId, appId)) === null
    const approval: Approval = { businessId, appId, rights: [...new Set(rights)].sort(), approvedAt: clock.now() }
    await saveApproval(sql, approval)
    return { approval, isNew }
  })
}
