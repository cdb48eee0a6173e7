import { assert } from './assert.ts'
import { operatorShare } from './operator-share.ts'
import { taxOfPart } from './tax.ts'

export type LedgerAccount = 'GATEWAY' | 'ORGANIZATION' | 'OPERATOR' | 'BUSINESS_CREDIT' | 'TAX'

/** One side of a booking. Minor units; debit positive, credit negative. */
export interface LedgerEntry {
  readonly account: LedgerAccount
  readonly ownerId?: string
  readonly amount: number
}

/** Bookings of an organization, without an invoice. */
export const ORGANIZATION_BOOKING_KINDS = ['FEE', 'PAYOUT', 'ADJUSTMENT'] as const
export type OrganizationBookingKind = (typeof ORGANIZATION_BOOKING_KINDS)[number]

/** A booking of the operator for an organization. */
export interface OrganizationBooking {
  readonly bookingId: string
  readonly organizationId: string
  readonly kind: OrganizationBookingKind
  readonly currency: string
  /** Minor units. An adjustment below 0 is taken from the organization. */
  readonly amount: number
  /** The reference of the bank transfer, or the reason. */
  readonly reference: string
  readonly createdAt: Date
}

/**
 * A payout and a fee leave the money at the gateway and reduce the debt to the organization. An adjustment moves debt
 * between the operator and the organization.
 */
export function entriesOfBooking({ kind, organizationId: ownerId, amount }: OrganizationBooking): LedgerEntry[] {
  if (kind !== 'ADJUSTMENT')
    return [
      { account: 'ORGANIZATION', ownerId, amount },
      { account: 'GATEWAY', amount: -amount },
    ]
  return [
    { account: 'ORGANIZATION', ownerId, amount: -amount },
    { account: 'OPERATOR', amount },
  ]
}

/** The party that bears the gateway's fee of a charge. */
export type FeePayer = 'OPERATOR' | 'ORGANIZATION'

/** A fee of a charge leaves the gateway, at the cost of the operator or of the organization. Minor units. */
export function entriesOfFee({
  payer,
  organizationId,
  amount,
}: {
  readonly payer: FeePayer
  readonly organizationId: string
  readonly amount: number
}): LedgerEntry[] {
  assert(amount > 0, 'a fee is above 0')
  const borne: LedgerEntry =
    payer === 'OPERATOR'
      ? { account: 'OPERATOR', amount }
      : { account: 'ORGANIZATION', ownerId: organizationId, amount }
  return [borne, { account: 'GATEWAY', amount: -amount }]
}

/** Money received or returned at the gateway. */
type MoneyKind = 'CHARGE' | 'REFUND' | 'REFUND_RETURN' | 'CHARGEBACK' | 'CHARGEBACK_RETURN'

/** A booking. Its entries sum to zero. */
export interface LedgerTransaction {
  readonly ledgerTransactionId: string
  readonly kind: MoneyKind | 'CREDIT' | 'CREDIT_USE'
  /** The charge, refund or dispute; for credit the invoice. A source is booked once per kind. */
  readonly sourceId: string
  readonly invoiceId: string
  readonly businessId: string
  readonly organizationId: string
  readonly currency: string
  readonly bookedAt: Date
  /** The address of the buyer decides the tax, so the booking is also recorded at the tax provider. */
  readonly isByAddress?: boolean
  /** The operator's share at the time of the charge; its refunds use the same share. */
  readonly shareBasisPoints?: number
  readonly entries: readonly LedgerEntry[]
}

/** The tax of an invoice, and the value that the books hold for it: cash and credit received, less everything returned. Minor units. */
export interface TaxBasis {
  readonly tax: number
  readonly gross: number
  readonly held: number
  /** The address of the buyer decides the tax. */
  readonly isByAddress?: boolean
}

type Booking = Omit<LedgerTransaction, 'kind' | 'entries'> & {
  readonly amount: number
  /** Before the booking. Absent: the invoice has no tax. */
  readonly taxBasis?: TaxBasis
}

type SharedBooking = Booking & { readonly shareBasisPoints: number }

/**
 * The change of the collected tax when the value held for an invoice changes. The tax held is a function of the value
 * held, so every sequence of bookings that returns the whole value returns the whole tax.
 */
export function taxMoved(basis: TaxBasis | undefined, change: number): number {
  if (basis === undefined) return 0
  return taxOfPart(basis.held + change, basis) - taxOfPart(basis.held, basis)
}

/** The gateway holds the money; the tax belongs to the tax authority, the operator has its share of the net, and the organization is owed the rest. */
export function bookCharge(booking: SharedBooking): LedgerTransaction {
  const { amount, shareBasisPoints, taxBasis } = booking
  const net = amount - taxMoved(taxBasis, amount)
  return moneyMoved('CHARGE', booking, { received: amount, share: operatorShare(net, shareBasisPoints) })
}

