import { isSeenFrom } from '../../core/location.ts'
import { parseOffset } from '../../core/page.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { invoiceXml } from '../documents/e-invoice.ts'
import { findOwner } from '../subscriptions/store.ts'
import { invoicesToJson, seenBy } from './read.ts'
import { BusinessParams, InvoiceJson, InvoicePageJson, InvoiceParams, InvoiceQuery } from './schema.ts'
import { findInvoice, type Invoice, listInvoices } from './store.ts'

export function invoiceRoutes({ db }: Pick<Ports, 'db'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/businesses/:businessId/invoices',
      name: 'listInvoices',
      operation: 'invoices.read',
      summary: 'List the invoices of a merchant, oldest first. An app sees the invoices of its own subscriptions',
      params: BusinessParams,
      query: InvoiceQuery,
      answers: { 200: InvoicePageJson },
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, query, principal }) => {
        const page = parseOffset(query)
        if (isRejection(page)) return page
        const { invoices, total } = await listInvoices(db.sql, {
          businessId: params.businessId,
          ...seenBy(principal),
          seenFrom: locationOfCaller(principal),
          ...page,
        })
        const list = await invoicesToJson(db.sql, invoices)
        return answer(200, { list, start: page.offset, total, count: list.length })
      },
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/invoices/:invoiceId',
      name: 'getInvoice',
      operation: 'invoices.read',
      summary: 'Get an invoice. Payment and refund events link here',
      params: InvoiceParams,
      answers: { 200: InvoiceJson },
      rejections: ['INVOICE_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, principal }) => {
        const invoice = await getSeenInvoice(db.sql, principal, params)
        if (isRejection(invoice)) return invoice
        return answer(200, (await invoicesToJson(db.sql, [invoice]))[0])
      },
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/invoices/:invoiceId/e-invoice.xml',
      name: 'downloadEInvoice',
      operation: 'invoices.read',
      summary: 'Download an invoice as an e-invoice (EN 16931, syntax CII). Invoices without tax have none',
      params: InvoiceParams,
      contentType: 'application/xml',
      sends: ['Content-Disposition'],
      answers: { 200: null },
      rejections: ['INVOICE_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, principal }) => {
        const invoice = await getSeenInvoice(db.sql, principal, params)
        if (isRejection(invoice)) return invoice
        const content = await invoiceXml(db.sql, invoice)
        if (typeof content !== 'string') return content
        const headers = { 'content-disposition': `attachment; filename="invoice-${invoice.number}.xml"` }
        return { status: 200, headers, text: { type: 'application/xml', content } }
      },
    }),
  ]
}

/** Another merchant's, app's or location's invoice is like one that does not exist. */
async function getSeenInvoice(
  sql: Sql,
  principal: Principal,
  { businessId, invoiceId }: { readonly businessId: string; readonly invoiceId: string },
): Promise<Invoice | Rejection> {
  const invoice = await findInvoice(sql, invoiceId)
  const { appId, organizationId } = seenBy(principal)
  const isForeign =
    invoice?.businessId !== businessId.toLowerCase() ||
    (appId !== undefined && invoice.appId !== appId) ||
    (organizationId !== undefined && invoice.organizationId !== organizationId) ||
    !(await isSeenByLocation(sql, principal, invoice))
  if (invoice !== null && !isForeign) return invoice
  return reject('INVOICE_NOT_FOUND', 'The business has no invoice with this invoiceId.')
}

/** Decisions 3: a token of a store or device sees the invoices of that location and of the whole business. */
async function isSeenByLocation(sql: Sql, principal: Principal, { subscriptionId }: Invoice): Promise<boolean> {
  const location = locationOfCaller(principal)
  if (location.storeId === undefined && location.deviceId === undefined) return true
  const owner = await findOwner(sql, subscriptionId)
  return owner !== null && isSeenFrom(location, owner)
}
