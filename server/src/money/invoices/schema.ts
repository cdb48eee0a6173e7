import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { type Charge, isSettled } from '../../core/charge.ts'
import { DISPUTE_STATUSES } from '../../core/dispute.ts'
import { INVOICE_STATUSES, type InvoiceLine, LINE_KINDS } from '../../core/invoice.ts'
import { REFUND_STATUSES, type Refund } from '../../core/refund.ts'
import { type InvoiceTax, percentOf } from '../../core/tax.ts'
import { AppUrn, appUrn, PageCount, PageStart, pageOf, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import type { Invoice, StoredLine } from './store.ts'

export const LineJson = Type.Object({
  kind: Type.Enum([...LINE_KINDS]),
  description: Type.String(),
  amount: Type.Integer({ description: 'With tax. Credit is negative' }),
  net: Type.Optional(Type.Integer({ description: 'The amount without tax. Absent: the line has no tax' })),
  tax: Type.Optional(Type.Integer()),
  taxRate: Type.Optional(Type.String({ description: 'In percent' })),
  periodStart: Timestamp,
  periodEnd: Timestamp,
})

export const TaxJson = Type.Object({
  name: Type.String({ description: 'For example VAT' }),
  behavior: Type.Enum(['INCLUSIVE', 'EXCLUSIVE'], { description: 'EXCLUSIVE: the tax was added to the price' }),
  rate: Type.String({ description: 'In percent' }),
  net: Type.Integer(),
  tax: Type.Integer(),
  gross: Type.Integer({ description: 'net + tax, before credit' }),
  reverseCharge: Type.Boolean({ description: 'The buyer owes the tax' }),
  rateSource: Type.Optional(
    Type.Enum(['ADDRESS', 'FALLBACK'], {
      description:
        'ADDRESS: the rate of the address of the buyer. FALLBACK: the address had no rate. Absent: a rate by country',
    }),
  ),
  jurisdictions: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), rate: Type.String() }), {
      description: 'The parts of the rate of an address, in percent',
    }),
  ),
  sellerTaxId: Type.Optional(Type.String()),
  buyerTaxId: Type.Optional(Type.String()),
})

const AttemptJson = Type.Object({
  at: Timestamp,
  outcome: Type.Enum(['SUCCEEDED', 'DECLINED', 'IN_FLIGHT', 'PENDING', 'ACTION_REQUIRED', 'UNKNOWN']),
  reason: Type.Optional(Type.String()),
  /** The page for the payer of an ACTION_REQUIRED charge. */
  actionUrl: Type.Optional(Type.String()),
})

export const RefundJson = Type.Object({
  refundId: Uuid,
  amount: Type.Integer(),
  reason: Type.Optional(Type.String()),
  status: Type.Enum([...REFUND_STATUSES]),
  createdAt: Timestamp,
})

const CreditNoteJson = Type.Object({
  creditNoteId: Uuid,
  number: Type.String(),
  refundId: Type.Optional(Uuid),
  amount: Type.Integer({ description: 'With tax. Without a refundId: credit for the unused part of the period' }),
  tax: Type.Optional(Type.Integer({ description: 'Absent: none' })),
  createdAt: Timestamp,
})

export const DisputeJson = Type.Object({
  disputeId: Uuid,
  amount: Type.Integer(),
  status: Type.Enum([...DISPUTE_STATUSES]),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

/** Decisions 6, Invoice: the interface links to the invoice without listing its fields. */
export const InvoiceJson = Type.Object({
  invoiceId: Uuid,
  number: Type.String(),
  businessId: Uuid,
  appId: AppUrn,
  subscriptionId: Uuid,
  planId: Uuid,
  status: Type.Enum([...INVOICE_STATUSES]),
  currency: Type.String(),
  country: Type.String(),
  amount: Type.Integer(),
  creditApplied: Type.Integer({ description: 'Deducted by CREDIT lines' }),
  amountPaid: Type.Integer(),
  amountRefunded: Type.Integer(),
  amountChargedBack: Type.Optional(Type.Integer({ description: 'Taken back by the payer’s bank; absent: nothing' })),
  lines: Type.Array(LineJson),
  /** Absent: no tax settings applied at issue. */
  tax: Type.Optional(TaxJson),
  attempts: Type.Array(AttemptJson),
  refunds: Type.Array(RefundJson),
  creditNotes: Type.Optional(Type.Array(CreditNoteJson, { description: 'Absent: none' })),
  disputes: Type.Optional(Type.Array(DisputeJson, { description: 'Absent: none' })),
  periodStart: Timestamp,
  periodEnd: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const InvoicePageJson = pageOf(InvoiceJson)

export const BusinessParams = Type.Object({ businessId: Uuid })
export const InvoiceParams = Type.Object({ businessId: Uuid, invoiceId: Uuid })
export const InvoiceQuery = Type.Object({
  start: Type.Optional(PageStart),
  count: Type.Optional(PageCount),
})

export function invoiceToJson(
  { appId, tax, amountChargedBack, organizationId: _, term: __, periodIndex: ___, ...invoice }: Invoice,
  charges: readonly Charge[],
  refunds: readonly Refund[],
) {
  return {
    ...timestamped(invoice),
    appId: appUrn(appId),
    ...(amountChargedBack === 0 ? {} : { amountChargedBack }),
    lines: invoice.lines.map(lineToJson),
    ...(tax === null ? {} : { tax: taxToJson(tax) }),
    // A withdrawn charge was never sent.
    attempts: charges
      .filter(charge => charge.status !== 'WITHDRAWN')
      .map(charge => attemptToJson(charge, { isOwed: invoice.status === 'OPEN' })),
    refunds: refunds.map(refundToJson),
  }
}

/** `periodStart`, `periodEnd`: dates of a decision, or text of a stored line. */
export function lineToJson({ kind, description, amount, periodStart, periodEnd, ...taxed }: InvoiceLine | StoredLine) {
  const [start, end] = [periodStart, periodEnd].map(at => toTimestamp(new Date(at)))
  return { kind, description, amount, ...taxed, periodStart: start, periodEnd: end }
}

export function taxToJson({ isReverseCharge: reverseCharge, rate, jurisdictions, ...tax }: InvoiceTax) {
  const parts = jurisdictions?.map(part => ({ ...part, rate: percentOf(part.rate) }))
  return { ...tax, rate: percentOf(rate), ...(parts && { jurisdictions: parts }), reverseCharge }
}

export function refundToJson(refund: Refund) {
  const { refundId, amount, reason, status, createdAt } = refund
  return { refundId, amount, ...(reason === '' ? {} : { reason }), status, createdAt: toTimestamp(createdAt) }
}

/** The URL is shown only while the invoice is open. */
function attemptToJson({ startedAt, status, reason, actionUrl }: Charge, { isOwed }: { readonly isOwed: boolean }) {
  const rejected = isSettled(status) && status !== 'SUCCEEDED'
  return {
    at: toTimestamp(startedAt),
    outcome: rejected ? 'DECLINED' : status,
    ...(reason === undefined || status === 'SUCCEEDED' ? {} : { reason }),
    ...(actionUrl === undefined || !isOwed ? {} : { actionUrl }),
  }
}
