import type { Revocations } from '../../access/tokens/revocations.ts'
import { revokeGrantsOfBusiness } from '../../access/tokens/store.ts'
import { reject } from '../../core/rejection.ts'
import { ApprovalPath } from '../../merchants/approvals/schema.ts'
import { revokeApproval as revokeApprovalRow } from '../../merchants/approvals/store.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { endOrderDeliveries } from '../deliveries/store.ts'
import { deleteOrderEvents } from '../event-streams/store.ts'
import { findHookIds } from '../hooks/store.ts'

type RevocationPorts = Pick<Ports, 'db' | 'clock' | 'telemetry' | 'dispatch'> & { readonly revocations: Revocations }

/** Revokes an approval. In this folder instead of approvals/, because revoking ends queued deliveries. */
export function revocationRoutes(ports: RevocationPorts): AnyRoute[] {
  return [
    route({
      method: 'DELETE',
      path: '/businesses/:businessId/approvals/:appId',
      name: 'revokeApproval',
      operation: 'approvals.manage',
      summary:
        'Revoke the approval of an app. Its tokens for the merchant end, and its waiting order notifications are dropped',
      params: ApprovalPath,
      answers: { 204: null },
      rejections: ['RESOURCE_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, db }) => {
        const of = { businessId: params.businessId.toLowerCase(), appId: uuidOfUrn(params.appId) }
        if (await revokeApproval({ ...ports, db }, of)) return answer(204)
        return reject('RESOURCE_NOT_FOUND', 'This business has no current approval of this app.')
      },
    }),
  ]
}

/**
 * Ends the approval of an app. In the same transaction, the app's tokens for the merchant end, and the waiting deliveries about the merchant's
 * orders end as ERRORED. `deliveries/end-undeliverable.ts` ends the rest of a longer queue; none of it is sent. The tokens become invalid at once
 * in this process, and within a second in every other process. Returns false if no approval was in force. Source: decisions 2, Refresh token;
 * decisions 7, Orders.
 */
export async function revokeApproval(
  { db, clock, telemetry, dispatch, revocations }: RevocationPorts,
  of: { businessId: string; appId: string },
): Promise<boolean> {
  const now = clock.now()
  return db.transaction(async ({ sql, afterCommit }) => {
    if (!(await revokeApprovalRow(sql, { ...of, now }))) return false
    const ended = await revokeGrantsOfBusiness(sql, { ...of, now })
    afterCommit(() => revocations.add(ended, now))
    const cancelled = await endOrderDeliveries(sql, { ...of, reason: 'approval_revoked', now })
    await deleteOrderEvents(sql, of)
    const hookIds = cancelled.length === 0 ? [] : await findHookIds(sql, of)
    afterCommit(() => dispatch?.changed(hookIds))
    afterCommit(() => telemetry?.gaveUp(cancelled))
    return true
  })
}
