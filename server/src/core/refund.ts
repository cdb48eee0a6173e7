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
  /** Ordered through the API, by the service after a late payment, at the gateway, or paid by the operator outside the gateway. */
  readonly origin: 'API' | 'LATE_SUCCESS' | 'GATEWAY' | 'OUT_OF_BAND'
  readonly status: RefundStatus
  readonly failure?: string
  /** The gateway's id of a refund that was made there. */
  readonly gatewayRefundId?: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly pollCount: number
}

type Ordered = 'refundId' | 'invoiceId' | 'businessId' | 'amount' | 'currency' | 'reason' | 'origin' | 'gatewayRefundId'

/** A refund without an outcome that was not polled yet. */
export function pendingRefund(ordered: Pick<Refund, Ordered>, at: Date): Refund {
  return { ...ordered, status: 'PENDING', createdAt: at, updatedAt: at, pollCount: 0 }
}

/** The amounts of a paid invoice. Minor units. */
interface RefundableInvoice {
  readonly status: string
  readonly currency: string
  /** In cash. */
  readonly amountPaid: number
  readonly amountRefunded: number
  /** Taken by the payer's bank. */
  readonly amountChargedBack: number
  readonly creditApplied: number
  /** Turned into credit by a plan change. */
  readonly creditGranted: number
  /** On their way. */
  readonly pendingRefunds: number
}

/**
 * The amount to refund: the requested amount, or everything that is left of the cash payment. Refunds on their way
 * and granted credit reduce it; granted credit counts against applied credit first. Amounts are multiples of the
 * currency's card step, unless the payment was not. Minor units. Source: decisions 6.
 */
export function refundableAmount(invoice: RefundableInvoice, asked: number | undefined): number | Rejection {
  if (invoice.status !== 'PAID') {
    return reject('INVOICE_NOT_PAID', `Only a PAID invoice can be refunded; this one is ${invoice.status}.`)
  }
  const cashCredited = Math.max(0, invoice.creditGranted - invoice.creditApplied)
  // Negative after a refund at the gateway of an amount that had become credit.
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

/** A closed account or an empty balance is seldom fixed sooner. */
const OWED_AGAIN_AFTER_MS = [1, 3, 7].map(days => days * 86_400_000)

/** The next refund attempt of a late payment after this many failures. Null: the operator must act. Real time. */
export function retryOwedAt(failed: number, now: Date): Date | null {
  const after = OWED_AGAIN_AFTER_MS[failed - 1]
  return after === undefined ? null : new Date(now.getTime() + after)
}
