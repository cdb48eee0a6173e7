import type { Revocations } from '../../access/tokens/revocations.ts'
import { revokeGrantsOfBusiness } from '../../access/tokens/store.ts'
import { revokeApproval as revokeApprovalRow } from '../../merchants/approvals/store.ts'
import type { Ports } from '../../ports.ts'
import { endOrderDeliveries } from '../deliveries/store.ts'
import { deleteOrderEvents } from '../event-streams/store.ts'
import { findHookIds } from '../hooks/store.ts'

/**
 * Ends the approval of an app; its tokens for the merchant end, and what waits to tell it of the merchant's orders ends as ERRORED, in the same transaction.
 * The rest of a longer queue is not sent: `deliveries/end-undeliverable.ts` ends it.
 * The tokens are worth nothing at once here, within a second in every other process.
 * False when there was no approval in force. Source: decisions 2, Refresh token; decisions 7, Orders.
 */
export async function revokeApproval(
  {
    db,
    clock,
    telemetry,
    dispatch,
    revocations,
  }: Pick<Ports, 'db' | 'clock' | 'telemetry' | 'dispatch'> & { readonly revocations: Revocations },
  of: { businessId: string; appId: string },
): Promise<boolean> {
  const now = clock.now()
  return db.transaction(async tx => {
    const { sql } = tx
    if (!(await revokeApprovalRow(sql, { ...of, now }))) return false
    const ended = await revokeGrantsOfBusiness(sql, { ...of, now })
    tx.afterCommit(() => revocations.add(ended, now))
    const unheard = await endOrderDeliveries(sql, { ...of, reason: 'approval_revoked', now })
    await deleteOrderEvents(sql, of)
    const hookIds = unheard.length === 0 ? [] : await findHookIds(sql, of)
    tx.afterCommit(() => dispatch?.changed(hookIds))
    tx.afterCommit(() => telemetry?.gaveUp(unheard))
    return true
  })
}
