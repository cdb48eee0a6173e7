import { isSeenFrom } from '../../core/location.ts'
import { DEFAULT_COUNT, parsePage } from '../../core/page.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { isRejection, reject, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { findOwner } from '../subscriptions/store.ts'
import { invoicesToJson } from './read.ts'
import { BusinessParams, InvoiceJson, InvoicePageJson, InvoiceParams, InvoiceQuery } from './schema.ts'
import { findInvoice, type Invoice, listInvoices } from './store.ts'

export function invoiceRoutes({ db }: Pick<Ports, 'db'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/businesses/:businessId/invoices',
      name: 'listInvoices',
      operation: 'invoices.read',
      summary: "A merchant's invoices, oldest first. An app sees the invoices of its own subscriptions.",
      params: BusinessParams,
      query: InvoiceQuery,
      answers: { 200: InvoicePageJson },
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, query, principal }) => {
        const page = parsePage(query)
        if (isRejection(page)) return page
        const begin = page.start ?? { offset: 0 }
        if (!('offset' in begin)) return rejectField('start', 'must be an integer offset of 0 or more')
        const { invoices, total } = await listInvoices(db.sql, {
          businessId: params.businessId,
          ...seenBy(principal),
          seenFrom: locationOfCaller(principal),
          offset: begin.offset,
          limit: page.count ?? DEFAULT_COUNT,
        })
        const list = await invoicesToJson(db.sql, invoices)
        return answer(200, { list, start: begin.offset, total, count: list.length })
      },
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/invoices/:invoiceId',
      name: 'getInvoice',
      operation: 'invoices.read',
      summary: 'One invoice: the link in payment and refund events',
      params: InvoiceParams,
      answers: { 200: InvoiceJson },
      rejections: ['INVOICE_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: async ({ params, principal }) => {
        const invoice = await findInvoice(db.sql, params.invoiceId)
        const { appId, organizationId } = seenBy(principal)
        const foreign =
          invoice?.businessId !== params.businessId.toLowerCase() ||
          (appId !== undefined && invoice.appId !== appId) ||
          (organizationId !== undefined && invoice.organizationId !== organizationId) ||
          !(await isSeenByLocation(db.sql, principal, invoice))
        if (invoice === null || foreign) {
          return reject('INVOICE_NOT_FOUND', 'The business has no invoice with this invoiceId.')
        }
        return answer(200, (await invoicesToJson(db.sql, [invoice]))[0])
      },
    }),
  ]
}

/** Decisions 3: a token of a store or device sees the invoices of that location and of the whole business. */
async function isSeenByLocation(sql: Sql, principal: Principal, { subscriptionId }: Invoice): Promise<boolean> {
  const location = locationOfCaller(principal)
  if (location.storeId === undefined && location.deviceId === undefined) return true
  const owner = await findOwner(sql, subscriptionId)
  return owner !== null && isSeenFrom(location, owner)
}

/** An app does not see another app's invoices of the same merchant. */
function seenBy(principal: Principal): { appId?: string; organizationId?: string } {
  if (principal.kind === 'app') return { appId: principal.appId }
  return principal.kind === 'developer' ? { organizationId: principal.organizationId } : {}
}
