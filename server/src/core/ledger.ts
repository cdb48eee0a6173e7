import { assert } from './assert.ts'

export type LedgerAccount = 'GATEWAY' | 'ORGANIZATION' | 'BUSINESS_CREDIT'

/** One side of a booking. Minor units; debit positive, credit negative. */
export interface LedgerEntry {
  readonly account: LedgerAccount
  readonly ownerId?: string
  readonly amount: number
}

/** A booking: what came in or went back, and whose it is. Its entries sum to zero. */
export interface LedgerTransaction {
  readonly ledgerTransactionId: string
  readonly kind: 'CHARGE' | 'REFUND' | 'CREDIT' | 'CREDIT_USE'
  /** The charge or refund; of credit, the invoice that gave or took it: booked once. */
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

/** What was earned and is owed to the business again: for the unused share of a period, or for an invoice closed unpaid. */
export function bookCredit(booking: Booking): LedgerTransaction {
  return creditTransaction('CREDIT', booking, booking.amount)
}

/** The reverse: credit pays for an invoice as it is issued, and so is earned. */
export function bookCreditUse(booking: Booking): LedgerTransaction {
  return creditTransaction('CREDIT_USE', booking, -booking.amount)
}

function creditTransaction(kind: 'CREDIT' | 'CREDIT_USE', booking: Booking, granted: number): LedgerTransaction {
  const { organizationId, amount: _, ...rest } = booking
  const entries: LedgerEntry[] = [
    { account: 'ORGANIZATION', ownerId: organizationId, amount: granted },
    { account: 'BUSINESS_CREDIT', ownerId: booking.businessId, amount: -granted },
  ]
  assert(entries.reduce((sum, entry) => sum + entry.amount, 0) === 0, 'the entries of a transaction sum to zero')
  return { ...rest, kind, entries }
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
