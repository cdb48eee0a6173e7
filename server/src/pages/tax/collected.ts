import { Type } from 'typebox'
import { MONTH_PATTERN, monthOf, startOfMonth } from '../../core/statement.ts'
import { percentOf } from '../../core/tax.ts'
import { readTaxReport, type TaxLine, taxReportCsv } from '../../money/ledger/tax-report.ts'
import type { ProviderBooks } from '../../money/tax/record-store.ts'
import { type AnyPage, bytes } from '../../platform/http/page.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { buttons, linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { moneyWords, monthWords } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { countryName } from '../countries.ts'
import { framed, opsPage } from '../ops/ops-page.ts'
import { monthBadge } from '../payouts/month-badge.ts'

export const COLLECTED_TAX_PATH = `${OPERATOR_PATHS.tax}/collected`

const Month = Type.String({ pattern: MONTH_PATTERN })

/** The collected tax of a month by country and rate, and the same as CSV. Live money alone. */
export function collectedTaxPages({ clock }: Pick<Ports, 'clock'>): AnyPage[] {
  return [
    opsPage({
      ...{ method: 'GET', path: COLLECTED_TAX_PATH, name: 'showCollectedTax', operation: 'operations.read' },
      query: Type.Object({ month: Type.Optional(Month) }),
      async handle(call) {
        const { month = monthOf(clock.now()) } = call.query
        const { lines, provider } = await readTaxReport({ db: call.db, clock }, { month, live: true })
        const at = (of: string) => addressOf(COLLECTED_TAX_PATH, { month: of })
        const main = html`${pageHead({
          above: [{ href: OPERATOR_PATHS.tax, text: 'Tax' }],
          title: `Collected tax, ${monthWords(month)}`,
          badge: monthBadge(month, { live: true, now: clock.now() }),
          lead: 'Tax of payments and used credit, by the country of the merchant. A refund reduces the tax of the month of the refund.',
          ...(lines.length > 0 && {
            actions: linkButton('Export CSV', `${COLLECTED_TAX_PATH}/${month}/lines.csv`, { kind: 'quiet' }),
          }),
        })}
${lines.length === 0 ? emptyState('No tax in this month', 'Each payment of an invoice with tax appears here.') : linesTable(lines)}
${provider.length > 0 && providerTable(provider)}
${buttons(...[neighbor(month, -1), neighbor(month, 1)].filter(one => one <= monthOf(clock.now())).map(one => linkButton(monthWords(one), at(one))))}`
        return framed(call, { title: 'Collected tax', part: 'tax', main })
      },
    }),
    opsPage({
      ...{ method: 'GET', path: `${COLLECTED_TAX_PATH}/:month/lines.csv`, name: 'downloadCollectedTax' },
      ...{ params: Type.Object({ month: Month }), operation: 'operations.read' },
      async handle(call) {
        const { month } = call.params
        const { lines } = await readTaxReport({ db: call.db, clock }, { month, live: true })
        return bytes('text/csv; charset=utf-8', taxReportCsv(month, lines), `tax-${month}.csv`)
      },
    }),
  ]
}

function linesTable(lines: readonly TaxLine[]) {
  const money = (of: 'net' | 'collected' | 'returned' | 'tax') => (line: TaxLine) =>
    moneyWords({ amount: line[of], currency: line.currency })
  return table<TaxLine>({
    caption: 'By country and rate',
    rows: lines,
    columns: [
      { name: 'Country', cell: ({ country }) => countryName(country) },
      {
        name: 'Rate',
        cell: ({ name, rate, isReverseCharge }) =>
          isReverseCharge ? `${name} (reverse charge)` : `${percentOf(rate)}% ${name}`,
      },
      { name: 'Net', isNumber: true, cell: money('net') },
      { name: 'Collected', isNumber: true, cell: money('collected') },
      { name: 'Returned', isNumber: true, cell: money('returned') },
      { name: 'Tax', isNumber: true, cell: money('tax') },
    ],
  })
}

function providerTable(books: readonly ProviderBooks[]) {
  const money =
    (amountOf: (of: ProviderBooks) => number) =>
    ({ currency, ...of }: ProviderBooks) =>
      moneyWords({ amount: amountOf({ currency, ...of }), currency })
  return html`<section class="section"><h2>Books of the tax provider</h2>
<p>Payments and refunds of invoices with rates by address. The provider rounds the tax of each jurisdiction.</p>
${table<ProviderBooks>({
  caption: 'By currency',
  rows: books,
  columns: [
    { name: 'Currency', cell: ({ currency }) => currency },
    { name: 'Recorded', isNumber: true, cell: ({ recorded }) => String(recorded) },
    { name: 'Waiting', isNumber: true, cell: ({ waiting }) => String(waiting) },
    { name: 'Our tax', isNumber: true, cell: money(({ tax }) => tax) },
    { name: 'Tax of the provider', isNumber: true, cell: money(({ providerTax }) => providerTax) },
    { name: 'Difference', isNumber: true, cell: money(({ tax, providerTax }) => providerTax - tax) },
  ],
})}</section>`
}

function neighbor(month: string, months: number): string {
  const at = startOfMonth(month)
  return monthOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months)))
}
