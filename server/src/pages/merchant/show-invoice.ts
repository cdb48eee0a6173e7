import { Type } from 'typebox'
import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, bytes } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { buttons, linkButton } from '../../platform/web/components/button.ts'
import { badge } from '../../platform/web/components/card.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { findOwnInvoice } from './find-own.ts'
import { framed, PATHS } from './frame.ts'
import { type InvoiceSheet, loadSheet } from './invoice-sheet.ts'
import { ownPage } from './own-page.ts'

const params = Type.Object({ invoiceId: Uuid })
const operation = 'invoices.read'

/** One invoice: to read and print, and as a file. */
export function showInvoicePages(ports: Pick<Ports, 'clock'>): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path: `${PATHS.invoices}/:invoiceId`, name: 'showOwnInvoice', operation, params },
      async handle(call, shop) {
        const invoice = await findOwnInvoice(call.db.sql, shop, call.params.invoiceId)
        if (isRejection(invoice)) return invoice
        const sheet = await loadSheet(call.db.sql, invoice, shop.business)
        const main = html`${sheetHtml(sheet)}
<div class="not-printed">
<p class="fine">To print it, use your browser's print command.</p>
${buttons(
  linkButton('Save as PDF', `${PATHS.invoices}/${invoice.invoiceId}.pdf`, { kind: 'primary' }),
  linkButton('All invoices', PATHS.invoices),
)}</div>`
        return framed(call, shop, { title: `Invoice ${sheet.number}`, part: 'invoices', main })
      },
    }),
    ownPage(ports, {
      ...{ method: 'GET', path: `${PATHS.invoices}/:invoiceId.pdf`, name: 'saveOwnInvoice', operation, params },
      async handle(call, shop) {
        const invoice = await findOwnInvoice(call.db.sql, shop, call.params.invoiceId)
        if (isRejection(invoice)) return invoice
        const sheet = await loadSheet(call.db.sql, invoice, shop.business)
        // Loaded with the first file that is asked for: what draws it has 15 MB of memory.
        const { invoicePdf } = await import('./invoice-pdf.ts')
        return bytes('application/pdf', await invoicePdf(sheet), `Invoice ${sheet.number}.pdf`)
      },
    }),
  ]
}

function sheetHtml({ number, issued, app, state, seller, buyer, lines, total, payments, remarks }: InvoiceSheet): Html {
  return html`<article class="sheet">
<div class="sheet-head"><div><h1>Invoice ${number}</h1><p>${issued} · ${app}</p></div>${badge(state.word, state.tone)}</div>
<div class="sheet-parties">${party('From', seller)}${party('To', buyer)}</div>
<table class="sheet-lines">
<caption class="unseen">Lines</caption>
<thead><tr><th scope="col">What</th><th scope="col">Period</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>${lines.map(
    ({ text, period, amount }) => html`
<tr><th scope="row">${text}</th><td>${period}</td><td class="number">${amount}</td></tr>`,
  )}
</tbody>
<tfoot>
<tr class="sheet-total"><th scope="row" colspan="2">Total</th><td class="number">${total}</td></tr>
${payments.map(({ text, amount }) => html`<tr><th scope="row" colspan="2">${text}</th><td class="number">${amount}</td></tr>`)}
</tfoot>
</table>
${remarks.map(remark => html`<p class="fine">${remark}</p>`)}
</article>`
}

function party(title: string, lines: readonly string[]): Html {
  return html`<div><h2>${title}</h2><p>${lines.map((line, i) => html`${i > 0 && html`<br>`}${i === 0 ? html`<strong>${line}</strong>` : line}`)}</p></div>`
}
