import { Type } from 'typebox'
import { UUID } from '../../core/id.ts'
import { isRejection, type RejectionCode, reject } from '../../core/rejection.ts'
import { payInvoice } from '../../money/billing/pay-invoice.ts'
import { findCreditNote, findCreditNotes } from '../../money/documents/credit-notes.ts'
import { creditNoteXml, invoiceXml } from '../../money/documents/e-invoice.ts'
import { findInvoiceYears, findOpenInvoices, type Invoice, listInvoices } from '../../money/invoices/store.ts'
import { type AnyPage, bytes, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { badge, emptyState, type Tone } from '../../platform/web/components/content.ts'
import { button, buttons, linkButton, press } from '../../platform/web/components/form.ts'
import { addressOf, filter, table } from '../../platform/web/components/table.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { ArchiveQuery, creditNoteFile, documentBrand, invoiceFile, savedYears } from './invoice-files.ts'
import { type InvoiceSheet, loadSheet, statusOf } from './invoice-sheet.ts'
import { findOwnInvoice, framed, ownPage, PATHS } from './own-page.ts'
import { payingOf, REFRESH_SECONDS } from './payment-methods.ts'
import { appFaces } from './standing.ts'

/** Two years of months. */
const ON_A_PAGE = 24

/** All invoices of the merchant, the newest first. */
export function listInvoicesPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return ownPage(ports, {
    method: 'GET',
    path: PATHS.invoices,
    name: 'showOwnInvoices',
    operation: 'invoices.read',
    query: Type.Object({
      ...ArchiveQuery.properties,
      page: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,6}$' })),
    }),
    async handle(call, shop) {
      const { sql } = call.db
      const { year } = call.query
      const page = Number(call.query.page ?? 1)
      const offset = (page - 1) * ON_A_PAGE
      const { invoices, total } = await listInvoices(sql, {
        ...{ businessId: shop.businessId, first: 'newest', offset, limit: ON_A_PAGE },
        ...(year !== undefined && { year: Number(year) }),
      })
      const years = await findInvoiceYears(sql, shop.businessId)
      const faces = await appFaces(
        sql,
        invoices.map(({ appId }) => appId),
      )
      const appNames = new Map([...faces].map(([appId, { name }]) => [appId, name]))
      const caption = total > ON_A_PAGE ? say`${total} invoices, page ${page}` : say`All invoices, the newest first`
      const main = html`<h1>${say`Invoices`}</h1>
${years.length > 1 && yearFilter(years, year)}
${invoices.length === 0 ? nothing(page, year) : invoiceTable(invoices, { caption, appNames })}
${pager(page, total, year)}
${years.length > 0 && savedYears(years)}`
      return framed(call, shop, { title: say`Invoices`, part: 'invoices', main })
    },
  })
}

function yearFilter(years: readonly number[], year: string | undefined): Html {
  return filter(
    say`Filter by year`,
    [undefined, ...years.map(String)].map(one => ({
      text: one ?? say`All`,
      href: addressOf(PATHS.invoices, { year: one }),
      isCurrent: one === year,
    })),
  )
}

function nothing(page: number, year: string | undefined): Html {
  if (page > 1 || year !== undefined)
    return emptyState(
      say`No invoices on this page`,
      say`There are not that many.`,
      linkButton(say`Newest invoices`, PATHS.invoices),
    )
  return emptyState(
    say`No invoices yet`,
    say`An invoice is made for each payment. It is shown here, to be printed or saved.`,
  )
}

function pager(page: number, total: number, year: string | undefined): Html | false {
  const hasNewer = page > 1
  const hasOlder = page * ON_A_PAGE < total
  if (!hasNewer && !hasOlder) return false
  const to = (other: number) => addressOf(PATHS.invoices, { year, page: String(other) })
  return html`<nav class="pager" aria-label="${say`More invoices`}">
${hasNewer ? linkButton(say`Newer`, to(page - 1)) : html`<span></span>`}
${hasOlder && linkButton(say`Older`, to(page + 1))}
</nav>`
}

const params = Type.Object({ invoiceId: Uuid })
const operation = 'invoices.read'

