import { Readable } from 'node:stream'
import { Zip, ZipPassThrough } from 'fflate'
import { type Static, Type } from 'typebox'
import type { Brand } from '../../core/brand.ts'
import { effectiveNow } from '../../core/business.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { type CsvValue, csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import { locationOfCaller } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { CreditNote } from '../../money/documents/credit-notes.ts'
import { findCreditNotes } from '../../money/documents/credit-notes.ts'
import { creditNoteXml, invoiceXml } from '../../money/documents/e-invoice.ts'
import { seenBy } from '../../money/invoices/read.ts'
import { BusinessParams } from '../../money/invoices/schema.ts'
import type { Invoice } from '../../money/invoices/store.ts'
import { type InvoiceFilter, listInvoices } from '../../money/invoices/store.ts'
import { findBrand, findLogo } from '../../platform/brand/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, bytes, type PageAnswer, type PageCall } from '../../platform/http/page.ts'
import { type AnyRoute, route } from '../../platform/http/route.ts'
import type { AppFace } from '../../platform/web/components/content.ts'
import { buttons, linkButton } from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { inLanguage, type PageLanguage, pageLanguage, say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import type { DocumentBrand } from '../paper.ts'
import { loadCreditNoteSheet, loadSheet } from './invoice-sheet.ts'
import { framed, ownPage, PATHS, type Shop } from './own-page.ts'
import { appFaces } from './standing.ts'

/** About 2 MB of rows at most. */
const BATCH = 100

interface Archive {
  readonly buyer: BusinessRecord
  readonly brand: DocumentBrand
  readonly language: PageLanguage
  readonly filter: Omit<InvoiceFilter, 'offset' | 'limit'> & { readonly year: number }
}

/**
 * The invoices of a year and their credit notes as the chunks of a ZIP file, oldest first. One PDF is in memory at a time. The
 * format counts 65,535 files: 179 invoices a day. PDFs are compressed, so the ZIP file only stores them.
 */
async function* invoiceArchive(sql: Sql, archive: Archive): AsyncGenerator<Buffer> {
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

export const ArchiveQuery = Type.Object({
  year: Type.Optional(
    Type.String({
      pattern: '^20\\d{2}$',
      description: 'The UTC year of issue, as in the number of an invoice. Default: the current year',
    }),
  ),
})

/** `now` is the current time of the business. */
function yearOf({ year }: Static<typeof ArchiveQuery>, now: Date): number {
  return year === undefined ? now.getUTCFullYear() : Number(year)
}

/** The route stands beside the pages because the PDF of an invoice is the page of the invoice on paper. */
export function invoiceArchiveRoutes({ db, clock }: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/businesses/:businessId/invoices.zip',
      name: 'downloadInvoices',
      operation: 'invoices.read',
      summary: "Download the invoices and credit notes of a year as PDFs in a ZIP file, in the merchant's language",
      params: BusinessParams,
      query: ArchiveQuery,
      contentType: 'application/zip',
      sends: ['Content-Disposition'],
      answers: { 200: null },
      rejections: ['BUSINESS_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, query, principal }) => {
        const buyer = await findBusiness(db.sql, params.businessId.toLowerCase())
        if (buyer === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
        const year = yearOf(query, effectiveNow(buyer, clock.now()))
        const { businessId, language } = buyer
        const filter = { businessId, ...seenBy(principal), seenFrom: locationOfCaller(principal), year }
        const { total } = await listInvoices(db.sql, { ...filter, offset: 0, limit: 1 })
        if (total === 0) return reject('RESOURCE_NOT_FOUND', `The business has no invoices from ${year}.`)
        const brand = await documentBrand(db.sql, await findBrand(db.sql))
        const headers = { 'content-disposition': `attachment; filename="invoices-${year}.zip"` }
        const chunks = invoiceArchive(db.sql, { buyer, brand, language, filter })
        return { status: 200, headers, stream: { type: 'application/zip', chunks } }
      },
    }),
  ]
}

const ROWS_AT_ONCE = 1_000

const COLUMNS = [
  ...['number', 'date', 'app', 'developer', 'description', 'periodStart', 'periodEnd', 'status', 'currency', 'net'],
  ...['tax', 'amount', 'amountPaid', 'amountRefunded', 'amountChargedBack', 'invoiceId'],
]

