import { Type } from 'typebox'
import { reject } from '../../core/rejection.ts'
import { findBusinesses } from '../../merchants/businesses/store.ts'
import { findInvoice, type Invoice } from '../../money/invoices/store.ts'
import { type AnyPage, bytes } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { documentBrand, invoiceFile } from '../merchant/invoice-files.ts'
import type { Side } from './side.ts'

/** The invoice as the merchant gets it, without the merchant's card. */
export function invoiceFilePage(side: Side): AnyPage {
  return side.page({
    ...{ method: 'GET', path: `${side.paths.invoices}/:invoiceId.pdf`, name: side.nameOf('saveDeveloperInvoice') },
    operation: 'moneyLists.read',
    params: Type.Object({ invoiceId: Uuid }),
    async handle(call, { organizationId }) {
      const { sql } = call.db
      const invoice = await findInvoice(sql, call.params.invoiceId)
      const isVisible = organizationId === undefined || invoice?.organizationId === organizationId
      const [buyer] = invoice && isVisible ? await findBusinesses(sql, [invoice.businessId]) : []
      if (invoice === null || buyer === undefined) {
        return reject('INVOICE_NOT_FOUND', 'There is no invoice with this id.')
      }
      const brand = await documentBrand(sql, call.brand)
      const file = await invoiceFile(sql, invoice, { buyer, brand, namesCard: false })
      return bytes('application/pdf', file.bytes, file.name)
    },
  })
}

export const fileCell = ({ paths }: Side, { invoiceId, number }: Pick<Invoice, 'invoiceId' | 'number'>): Html =>
  html`<a href="${`${paths.invoices}/${invoiceId}.pdf`}">PDF<span class="unseen"> of invoice ${number}</span></a>`