/** One invoice: to read and print, and as a file. */
export function showInvoicePages(ports: Parameters<typeof payInvoice>[0]): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path: `${PATHS.invoices}/:invoiceId`, name: 'showOwnInvoice', operation, params },
      query: Type.Object({ paying: Type.Optional(Type.Enum(['yes'])) }),
      async handle(call, shop) {
        const invoice = await findOwnInvoice(call.db.sql, shop, call.params.invoiceId)
        if (isRejection(invoice)) return invoice
        const sheet = await loadSheet(call.db.sql, invoice, shop.business)
        const notes = await findCreditNotes(call.db.sql, [invoice.invoiceId])
        const isOpen = invoice.status === 'OPEN'
        const paying = isOpen || call.query.paying ? await payingOf(call, shop, [invoice.invoiceId]) : undefined
        const [oldest] =
          (await findOpenInvoices(call.db.sql, [invoice.subscriptionId])).get(invoice.subscriptionId) ?? []
        const isNext = oldest?.invoiceId === invoice.invoiceId && paying?.isUnderWay === false
        const main = html`${
          paying &&
          html`<div class="not-printed">${paying.words}
${isNext && shop.may('paymentMethods.manage') && payForm(call.csrf, invoice)}</div>`
        }
${sheetHtml(sheet)}
<div class="not-printed">
${notes.map(note => html`<p><a href="${`${PATHS.invoices}/credit-notes/${note.creditNoteId}.pdf`}">${say`Credit note ${note.number} as PDF`}</a>${invoice.tax && html` · <a href="${`${PATHS.invoices}/credit-notes/${note.creditNoteId}/e-invoice.xml`}">${say`as e-invoice`}</a>`}</p>`)}
${buttons(
  linkButton(say`Save as PDF`, `${PATHS.invoices}/${invoice.invoiceId}.pdf`, { kind: 'primary' }),
  ...(invoice.tax === null
    ? []
    : [linkButton(say`Save as e-invoice`, `${PATHS.invoices}/${invoice.invoiceId}/e-invoice.xml`)]),
  linkButton(say`All invoices`, PATHS.invoices),
)}</div>`
        const waits = paying?.isUnderWay ? { refreshSeconds: REFRESH_SECONDS } : {}
        return framed(call, shop, { title: say`Invoice ${sheet.number}`, part: 'invoices', main, ...waits })
      },
    }),
    ownPage(ports, {
      ...{
        method: 'GET',
        path: `${PATHS.invoices}/credit-notes/:creditNoteId.pdf`,
        name: 'saveOwnCreditNote',
        operation,
      },
      // A malformed id is treated as an unknown id.
      params: Type.Object({ creditNoteId: Type.String({ maxLength: 64 }) }),
      async handle(call, shop) {
        const { sql } = call.db
        const { creditNoteId } = call.params
        const note = UUID.test(creditNoteId) ? await findCreditNote(sql, creditNoteId) : null
        const invoice = note && (await findOwnInvoice(sql, shop, note.invoiceId))
        if (note === null || invoice === null || isRejection(invoice)) {
          return reject('RESOURCE_NOT_FOUND', 'The business has no credit note with this id.')
        }
        const brand = await documentBrand(sql, call.brand)
        const file = await creditNoteFile(sql, note, { invoice, buyer: shop.business, brand })
        return bytes('application/pdf', file.bytes, file.name)
      },
    }),
    ownPage(ports, {
      ...{
        method: 'GET',
        path: `${PATHS.invoices}/:invoiceId/e-invoice.xml`,
        name: 'saveOwnEInvoice',
        operation,
        params,
      },
      async handle(call, shop) {
        const invoice = await findOwnInvoice(call.db.sql, shop, call.params.invoiceId)
        if (isRejection(invoice)) return invoice
        const xml = await invoiceXml(call.db.sql, invoice)
        return typeof xml === 'string'
          ? bytes('application/xml', Buffer.from(xml), `Invoice ${invoice.number}.xml`)
          : xml
      },
    }),
    ownPage(ports, {
      ...{ method: 'GET', path: `${PATHS.invoices}/credit-notes/:creditNoteId/e-invoice.xml`, operation },
      name: 'saveOwnECreditNote',
      params: Type.Object({ creditNoteId: Uuid }),
      async handle(call, shop) {
        const { sql } = call.db
        const note = await findCreditNote(sql, call.params.creditNoteId)
        const invoice = note && (await findOwnInvoice(sql, shop, note.invoiceId))
        if (note === null || invoice === null || isRejection(invoice)) {
          return reject('RESOURCE_NOT_FOUND', 'The business has no credit note with this id.')
        }
        const xml = await creditNoteXml(sql, note, invoice)
        return typeof xml === 'string'
          ? bytes('application/xml', Buffer.from(xml), `Credit note ${note.number}.xml`)
          : xml
      },
    }),
    ownPage(ports, {
      ...{ method: 'POST', path: `${PATHS.invoices}/:invoiceId/pay`, name: 'payOwnInvoice', params },
      operation: 'paymentMethods.manage',
      async handle(call, shop) {
        const { businessId } = shop
        const invoiceId = call.params.invoiceId
        const paid = await payInvoice({ ...ports, db: call.db }, { businessId, invoiceId })
        if (isRejection(paid) && paid.rejected === 'PAYMENT_METHOD_REQUIRED') {
          return redirect(`${PATHS.paymentMethods}/add`)
        }
        if (isRejection(paid) && paid.rejected === 'PAYMENT_METHOD_DECLINED') return redirect(PATHS.paymentMethods)
        // The button was pressed twice, or the invoice has been paid: the page shows the state.
        if (isRejection(paid) && !SHOWN_AS_STATE.has(paid.rejected)) return paid
        return redirect(`${PATHS.invoices}/${invoiceId}?paying=yes`)
      },
    }),
    ownPage(ports, {
      ...{ method: 'GET', path: `${PATHS.invoices}/:invoiceId.pdf`, name: 'saveOwnInvoice', operation, params },
      async handle(call, shop) {
        const invoice = await findOwnInvoice(call.db.sql, shop, call.params.invoiceId)
        if (isRejection(invoice)) return invoice
        const brand = await documentBrand(call.db.sql, call.brand)
        const file = await invoiceFile(call.db.sql, invoice, { buyer: shop.business, brand, namesCard: true })
        return bytes('application/pdf', file.bytes, file.name)
      },
    }),
  ]
}

