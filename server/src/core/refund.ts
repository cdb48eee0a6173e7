import { stepOf } from './credit.ts'
import { type Rejection, reject, rejectField } from './rejection.ts'

export const REFUND_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

export interface Refund {
  readonly refundId: string
  readonly invoiceId: string
  readonly businessId: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly reason: string
  /** Who wanted it: somebody through the API, the service itself after the end, or somebody at the gateway. */
  readonly origin: 'API' | 'LATE_SUCCESS' | 'GATEWAY'
  readonly status: RefundStatus
  readonly failure?: string
  /** Of one that was made at the gateway: its id there. */
  readonly gatewayRefundId?: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly pollCount: number
}

/** What is known of a paid invoice's money. Minor units. */
interface RefundableInvoice {
  readonly status: string
  readonly currency: string
  /** In cash. */
  readonly amountPaid: number
  readonly amountRefunded: number
  /** The payer's bank has it. */
  readonly amountChargedBack: number
  readonly creditApplied: number
  /** Of it: turned into credit by a change of plan. */
  readonly creditGranted: number
  /** On its way back. */
  readonly pendingRefunds: number
}

/**
 * How much to give back: the amount asked for, or all that is left. Never above what was paid in cash and not given back,
 * counting refunds that are on their way, and not credited: credit that was granted has given back the credit applied
 * first, and cash only beyond that. Only in the steps in which money of that currency is moved by card, unless it was taken otherwise:
 * no gateway gives back five fils. Minor units. Source: decisions 6.
 */
export function refundableAmount(invoice: RefundableInvoice, asked: number | undefined): number | Rejection {
  if (invoice.status !== 'PAID') {
    return reject('INVOICE_NOT_PAID', `Only a PAID invoice can be refunded; this one is ${invoice.status}.`)
  }
  const cashCredited = Math.max(0, invoice.creditGranted - invoice.creditApplied)
  // Below 0 where somebody gave back at the gateway what we had credited.
  const { amountChargedBack } = invoice
  const gone = invoice.amountRefunded + invoice.pendingRefunds + amountChargedBack
  const rest = Math.max(0, invoice.amountPaid - gone - cashCredited)
  const step = invoice.amountPaid % stepOf(invoice.currency) === 0 ? stepOf(invoice.currency) : 1
  const left = rest - (rest % step)
  const amount = asked ?? left
  if (amount > left || left === 0) {
    const why = amountChargedBack > 0 ? ` The payer's bank has taken back ${amountChargedBack}.` : ''
    return reject('REFUND_EXCEEDS_PAID', `At most ${left} can still be refunded, in the currency's minor unit.${why}`)
  }
  if (amount % step !== 0) return rejectField('amount', `must be a multiple of ${step} in ${invoice.currency}`)
  return amount
}

/** After 1, 3 and 7 days: a bank account that was closed or a balance that was empty is seldom mended sooner. */
const OWED_AGAIN_AFTER_MS = [1, 3, 7].map(days => days * 86_400_000)

/**
 * When to try again to give back what is owed (money that came after the end), once so many refunds of it have failed.
 * Null: it was tried often enough, and people must see to it. Real time.
 */
export function retryOwedAt(failed: number, now: Date): Date | null {
  const after = OWED_AGAIN_AFTER_MS[failed - 1]
  return after === undefined ? null : new Date(now.getTime() + after)
}
