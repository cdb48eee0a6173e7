import { assert } from './assert.ts'
import { moveCredit } from './change.ts'
import { usableCredit } from './credit.ts'
import { type InvoiceLine, type IssuedInvoice, seriesOf } from './invoice.ts'
import type { Change, FreshIds, SubscriptionState } from './subscription.ts'
import { type InvoiceTax, percentOf, splitPrice, taxAt } from './tax.ts'

/**
 * Issues the invoice of the current period, applies credit, and charges the rest unless an older invoice is open. A
 * free period has no invoice. An invoice that credit covers is PAID without a charge and without PAYMENT_SUCCESS.
 * Decisions 6: "while PAST_DUE later periods open without a charge and payment goes to the oldest first".
 */
export function bill(change: Change, ids: FreshIds, now: Date): Change {
  const { subscription } = change
  if (subscription.amount === 0) return change
  const issued = issue(change, ids.invoiceId, now)
  const isCovered = issued.openInvoices.length === change.openInvoices.length
  return isCovered || subscription.paymentStatus === 'PAST_DUE' ? issued : chargeNext(issued, ids.chargeId, now)
}

function issue(change: Change, invoiceId: string, now: Date): Change {
  const { subscription, credit } = change
  assert(subscription.periodIndex !== undefined, 'only a paid phase is billed')
  assert(credit !== undefined, 'whoever issues an invoice knows the credit')
  const { currency, country, currentPeriodStart: periodStart, currentPeriodEnd: periodEnd } = subscription
  const tax = taxOf(change, subscription.amount, now)
  const gross = tax?.gross ?? subscription.amount
  const creditApplied = usableCredit(credit, gross, currency)
  const amount = gross - creditApplied
  const period = { periodStart, periodEnd }
  const taxed = tax === undefined ? {} : { net: tax.net, tax: tax.tax, taxRate: percentOf(tax.rate) }
  const lines: InvoiceLine[] = [{ kind: 'PLAN', description: change.plan.name, amount: gross, ...taxed, ...period }]
  if (creditApplied > 0) lines.push({ kind: 'CREDIT', description: 'Credit', amount: -creditApplied, ...period })
  const invoice: IssuedInvoice = {
    invoiceId,
    organizationId: subscription.organizationId,
    appId: subscription.appId,
    businessId: subscription.businessId,
    subscriptionId: subscription.subscriptionId,
    planId: subscription.planId,
    term: subscription.term,
    periodIndex: subscription.periodIndex,
    series: seriesOf(subscription.merchantType, now),
    country,
    currency,
    amount,
    creditApplied,
    ...(tax === undefined ? {} : { tax }),
    lines,
    ...period,
    createdAt: now,
  }
  const issued = { ...change, issued: [...change.issued, invoice] }
  const paidFor = creditApplied > 0 ? moveCredit(issued, { kind: 'USE', invoiceId, amount: creditApplied }) : issued
  if (amount === 0) return { ...paidFor, closed: [...paidFor.closed, { invoiceId, status: 'PAID' }] }
  return { ...paidFor, openInvoices: [...paidFor.openInvoices, { invoiceId, amount, creditApplied }] }
}

/** The tax of a price at an instant. Absent: no tax settings apply, or the price is 0. */
export function taxOf(
  {
    tax: terms,
    subscription: { currency },
  }: Pick<SubscriptionState, 'tax'> & {
    readonly subscription: { readonly currency: string }
  },
  price: number,
  at: Date,
): InvoiceTax | undefined {
  const applied = terms === undefined || price === 0 ? null : taxAt(terms, at)
  if (terms === undefined || applied === null) return undefined
  const { taxId: sellerTaxId } = terms.seller
  const { taxId: buyerTaxId } = terms.buyer
  return {
    ...applied,
    ...splitPrice(price, applied, currency),
    ...(sellerTaxId === undefined ? {} : { sellerTaxId }),
    ...(buyerTaxId === undefined ? {} : { buyerTaxId }),
  }
}

/** Charges the oldest open invoice. No charge starts after a scheduled end; at the same instant a retry comes first (decisions 6). */
export function chargeNext(change: Change, chargeId: string, now: Date): Change {
  const { cancelAt } = change.subscription
  if (cancelAt !== undefined && cancelAt < now) return change
  const oldest = change.openInvoices[0]
  assert(oldest && change.subscription.awaitedChargeId === undefined, 'one charge at a time, for an open invoice')
  return {
    ...change,
    subscription: { ...change.subscription, awaitedChargeId: chargeId },
    charges: [...change.charges, { chargeId, invoiceId: oldest.invoiceId, amount: oldest.amount }],
  }
}