const SHOWN_AS_STATE = new Set<RejectionCode>(['INVOICE_NOT_OPEN', 'CHARGE_IN_PROGRESS', 'PAYMENT_DUE'])

function payForm(csrf: string, { invoiceId, amount, currency }: Invoice): Html {
  const action = `${PATHS.invoices}/${invoiceId}/pay`
  const text = say`Pay ${moneyWords({ amount, currency })} now`
  const change = linkButton(say`Change payment method`, PATHS.paymentMethods)
  return press(action, csrf, buttons(button(text, { kind: 'primary' }), change))
}

function sheetHtml({ number, issued, app, state, seller, buyer, lines, sums, payments, remarks }: InvoiceSheet): Html {
  return html`<article class="sheet">
<div class="sheet-head"><div><h1>${say`Invoice ${number}`}</h1><p>${issued} · ${app}</p></div>${badge(state.word, state.tone)}</div>
<div class="sheet-parties">${party(say`Seller`, seller)}${party(say`Bill to`, buyer)}</div>
<table class="sheet-lines">
<caption class="unseen">${say`Lines`}</caption>
<thead><tr><th scope="col">${say`Description`}</th><th scope="col">${say`Period`}</th><th scope="col" class="number">${say`Amount`}</th></tr></thead>
<tbody>${lines.map(
    ({ text, period, amount }) => html`
<tr><th scope="row">${text}</th><td>${period}</td><td class="number">${amount}</td></tr>`,
  )}
</tbody>
<tfoot>
${sums.map(({ text, amount, isTotal }) => html`<tr ${{ class: isTotal ? 'sheet-total' : undefined }}><th scope="row" colspan="2">${text}</th><td class="number">${amount}</td></tr>`)}
${payments.map(({ text, amount }) => html`<tr><th scope="row" colspan="2">${text}</th><td class="number">${amount}</td></tr>`)}
</tfoot>
</table>
${remarks.map(remark => html`<p class="fine">${remark}</p>`)}
</article>`
}

function party(title: string, lines: readonly string[]): Html {
  return html`<div><h2>${title}</h2><p>${lines.map((line, i) => html`${i > 0 && html`<br>`}${i === 0 ? html`<strong>${line}</strong>` : line}`)}</p></div>`
}

/** Invoices with links to their pages. */
export function invoiceTable(
  invoices: readonly Invoice[],
  { caption, appNames }: { caption: string; appNames?: ReadonlyMap<string, string> },
): Html {
  return table<Invoice>({
    caption,
    rows: invoices,
    hasDrawers: true,
    columns: [
      {
        name: say`Invoice`,
        cell: ({ invoiceId, number }) => html`<a href="${`${PATHS.invoices}/${invoiceId}`}">${number}</a>`,
      },
      { name: say`Date`, cell: ({ createdAt }) => day(createdAt) },
      appNames && { name: say`App`, cell: ({ appId }: Invoice) => appNames.get(appId) ?? '' },
      { name: say`Description`, cell: ({ lines }) => lines[0]?.description ?? '' },
      {
        name: say`State`,
        cell: invoice => {
          const { word, tone } = statusOf(invoice)
          return badge(word, tone satisfies Tone)
        },
      },
      {
        name: say`Amount`,
        isNumber: true,
        cell: ({ amount, currency }) => moneyWords({ amount, currency }),
      },
    ],
  })
}
