import { findApp } from '../../catalog/apps/store.ts'
import { findSellerOfInvoice } from '../../catalog/organizations/seller-store.ts'
import { findOrganizationAtIssue } from '../../catalog/organizations/store.ts'
import type { Address, BusinessNames, BusinessRecord } from '../../core/business-record.ts'
import type { Charge } from '../../core/charge.ts'
import type { Organization, Seller } from '../../core/organization.ts'
import type { Refund } from '../../core/refund.ts'
import type { InvoiceTax } from '../../core/tax.ts'
import { findFormerNames } from '../../merchants/businesses/names-store.ts'
import { findChargesOfInvoices } from '../../money/charges/store.ts'
import type { CreditNote } from '../../money/documents/credit-notes.ts'
import type { Invoice } from '../../money/invoices/store.ts'
import { findPaymentMethods } from '../../money/payment-methods/store.ts'
import { findRefundsOfInvoices } from '../../money/refunds/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Tone } from '../../platform/web/components/content.ts'
import { dayWords, jurisdictionWords, moneyWords, taxWords } from '../../platform/web/format.ts'
import { english, locale, say, sayText } from '../../platform/web/say.ts'

/** The text of an invoice, identical on screen, on paper and in the PDF. */
export interface InvoiceSheet {
  /** "Invoice 2026-000001". */
  readonly title: string
  readonly number: string
  readonly issuedAt: Date
  readonly issued: string
  readonly app: string
  readonly state: { readonly word: string; readonly tone: Tone }
  /** Line by line, the name first. */
  readonly seller: readonly string[]
  readonly buyer: readonly string[]
  readonly lines: readonly SheetLine[]
  /** Net, tax, total, and the credit that reduces the amount to pay. */
  readonly sums: readonly SheetSum[]
  /** Payments, refunds and the open amount. */
  readonly payments: readonly { readonly text: string; readonly amount: string }[]
  readonly remarks: readonly string[]
}

interface SheetLine {
  readonly text: string
  readonly period: string
  readonly amount: string
}

interface SheetSum {
  readonly text: string
  readonly amount: string
  readonly isTotal: boolean
}

/** The facts of an invoice's sheet. */
interface SheetFacts {
  readonly invoice: Invoice
  /** The organization at issue. */
  readonly organization: Pick<Organization, 'name' | 'email'>
  /** The seller at issue. */
  readonly seller: Seller | null
  readonly buyer: Pick<BusinessRecord, 'type'>
  /** The recipient at issue. */
  readonly issuedTo: BusinessNames
  readonly app: string
  readonly charges: readonly Charge[]
  readonly refunds: readonly Refund[]
  /** The label of the card that paid. */
  readonly card: string | null
}

export async function loadSheet(
  sql: Sql,
  invoice: Invoice,
  buyer: BusinessRecord,
  { namesCard = true }: { readonly namesCard?: boolean } = {},
): Promise<InvoiceSheet> {
  const ids = [invoice.invoiceId]
  const charges = await findChargesOfInvoices(sql, ids)
  const methodId = namesCard ? paidOf(charges)?.paymentMethodId : undefined
  const [method] = methodId === undefined ? [] : await findPaymentMethods(sql, [methodId])
  return sheetOf({
    invoice,
    buyer,
    issuedTo: (await findFormerNames(sql, invoice)) ?? buyer,
    organization: (await findOrganizationAtIssue(sql, invoice)) ?? { name: '', email: '' },
    seller: await findSellerOfInvoice(sql, invoice),
    app: (await findApp(sql, invoice.appId))?.name ?? '',
    charges,
    refunds: await findRefundsOfInvoices(sql, ids),
    card: method?.label ?? null,
  })
}

