import { Readable } from 'node:stream'
import { type CsvValue, csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import { type Invoice, type InvoiceFilter, listInvoices } from '../../money/invoices/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, bytes, type PageAnswer, type PageCall } from '../../platform/http/page.ts'
import type { AppFace } from '../../platform/web/components/content.ts'
import { buttons, linkButton } from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { pageLanguage, say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { invoiceArchive } from './invoice-archive.ts'
import { ArchiveQuery, yearOf } from './invoice-archive-routes.ts'
import { documentBrand } from './invoice-files.ts'
import { framed, ownPage, PATHS, type Shop } from './own-page.ts'
import { appFaces } from './standing.ts'

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

function noInvoices(call: PageCall<unknown, unknown, unknown>, shop: Shop, { year }: OfYear): PageAnswer {
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
