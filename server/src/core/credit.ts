/** Whose credit it is (decisions 6: "belongs to business + organization + currency"). */
export interface CreditHolder {
  readonly businessId: string
  readonly organizationId: string
  readonly currency: string
}

/**
 * GRANT: the unused share of a paid invoice. USE: taken off an invoice as it is issued. RETURN: given back by an invoice that was
 * closed unpaid. Each at most once for an invoice, whose id is given. Minor units, above 0.
 */
export interface CreditMovement {
  readonly kind: 'GRANT' | 'USE' | 'RETURN'
  readonly invoiceId: string
  readonly amount: number
}

/** What a movement does to the balance. */
export function signed({ kind, amount }: CreditMovement): number {
  return kind === 'USE' ? -amount : amount
}

/** What an invoice was paid with and has not given back: what a change of plan shares out. Never below 0. Minor units. */
export function valueLeft(invoice: {
  readonly amountPaid: number
  readonly creditApplied: number
  readonly amountRefunded: number
  readonly amountChargedBack: number
  /** On their way. */
  readonly pendingRefunds: number
}): number {
  const gone = invoice.amountRefunded + invoice.amountChargedBack + invoice.pendingRefunds
  return Math.max(0, invoice.amountPaid + invoice.creditApplied - gone)
}

/**
 * How much of the credit that an invoice granted is given twice: once as credit, and once in cash by refunds made at the gateway, or
 * by the payer's bank, which nobody could refuse. Minor units.
 */
export function takenTwice(granted: number, invoice: Omit<Parameters<typeof valueLeft>[0], 'pendingRefunds'>): number {
  return Math.max(0, granted - valueLeft({ ...invoice, pendingRefunds: 0 }))
}