/** `goneBefore`: the amount of the charge already returned, by refunds and chargebacks. */
type BookingBack = SharedBooking & {
  readonly goneBefore: number
  /** The charge. Absent: the charge had no tax. */
  readonly charged?: ChargedTax
}

interface ChargedTax {
  readonly gross: number
  readonly tax: number
}

/**
 * The reverse of a charge for the refunded amount. The returned share is the share of everything returned so far, less the share of everything
 * returned before, so that all parts together return exactly the share of the charge.
 */
export function bookRefund(booking: BookingBack): LedgerTransaction {
  return wentBack('REFUND', booking)
}

/** The reverse of a refund that failed after its success. `goneBefore` includes the refund. */
export function bookReturnedRefund(booking: BookingBack): LedgerTransaction {
  return cameBack('REFUND_RETURN', booking)
}

/** The payer's bank took the charge back. */
export function bookChargeback(booking: BookingBack): LedgerTransaction {
  return wentBack('CHARGEBACK', booking)
}

/** A chargeback that the bank reversed, or that a refund had already covered. */
export function bookReturnedChargeback(booking: BookingBack): LedgerTransaction {
  return cameBack('CHARGEBACK_RETURN', booking)
}

function wentBack(kind: 'REFUND' | 'CHARGEBACK', { goneBefore, charged, ...booking }: BookingBack): LedgerTransaction {
  const { amount, shareBasisPoints } = booking
  const share = shareOf(goneBefore + amount, charged, shareBasisPoints) - shareOf(goneBefore, charged, shareBasisPoints)
  return moneyMoved(kind, booking, { received: -amount, share: -share })
}

/** The operator's share of the net in a part of the charge. */
function shareOf(part: number, charged: ChargedTax | undefined, basisPoints: number): number {
  return operatorShare(charged === undefined ? part : part - taxOfPart(part, charged), basisPoints)
}

function cameBack(
  kind: 'REFUND_RETURN' | 'CHARGEBACK_RETURN',
  { goneBefore, charged, ...booking }: BookingBack,
): LedgerTransaction {
  const { amount, shareBasisPoints } = booking
  const share = shareOf(goneBefore, charged, shareBasisPoints) - shareOf(goneBefore - amount, charged, shareBasisPoints)
  return moneyMoved(kind, booking, { received: amount, share })
}

/** Credit for the unused part of a period, or for the credit on an invoice closed unpaid. */
export function bookCredit(booking: Booking): LedgerTransaction {
  return creditTransaction('CREDIT', booking, booking.amount)
}

/** Credit used by an invoice at issue. */
export function bookCreditUse(booking: Booking): LedgerTransaction {
  return creditTransaction('CREDIT_USE', booking, -booking.amount)
}

function creditTransaction(kind: 'CREDIT' | 'CREDIT_USE', booking: Booking, granted: number): LedgerTransaction {
  const { amount: _, taxBasis, ...rest } = booking
  const tax = taxMoved(taxBasis, -granted)
  const entries: LedgerEntry[] = [
    { account: 'ORGANIZATION', ownerId: booking.organizationId, amount: granted + tax },
    { account: 'BUSINESS_CREDIT', ownerId: booking.businessId, amount: -granted },
    ...taxEntries(booking, tax),
  ]
  assert(entries.reduce((sum, entry) => sum + entry.amount, 0) === 0, 'the entries of a transaction sum to zero')
  return { ...rest, ...(taxBasis?.isByAddress && { isByAddress: true }), kind, entries }
}

/** `share` is the operator's part of `received`; both are negative for returns. */
function moneyMoved(
  kind: MoneyKind,
  { amount: _, taxBasis, ...booking }: Booking,
  { received, share }: { received: number; share: number },
): LedgerTransaction {
  const tax = taxMoved(taxBasis, received)
  const entries: LedgerEntry[] = [
    { account: 'GATEWAY', amount: received },
    { account: 'ORGANIZATION', ownerId: booking.organizationId, amount: share + tax - received },
    // `0 -` avoids a negative zero.
    { account: 'OPERATOR', amount: 0 - share },
    ...taxEntries(booking, tax),
  ]
  assert(entries.reduce((sum, entry) => sum + entry.amount, 0) === 0, 'the entries of a transaction sum to zero')
  return { ...booking, ...(taxBasis?.isByAddress && { isByAddress: true }), kind, entries }
}

/** The amount that a transaction books on an account. */
export function amountOf({ entries }: LedgerTransaction, account: LedgerAccount): number {
  return entries.reduce((sum, entry) => (entry.account === account ? sum + entry.amount : sum), 0)
}

/** Tax collected is owed, not earned. */
function taxEntries({ organizationId: ownerId }: { readonly organizationId: string }, tax: number): LedgerEntry[] {
  return tax === 0 ? [] : [{ account: 'TAX', ownerId, amount: -tax }]
}
