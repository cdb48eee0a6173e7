export const APPROVAL_RIGHTS = ['READ', 'SUBSCRIBE'] as const
export type ApprovalRight = (typeof APPROVAL_RIGHTS)[number]

/** A merchant's consent to an app, in force. Decisions 8. */
export interface Approval {
  readonly businessId: string
  readonly appId: string
  readonly rights: readonly ApprovalRight[]
  readonly approvedAt: Date
}
