import { assert } from './assert.ts'
import { operatorShare } from './operator-share.ts'

export type LedgerAccount = 'GATEWAY' | 'ORGANIZATION' | 'OPERATOR' | 'BUSINESS_CREDIT'

/** One side of a booking. Minor units; debit positive, credit negative. */
export interface LedgerEntry {
  readonly account: LedgerAccount
  readonly ownerId?: string
  readonly amount: number
}

/** Of money that came in or went back, at the gateway. */
type MoneyKind = 'CHARGE' | 'REFUND' | 'REFUND_RETURN' | 'CHARGEBACK' | 'CHARGEBACK_RETURN'

/** A booking: what came in or went back, and whose it is. Its entries sum to zero. */
export interface LedgerTransaction {
  readonly ledgerTransactionId: string
  readonly kind: MoneyKind | 'CREDIT' | 'CREDIT_USE'
  /** The charge, refund or dispute; of credit, the invoice that gave or took it, or that by which it was taken back: booked once. */
  readonly sourceId: string
  readonly invoiceId: string
  readonly businessId: string
  readonly organizationId: string
  readonly currency: string
  readonly bookedAt: Date
  /** The operator's share when the charge was booked; its refunds have the same. */
  readonly shareBasisPoints?: number
  readonly entries: readonly LedgerEntry[]
}

type Booking = Omit<LedgerTransaction, 'kind' | 'entries'> & { readonly amount: number }

/** Of a charge, or of what was given back of one. */
type SharedBooking = Booking & { readonly shareBasisPoints: number }

/** Money taken lies at the gateway; the operator has its share of it, and the organization is owed the rest. */
export function bookCharge(booking: SharedBooking): LedgerTransaction {
  const { amount, shareBasisPoints } = booking
  return moneyMoved('CHARGE', booking, { received: amount, share: operatorShare(amount, shareBasisPoints) })
}

/** Of money that goes back. `goneBefore`: what has gone back of the same charge already, in whatever way. */
type BookingBack = SharedBooking & { readonly goneBefore: number }

/**
 * The reverse of a charge, for the amount given back. The shares of the parts are cut from the share of their sum, so that all of them
 * together are the charge's own.
 */
export function bookRefund(booking: BookingBack): LedgerTransaction {
  return wentBack('REFUND', booking)
}

/** A refund that had succeeded came back: the reverse of it. What has gone back so far has this one with it. */
export function bookReturnedRefund(booking: BookingBack): LedgerTransaction {
  return cameBack('REFUND_RETURN', booking)
}

/** The payer's bank took back what was charged: as a refund, by somebody else's word. */
export function bookChargeback(booking: BookingBack): LedgerTransaction {
  return wentBack('CHARGEBACK', booking)
}

/** Of what the payer's bank had taken back: given back after all, or found to have gone back by a refund. */
export function bookReturnedChargeback(booking: BookingBack): LedgerTransaction {
  return cameBack('CHARGEBACK_RETURN', booking)
}

function wentBack(kind: 'REFUND' | 'CHARGEBACK', { goneBefore, ...booking }: BookingBack): LedgerTransaction {
  const { amount, shareBasisPoints } = booking
  const after = operatorShare(goneBefore + amount, shareBasisPoints)
  const share = after - operatorShare(goneBefore, shareBasisPoints)
  return moneyMoved(kind, booking, { received: -amount, share: -share })
}

function cameBack(
  kind: 'REFUND_RETURN' | 'CHARGEBACK_RETURN',
  { goneBefore, ...booking }: BookingBack,
): LedgerTransaction {
  const { amount, shareBasisPoints } = booking
  const left = operatorShare(goneBefore - amount, shareBasisPoints)
  const share = operatorShare(goneBefore, shareBasisPoints) - left
  return moneyMoved(kind, booking, { received: amount, share })
}

/** What was earned and is owed to the business again: for the unused share of a period, or for an invoice closed unpaid. */
export function bookCredit(booking: Booking): LedgerTransaction {
  return creditTransaction('CREDIT', booking, booking.amount)
}

/** The reverse: credit pays for an invoice as it is issued, and so is earned. */
export function bookCreditUse(booking: Booking): LedgerTransaction {
  return creditTransaction('CREDIT_USE', booking, -booking.amount)
}

function creditTransaction(kind: 'CREDIT' | 'CREDIT_USE', booking: Booking, granted: number): LedgerTransaction {
  const { amount: _, ...rest } = booking
  const entries: LedgerEntry[] = [
    { account: 'ORGANIZATION', ownerId: booking.organizationId, amount: granted },
    { account: 'BUSINESS_CREDIT', ownerId: booking.businessId, amount: -granted },
  ]
  assert(entries.reduce((sum, entry) => sum + entry.amount, 0) === 0, 'the entries of a transaction sum to zero')
  return { ...rest, kind, entries }
}

/** `share` is the operator's part of what was received; both are negative where money goes back. */
function moneyMoved(
  kind: MoneyKind,
  { amount: _, ...booking }: Booking,
  { received, share }: { received: number; share: number },
): LedgerTransaction {
  const entries: LedgerEntry[] = [
    { account: 'GATEWAY', amount: received },
    { account: 'ORGANIZATION', ownerId: booking.organizationId, amount: share - received },
    // Without the negative zero of a share of nothing.
    { account: 'OPERATOR', amount: 0 - share },
  ]
  assert(entries.reduce((sum, entry) => sum + entry.amount, 0) === 0, 'the entries of a transaction sum to zero')
  return { ...booking, kind, entries }
}
