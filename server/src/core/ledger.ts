import { assert } from './assert.ts'
import { operatorShare } from './operator-share.ts'

export type LedgerAccount = 'GATEWAY' | 'ORGANIZATION' | 'OPERATOR'

/** One side of a booking. Minor units; debit positive, credit negative. */
export interface LedgerEntry {
  readonly account: LedgerAccount
  readonly ownerId?: string
  readonly amount: number
}

/** A booking: what came in or went back, and whose it is. Its entries sum to zero. */
export interface LedgerTransaction {
  readonly ledgerTransactionId: string
  readonly kind: 'CHARGE' | 'REFUND'
  /** The charge or refund: booked once. */
  readonly sourceId: string
  readonly invoiceId: string
  readonly businessId: string
  readonly currency: string
  readonly bookedAt: Date
  /** The operator's share when the charge was booked; its refunds have the same. */
  readonly shareBasisPoints?: number
  readonly entries: readonly LedgerEntry[]
}

type Booking = Omit<LedgerTransaction, 'kind' | 'entries'> & {
  readonly organizationId: string
  readonly amount: number
}

/** Of a charge, or of what was given back of one. */
type SharedBooking = Booking & { readonly shareBasisPoints: number }

/** Money taken lies at the gateway; the operator has its share of it, and the organization is owed the rest. */
export function bookCharge(booking: SharedBooking): LedgerTransaction {
  const { amount, shareBasisPoints } = booking
  return moneyMoved('CHARGE', booking, { received: amount, share: operatorShare(amount, shareBasisPoints) })
}

/**
 * The reverse of a charge, for the amount given back. `refundedBefore` is what refunds of the same charge have given back
 * already: the shares of the parts are cut from the share of their sum, so that all of them together are the charge's own.
 */
export function bookRefund({
  refundedBefore,
  ...booking
}: SharedBooking & { readonly refundedBefore: number }): LedgerTransaction {
  const { amount, shareBasisPoints } = booking
  const after = operatorShare(refundedBefore + amount, shareBasisPoints)
  const share = after - operatorShare(refundedBefore, shareBasisPoints)
  return moneyMoved('REFUND', booking, { received: -amount, share: -share })
}

/** `share` is the operator's part of what was received; both are negative where money goes back. */
function moneyMoved(
  kind: 'CHARGE' | 'REFUND',
  { organizationId, amount: _, ...booking }: Booking,
  { received, share }: { received: number; share: number },
): LedgerTransaction {
  const entries: LedgerEntry[] = [
    { account: 'GATEWAY', amount: received },
    { account: 'ORGANIZATION', ownerId: organizationId, amount: share - received },
    // Without the negative zero of a share of nothing.
    { account: 'OPERATOR', amount: 0 - share },
  ]
  assert(entries.reduce((sum, entry) => sum + entry.amount, 0) === 0, 'the entries of a transaction sum to zero')
  return { ...booking, kind, entries }
}
