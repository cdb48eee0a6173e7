import type { ApprovalRight } from '../../core/approval.ts'

/** What an app may do for a merchant who approves it, as whoever approves and later looks at it is told. */
export const RIGHTS_IN_WORDS: Readonly<Record<ApprovalRight, string>> = {
  READ: 'See your subscriptions, invoices, orders and business details',
  SUBSCRIBE: 'Subscribe you to its plans and change or restore your subscriptions; you will be charged',
}
