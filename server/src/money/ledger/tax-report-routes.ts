import { Type } from 'typebox'
import { given } from '../../core/given.ts'
import { percentOf } from '../../core/tax.ts'
import { type AnyRoute, answer, CSV_ROUTE, csvAnswer, route } from '../../platform/http/route.ts'
import { Uuid } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { Month, TaxReportJson } from './schema.ts'
import { readTaxReport, type TaxLine, taxReportCsv } from './tax-report.ts'

const Params = Type.Object({ month: Month })

/** Default: MERCHANT. Money of test merchants is listed apart. */
const Query = Type.Object({
  merchantType: Type.Optional(Type.Enum(['MERCHANT', 'TEST_MERCHANT'])),
  organizationId: Type.Optional(Uuid),
})

/** Collected tax for the operator's tax return. */
export function taxReportRoutes(ports: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/reports/tax/:month',
      name: 'getTaxReport',
      operation: 'operations.read',
      summary: 'Get the collected and returned tax of a month by country and rate',
      params: Params,
      query: Query,
      answers: { 200: TaxReportJson },
      handle: async ({ params: { month }, query, db }) => {
        const { status, lines, provider } = await readTaxReport({ ...ports, db }, { month, ...filterOf(query) })
        const books = provider.map(one => ({ ...one, difference: one.providerTax - one.tax }))
        return answer(200, { month, status, list: lines.map(lineToJson), ...(books.length > 0 && { provider: books }) })
      },
    }),
    route({
      ...CSV_ROUTE,
      path: '/reports/tax/:month/lines.csv',
      name: 'downloadTaxReport',
      operation: 'operations.read',
      summary: 'Download the tax report as CSV',
      params: Params,
      query: Query,
      handle: async ({ params: { month }, query, db }) => {
        const { lines } = await readTaxReport({ ...ports, db }, { month, ...filterOf(query) })
        return csvAnswer(`tax-${month}.csv`, taxReportCsv(month, lines))
      },
    }),
  ]
}

function filterOf({ merchantType, organizationId }: { merchantType?: string; organizationId?: string }) {
  return { live: merchantType !== 'TEST_MERCHANT', ...given({ organizationId: organizationId?.toLowerCase() }) }
}

function lineToJson({ isReverseCharge: reverseCharge, rate, ...line }: TaxLine) {
  return { ...line, rate: percentOf(rate), reverseCharge }
}
