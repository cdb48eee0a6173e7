import { assert } from './assert.ts'

export type LedgerAccount = 'GATEWAY' | 'ORGANIZATION'

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
  readonly entries: readonly LedgerEntry[]
}

type Booking = Omit<LedgerTransaction, 'kind' | 'entries'> & {
  readonly organizationId: string
  readonly amount: number
}

/** Money taken lies at the gateway, and is owed to the organization. */
export function bookCharge(booking: Booking): LedgerTransaction {
  return transaction('CHARGE', booking, booking.amount)
}

/** The reverse of a charge, for the amount given back. */
export function bookRefund(booking: Booking): LedgerTransaction {
  return transaction('REFUND', booking, -booking.amount)
}

/** A refund that had succeeded came back: the money lies at the gateway again, and is owed to the organization again. */
export function bookReturnedRefund(booking: Booking): LedgerTransaction {
  return transaction('CHARGE', booking, booking.amount)
}

function transaction(kind: 'CHARGE' | 'REFUND', booking: Booking, received: number): LedgerTransaction {
  const { organizationId, amount: _, ...rest } = booking
  const entries: LedgerEntry[] = [
    { account: 'GATEWAY', amount: received },
    { account: 'ORGANIZATION', ownerId: organizationId, amount: -received },
  ]
  assert(entries.reduce((sum, entry) => sum + entry.amount, 0) === 0, 'the entries of a transaction sum to zero')
  return { ...rest, kind, entries }
}
