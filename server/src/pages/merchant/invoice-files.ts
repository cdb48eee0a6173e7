import type { Brand } from '../../core/brand.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { CreditNote } from '../../money/documents/credit-notes.ts'
import { creditNoteXml, invoiceXml } from '../../money/documents/e-invoice.ts'
import type { Invoice } from '../../money/invoices/store.ts'
import { findLogo } from '../../platform/brand/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { say } from '../../platform/web/say.ts'
import type { DocumentBrand } from '../paper.ts'
import { loadCreditNoteSheet, loadSheet } from './invoice-sheet.ts'

export interface InvoiceFile {
  readonly name: string
  readonly issuedAt: Date
  readonly bytes: Buffer
}

/** The PDF of an invoice in the language of the call, with its e-invoice where the invoice has tax. */
export async function invoiceFile(
  sql: Sql,
  invoice: Invoice,
  {
    buyer,
    brand,
    namesCard,
  }: {
    readonly buyer: BusinessRecord
    readonly brand: DocumentBrand
    /** False: the reader is not the merchant. */
    readonly namesCard: boolean
  },
): Promise<InvoiceFile> {
  const sheet = await loadSheet(sql, invoice, buyer, { namesCard })
  const bytes = await pdfOf(sheet, brand, await invoiceXml(sql, invoice))
  return { name: say`Invoice ${sheet.number}.pdf`, issuedAt: sheet.issuedAt, bytes }
}

export async function creditNoteFile(
  sql: Sql,
  note: CreditNote,
  {
    invoice,
    buyer,
    brand,
  }: { readonly invoice: Invoice; readonly buyer: BusinessRecord; readonly brand: DocumentBrand },
): Promise<InvoiceFile> {
  const sheet = await loadCreditNoteSheet(sql, note, { invoice, buyer })
  const bytes = await pdfOf(sheet, brand, await creditNoteXml(sql, note, invoice))
  return { name: `${sheet.title}.pdf`, issuedAt: sheet.issuedAt, bytes }
}

/** pdfkit draws no WebP. */
export async function documentBrand(sql: Sql, { name, logo }: Brand): Promise<DocumentBrand> {
  const stored = logo === undefined || logo.contentType === 'image/webp' ? null : await findLogo(sql)
  return { name, ...(stored && { logo: stored.bytes }) }
}

async function pdfOf(
  sheet: Awaited<ReturnType<typeof loadSheet>>,
  brand: DocumentBrand,
  xml: string | Rejection,
): Promise<Buffer> {
  // Loaded with the first PDF: the library needs 15 MB of memory.
  const { invoicePdf } = await import('./invoice-pdf.ts')
  // An invoice without an e-invoice is a plain PDF.
  return await invoicePdf(sheet, brand, isRejection(xml) ? undefined : xml)
}
