import { Type } from 'typebox'
import { APPROVAL_RIGHTS, type Approval } from '../../core/approval.ts'
import { toTimestamp } from '../../core/calendar.ts'
import { AppUrn, appUrn, pageOf, Timestamp, Uuid } from '../../platform/http/wire.ts'

export const ApprovalsPath = Type.Object({ businessId: Uuid })
export const ApprovalPath = Type.Object({ businessId: Uuid, appId: AppUrn })

export const NewApproval = Type.Object({
  appId: AppUrn,
  rights: Type.Optional(Type.Array(Type.Enum(APPROVAL_RIGHTS), { minItems: 1, maxItems: 20 })),
})

export const ApprovalAnswer = Type.Object({
  appId: AppUrn,
  businessId: Uuid,
  rights: Type.Array(Type.Enum(APPROVAL_RIGHTS)),
  approvedAt: Timestamp,
})

export const ApprovalListAnswer = pageOf(ApprovalAnswer)

export function approvalToJson({ appId, businessId, rights, approvedAt }: Approval) {
  return { appId: appUrn(appId), businessId, rights, approvedAt: toTimestamp(approvedAt) }
}