/** The sheet of a credit note: the seller and the buyer as on the invoice, and the refunded amount. */
export async function loadCreditNoteSheet(
  sql: Sql,
  note: CreditNote,
  { invoice, buyer }: { readonly invoice: Invoice; readonly buyer: BusinessRecord },
): Promise<InvoiceSheet> {
  const sheet = await loadSheet(sql, invoice, buyer)
  const amount = moneyWords({ amount: -note.amount, currency: note.currency })
  return {
    ...sheet,
    title: say`Credit note ${note.number}`,
    number: note.number,
    issuedAt: note.createdAt,
    issued: dayWords(note.createdAt),
    state: { word: note.refundId === null ? say`Credited` : say`Refunded`, tone: 'plain' },
    lines: [
      {
        text:
          note.refundId === null
            ? say`Unused part of invoice ${invoice.number}`
            : say`Refund of invoice ${invoice.number}`,
        period: sheet.issued,
        amount,
      },
    ],
    sums: sumsOf({
      gross: -note.amount,
      net: note.tax - note.amount,
      tax: -note.tax,
      currency: note.currency,
      of: invoice.tax,
    }),
    payments: [],
    remarks: sheet.remarks.filter(remark => isAboutTax(remark, invoice.tax)),
  }
}

/** Dates are in UTC like the number's year, so that a sheet never depends on the reader's time zone. */
function sheetOf(facts: SheetFacts): InvoiceSheet {
  const { invoice, issuedTo, app } = facts
  const money = (amount: number) => moneyWords({ amount, currency: invoice.currency })
  return {
    title: say`Invoice ${invoice.number}`,
    number: invoice.number,
    issuedAt: invoice.createdAt,
    issued: dayWords(invoice.createdAt),
    app,
    state: statusOf(invoice),
    seller: sellerLines(facts),
    buyer: buyerOf(issuedTo),
    lines: invoice.lines
      // Credit pays a taxed invoice in part: it follows the total.
      .filter(({ kind }) => invoice.tax === null || kind === 'PLAN')
      .map(({ kind, description, amount, net = amount, periodStart, periodEnd }) => ({
        text: kind === 'CREDIT' ? say`Credit` : description,
        period: say`${dayWords(new Date(periodStart))} to ${dayWords(new Date(periodEnd))}`,
        // An added tax follows the lines.
        amount: money(invoice.tax?.behavior === 'EXCLUSIVE' ? net : amount),
      })),
    sums: [
      ...sumsOf({ gross: invoice.amount, ...invoice.tax, currency: invoice.currency, of: invoice.tax }),
      ...(invoice.tax !== null && invoice.creditApplied > 0
        ? [
            { text: say`Credit`, amount: money(-invoice.creditApplied), isTotal: false },
            { text: say`To pay`, amount: money(invoice.amount), isTotal: true },
          ]
        : []),
    ],
    payments: [...paymentsOf(facts)].map(({ text, amount }) => ({ text, amount: money(amount) })),
    remarks: remarksOf(facts),
  }
}

interface Parts {
  readonly gross: number
  readonly net?: number
  readonly tax?: number
  readonly currency: string
  readonly of: InvoiceTax | null
}

function sumsOf({ gross, net = gross, tax = 0, currency, of }: Parts): SheetSum[] {
  const total = { text: say`Total`, amount: moneyWords({ amount: gross, currency }), isTotal: true }
  if (of === null) return [total]
  const text = of.isReverseCharge ? say`${of.name} (reverse charge)` : taxWords(of)
  return [
    { text: say`Net`, amount: moneyWords({ amount: net, currency }), isTotal: false },
    { text, amount: moneyWords({ amount: tax, currency }), isTotal: false },
    total,
  ]
}

const paidOf = (charges: readonly Charge[]) => charges.find(({ status }) => status === 'SUCCEEDED')

function* paymentsOf({ invoice, charges, refunds, card }: SheetFacts) {
  const paid = paidOf(charges)
  if (invoice.status === 'PAID' && paid !== undefined) {
    const day = dayWords(paid.settledAt ?? paid.startedAt)
    const text = card === null ? say`Paid on ${day}` : say`Paid on ${day} by ${card}`
    yield { text, amount: invoice.amountPaid }
  }
  for (const { status, amount, updatedAt } of refunds) {
    if (status === 'SUCCEEDED') yield { text: say`Refunded on ${dayWords(updatedAt)}`, amount: -amount }
  }
  if (invoice.status === 'OPEN') yield { text: say`Amount due`, amount: invoice.amount }
}

