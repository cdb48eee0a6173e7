import { type Static, Type } from 'typebox'
import { effectiveNow } from '../../core/business.ts'
import { locationOfCaller } from '../../core/principal.ts'
import { reject } from '../../core/rejection.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { seenBy } from '../../money/invoices/read.ts'
import { BusinessParams } from '../../money/invoices/schema.ts'
import { listInvoices } from '../../money/invoices/store.ts'
import { findBrand } from '../../platform/brand/store.ts'
import { type AnyRoute, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { invoiceArchive } from './invoice-archive.ts'
import { documentBrand } from './invoice-files.ts'

export const ArchiveQuery = Type.Object({
  year: Type.Optional(
    Type.String({
      pattern: '^20\\d{2}$',
      description: 'The UTC year of issue, as in the number of an invoice. Default: the current year',
    }),
  ),
})

/** `now` is the current time of the business. */
export function yearOf({ year }: Static<typeof ArchiveQuery>, now: Date): number {
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
