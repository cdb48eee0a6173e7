import { isRejection } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { approve } from './approve.ts'
import {
  ApprovalAnswer,
  ApprovalListAnswer,
  ApprovalsPath,
  approvalsToJson,
  approvalToJson,
  NewApproval,
} from './schema.ts'
import { findApprovals } from './store.ts'

export function approvalRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/businesses/:businessId/approvals',
      name: 'approveApp',
      operation: 'approvals.manage',
      summary: 'Approve an app, or change its approved rights',
      params: ApprovalsPath,
      body: NewApproval,
      answers: { 200: ApprovalAnswer, 201: ApprovalAnswer },
      rejections: ['APPLICATION_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params, body: { appId, rights }, db }) {
        const given = await approve(
          { ...ports, db },
          {
            businessId: params.businessId.toLowerCase(),
            appId: uuidOfUrn(appId),
            ...(rights === undefined ? {} : { rights }),
          },
        )
        return isRejection(given) ? given : answer(given.isNew ? 201 : 200, approvalToJson(given.approval))
      },
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/approvals',
      name: 'listApprovals',
      operation: 'approvals.read',
      summary: 'List the apps that a business has approved',
      params: ApprovalsPath,
      answers: { 200: ApprovalListAnswer },
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, db }) => answer(200, approvalsToJson(await findApprovals(db.sql, params.businessId))),
    }),
  ]
}
