import type { Revocations } from '../../access/tokens/revocations.ts'
import { reject } from '../../core/rejection.ts'
import { ApprovalPath } from '../../merchants/approvals/schema.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { revokeApproval } from './revoke-approval.ts'

/** Revokes an approval. In this folder instead of approvals/, because revoking ends queued deliveries. */
export function revocationRoutes(
  ports: Pick<Ports, 'db' | 'clock' | 'telemetry' | 'dispatch'> & { readonly revocations: Revocations },
): AnyRoute[] {
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
        return reject('RESOURCE_NOT_FOUND', 'This business has no approval of this app in force.')
      },
    }),
  ]
}
