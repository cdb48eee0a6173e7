import { Zip, ZipPassThrough } from 'fflate'
import type { BusinessRecord } from '../../core/business-record.ts'
import { findCreditNotes } from '../../money/documents/credit-notes.ts'
import { type InvoiceFilter, listInvoices } from '../../money/invoices/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { inLanguage, type PageLanguage } from '../../platform/web/say.ts'
import type { DocumentBrand } from '../paper.ts'
import { creditNoteFile, type InvoiceFile, invoiceFile } from './invoice-files.ts'

/** About 2 MB of rows at most. */
const BATCH = 100

export interface Archive {
  readonly buyer: BusinessRecord
  readonly brand: DocumentBrand
  readonly language: PageLanguage
  readonly filter: Omit<InvoiceFilter, 'offset' | 'limit'> & { readonly year: number }
}

/**
 * The invoices of a year and their credit notes as the chunks of a ZIP file, oldest first. One PDF is in memory at a time. The
 * format counts 65,535 files: 179 invoices a day. PDFs are compressed, so the ZIP file only stores them.
 */
export async function* invoiceArchive(sql: Sql, archive: Archive): AsyncGenerator<Buffer> {
  const made: Buffer[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    made.push(Buffer.from(chunk))
  })
  for await (const { name, issuedAt, bytes } of filesOf(sql, archive)) {
    const entry = new ZipPassThrough(name)
    entry.mtime = issuedAt
    zip.add(entry)
    entry.push(bytes, true)
    yield* made.splice(0)
  }
  zip.end()
  yield* made
}

async function* filesOf(sql: Sql, { buyer, brand, language, filter }: Archive): AsyncGenerator<InvoiceFile> {
  for (let offset = 0; ; offset += BATCH) {
    const { invoices } = await listInvoices(sql, { ...filter, offset, limit: BATCH })
    const notes = await findCreditNotes(
      sql,
      invoices.map(({ invoiceId }) => invoiceId),
    )
    for (const invoice of invoices) {
      // A stream is read outside the call that made the stream.
      yield await inLanguage(language, () => invoiceFile(sql, invoice, { buyer, brand, namesCard: true }))
      for (const note of notes.filter(({ invoiceId }) => invoiceId === invoice.invoiceId)) {
        yield await inLanguage(language, () => creditNoteFile(sql, note, { invoice, buyer, brand }))
      }
    }
    if (invoices.length < BATCH) return
  }
}
