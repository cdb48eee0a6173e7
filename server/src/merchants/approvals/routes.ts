import { given } from '../../core/given.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn, wholePage } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { approve } from './approve.ts'
import { ApprovalAnswer, ApprovalListAnswer, ApprovalsPath, approvalToJson, NewApproval } from './schema.ts'
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
        const input = given({ businessId: params.businessId.toLowerCase(), appId: uuidOfUrn(appId), rights })
        const approved = await approve({ ...ports, db }, input)
        return isRejection(approved) ? approved : answer(approved.isNew ? 201 : 200, approvalToJson(approved.approval))
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
      handle: async ({ params, db }) =>
        answer(200, wholePage((await findApprovals(db.sql, params.businessId)).map(approvalToJson))),
    }),
  ]
}