/** The links to the files of each year. */
export function savedYears(years: readonly number[]): Html {
  return html`<h2>${say`Save a year`}</h2>
<p>${say`All invoices of a year and their credit notes as PDFs in one ZIP file, or a list of the invoices for a spreadsheet (CSV).`}</p>
${years.map(year =>
  buttons(
    linkButton(say`Invoices of ${year} (ZIP)`, `${PATHS.invoices}.zip?year=${year}`),
    linkButton(say`List of ${year} (CSV)`, `${PATHS.invoices}.csv?year=${year}`, { kind: 'quiet' }),
  ),
)}`
}

/** The invoices of a year as a ZIP file of PDFs and as CSV. */
export function saveInvoicesPages(ports: Pick<Ports, 'clock'>): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path: `${PATHS.invoices}.zip`, name: 'saveOwnInvoices', operation: 'invoices.read' },
      query: ArchiveQuery,
      async handle(call, shop) {
        const { sql } = call.db
        const filter = { businessId: shop.businessId, year: yearOf(call.query, shop.now) }
        if (await isEmpty(sql, filter)) return noInvoices(call, shop, filter)
        const drawn = await documentBrand(sql, call.brand)
        const chunks = invoiceArchive(sql, { buyer: shop.business, brand: drawn, language: pageLanguage(), filter })
        return bytes('application/zip', Readable.from(chunks), say`Invoices ${filter.year}.zip`)
      },
    }),
    ownPage(ports, {
      ...{ method: 'GET', path: `${PATHS.invoices}.csv`, name: 'listOwnInvoicesAsCsv', operation: 'invoices.read' },
      query: ArchiveQuery,
      async handle(call, shop) {
        const { sql } = call.db
        const filter = { businessId: shop.businessId, year: yearOf(call.query, shop.now) }
        if (await isEmpty(sql, filter)) return noInvoices(call, shop, filter)
        return bytes('text/csv; charset=utf-8', Readable.from(csvChunks(sql, filter)), say`Invoices ${filter.year}.csv`)
      },
    }),
  ]
}

type OfYear = Omit<InvoiceFilter, 'offset' | 'limit'> & { readonly year: number }

async function isEmpty(sql: Sql, filter: OfYear): Promise<boolean> {
  return (await listInvoices(sql, { ...filter, offset: 0, limit: 1 })).total === 0
}

function noInvoices(call: PageCall, shop: Shop, { year }: OfYear): PageAnswer {
  const title = say`No invoices of ${year}`
  const main = html`<h1>${title}</h1>${buttons(linkButton(say`All invoices`, PATHS.invoices))}`
  return framed(call, shop, { title, part: 'invoices', main }, { status: 404 })
}

/** Oldest first. Column names are those of the API, so that they are the same in every language. */
async function* csvChunks(sql: Sql, filter: OfYear): AsyncGenerator<Buffer> {
  yield Buffer.from(csvOf([COLUMNS]))
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const { invoices } = await listInvoices(sql, { ...filter, offset, limit: ROWS_AT_ONCE })
    const appIds = invoices.map(({ appId }) => appId)
    const faces = await appFaces(sql, appIds)
    if (invoices.length > 0)
      yield Buffer.from(csvOf(invoices.map(invoice => csvRow(invoice, faces.get(invoice.appId)))))
    if (invoices.length < ROWS_AT_ONCE) return
  }
}

function csvRow({ tax, currency, ...invoice }: Invoice, app: AppFace | undefined): CsvValue[] {
  const money = (amount: number) => ({ number: decimalOf(amount, currency) })
  const dayOf = (at: Date) => at.toISOString().slice(0, 10)
  const { number, createdAt, lines, periodStart, periodEnd, status } = invoice
  return [
    ...[number, dayOf(createdAt), app?.name, app?.developer, lines[0]?.description, dayOf(periodStart)],
    ...[dayOf(periodEnd), status, currency, ...(tax ? [money(tax.net), money(tax.tax)] : [undefined, undefined])],
    ...[invoice.amount, invoice.amountPaid, invoice.amountRefunded, invoice.amountChargedBack].map(money),
    invoice.invoiceId,
  ]
}

interface InvoiceFile {
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
