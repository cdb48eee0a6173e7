import { revokeApproval as revokeApprovalRow } from '../approvals/store.ts'
import { endOrderDeliveries } from '../deliveries/store.ts'
import type { Ports } from '../ports.ts'
import { revokeGrantsOfBusiness } from '../tokens/store.ts'

/**
 * Ends the approval of an app; its tokens for the merchant end, and what waits to tell it of the merchant's orders ends as ERRORED, in the same transaction.
 * False when there was no approval in force. Source: decisions 2, Refresh token; decisions 7, Orders.
 */
export async function revokeApproval(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  of: { businessId: string; appId: string },
): Promise<boolean> {
  const now = clock.now()
  return db.transaction(async ({ sql }) => {
    if (!(await revokeApprovalRow(sql, { ...of, now }))) return false
    await revokeGrantsOfBusiness(sql, { ...of, now })
    await endOrderDeliveries(sql, { ...of, reason: 'approval_revoked', now })
    return true
  })
}