function remarksOf({ invoice, buyer, refunds }: SheetFacts): string[] {
  const isCovered = invoice.status === 'PAID' && invoice.amount === 0
  return [
    ...(invoice.status === 'VOID' ? [say`This invoice is void: nothing is to be paid.`] : []),
    ...(invoice.status === 'UNCOLLECTIBLE' ? [say`This invoice was not paid and is no longer collected.`] : []),
    ...(isCovered ? [say`Covered by credit: nothing was charged.`] : []),
    ...(refunds.some(({ status }) => status === 'PENDING') ? [say`A refund is pending.`] : []),
    ...(invoice.tax?.isReverseCharge ? [sayText(REVERSE_CHARGE)] : []),
    ...(invoice.tax?.jurisdictions === undefined ? [] : [jurisdictionWords(invoice.tax)]),
    sayText(UTC),
    ...(buyer.type === 'TEST_MERCHANT' ? [sayText(TEST)] : []),
  ]
}

const REVERSE_CHARGE = english('Reverse charge: the recipient owes the tax (Directive 2006/112/EC, article 196).')
const UTC = english('Dates are in UTC.')
const TEST = english('A test invoice: no real money was charged.')

/** Remarks that a credit note shares with its invoice. */
function isAboutTax(remark: string, tax: InvoiceTax | null): boolean {
  if (tax !== null && remark === jurisdictionWords(tax)) return true
  return [REVERSE_CHARGE, TEST, UTC].some(shared => remark === sayText(shared))
}

/** The issuer: the seller's name and address, if set. */
export function sellerLines({
  organization: { name, email },
  seller,
}: Pick<SheetFacts, 'organization' | 'seller'>): string[] {
  const { legalName = name, address, taxId } = seller ?? {}
  const named = [legalName, name === legalName ? '' : name, ...addressLines(address ?? {}), email]
  return [...named, taxId === undefined ? '' : say`Tax ID: ${taxId}`].filter(line => line !== '')
}

function buyerOf(of: BusinessNames): string[] {
  const { legalName, doingBusinessAs, address = {}, country, emailAddress, taxId } = of
  return [
    legalName,
    doingBusinessAs === legalName ? '' : doingBusinessAs,
    ...addressLines({ countryCode: country, ...address }),
    emailAddress,
    taxId === undefined ? '' : say`Tax ID: ${taxId}`,
  ].filter(line => line !== '')
}

/** Formatted as on a letter. */
function addressLines({ line1 = '', line2 = '', city, territory, postalCode, countryCode }: Address): string[] {
  const town = POSTAL_CODE_FIRST.has(countryCode ?? '')
    ? [postalCode, city, territory].filter(Boolean).join(' ')
    : [city, [territory, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [line1, line2, town, countryCode === undefined ? '' : (countryName(countryCode) ?? countryCode)]
}

/** The countries of Europe that write "20457 Hamburg". Source: Universal Postal Union, postal addressing systems. */
const POSTAL_CODE_FIRST = new Set(
  'AD AT AX BA BE BG CH CY CZ DE DK EE ES FI FO FR GL GR HR IS IT LI LT LU MC ME MK NL NO PL PT RO RS SE SI SK SM TR VA'.split(
    ' ',
  ),
)

function countryName(code: string): string | undefined {
  return new Intl.DisplayNames([locale()], { type: 'region' }).of(code)
}

/** How an invoice stands, in a word or two. */
export function statusOf({ status, amount, amountRefunded, amountChargedBack }: Invoice): {
  readonly word: string
  readonly tone: Tone
} {
  switch (status) {
    case 'OPEN':
      return { word: say`Overdue`, tone: 'warn' }
    case 'PAID':
      if (amountChargedBack > 0) return { word: say`Disputed`, tone: 'plain' }
      if (amountRefunded === 0) return { word: say`Paid`, tone: 'good' }
      return { word: amountRefunded === amount ? say`Refunded` : say`Partly refunded`, tone: 'plain' }
    case 'UNCOLLECTIBLE':
      return { word: say`Uncollectible`, tone: 'bad' }
    case 'VOID':
      return { word: say`Void`, tone: 'plain' }
  }
}
