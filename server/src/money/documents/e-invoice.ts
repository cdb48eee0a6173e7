import { findSellerOfInvoice } from '../../catalog/organizations/seller-store.ts'
import { findOrganizationAtIssue } from '../../catalog/organizations/store.ts'
import { assert } from '../../core/assert.ts'
import type { BusinessNames } from '../../core/business-record.ts'
import { type EInvoice, type EParty, eInvoiceXml } from '../../core/e-invoice.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { findFormerNames } from '../../merchants/businesses/names-store.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Invoice } from '../invoices/store.ts'
import type { CreditNote } from './credit-notes.ts'

/** The e-invoice of an invoice. Rejects an invoice without tax, and a seller that the standard cannot name. */
export async function invoiceXml(sql: Sql, invoice: Invoice): Promise<string | Rejection> {
  const parties = await partiesOf(sql, invoice)
  if ('rejected' in parties) return parties
  return eInvoiceXml({
    ...commonOf(invoice, parties),
    kind: 'INVOICE',
    number: invoice.number,
    issuedAt: invoice.createdAt,
    line: invoice.lines[0]?.description ?? '',
    tax: parties.tax,
    prepaid: invoice.creditApplied,
  })
}

/** The e-invoice of a credit note. Rejects like the invoice's. */
export async function creditNoteXml(sql: Sql, note: CreditNote, invoice: Invoice): Promise<string | Rejection> {
  const parties = await partiesOf(sql, invoice)
  if ('rejected' in parties) return parties
  const { amount, tax } = note
  return eInvoiceXml({
    ...commonOf(invoice, parties),
    kind: 'CREDIT_NOTE',
    number: note.number,
    issuedAt: note.createdAt,
    line: `${note.refundId === null ? 'Unused part' : 'Refund'} of invoice ${invoice.number}`,
    tax: { ...parties.tax, net: amount - tax, tax, gross: amount },
    prepaid: 0,
    corrects: { number: invoice.number, issuedAt: invoice.createdAt },
  })
}

type Parties = Pick<EInvoice, 'seller' | 'buyer' | 'tax'>

function commonOf({ currency, periodStart, periodEnd }: Invoice, { seller, buyer }: Parties) {
  return { currency, seller, buyer, period: { start: periodStart, end: periodEnd } }
}

async function partiesOf(sql: Sql, invoice: Invoice): Promise<Parties | Rejection> {
  const { tax, businessId } = invoice
  const seller = await findSellerOfInvoice(sql, invoice)
  const country = seller?.address?.countryCode
  // EN 16931, BR-09 and BR-S-02.
  if (tax === null || seller === null || country === undefined || seller.taxId === undefined) {
    return reject(
      'RESOURCE_NOT_FOUND',
      'The invoice has no e-invoice: the invoice has no tax, or the seller had no country or tax id when the invoice was issued.',
    )
  }
  const organization = await findOrganizationAtIssue(sql, invoice)
  const business = await findBusiness(sql, businessId)
  assert(organization && business, 'the parties of an invoice are never deleted')
  const { legalName: name, address = {}, taxId } = seller
  return {
    tax,
    seller: { name, email: organization.email, country, address, taxId },
    buyer: buyerOf((await findFormerNames(sql, invoice)) ?? business),
  }
}

function buyerOf({ legalName: name, emailAddress: email, country, address = {}, taxId }: BusinessNames): EParty {
  return {
    ...{ name, email, address, country: address.countryCode ?? country },
    ...(taxId === undefined ? {} : { taxId }),
  }
}
