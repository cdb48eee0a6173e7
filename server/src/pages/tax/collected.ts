import { Type } from 'typebox'
import { MONTH_PATTERN, monthOf, startOfMonth } from '../../core/statement.ts'
import { readTaxReport, type TaxLine, taxReportCsv } from '../../money/ledger/tax-report.ts'
import type { ProviderBooks } from '../../money/tax/record-store.ts'
import { type AnyPage, bytes } from '../../platform/http/page.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { buttons, linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, amountColumn, type Column, table } from '../../platform/web/components/table.ts'
import { moneyWords, monthWords, taxWords } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { countryName } from '../countries.ts'
import { framed, opsPage } from '../ops/ops-page.ts'
import { monthBadge } from '../payouts/statement-files.ts'

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
          ...(lines.length > 0 && {
            actions: linkButton('Export CSV', `${COLLECTED_TAX_PATH}/${month}/lines.csv`, { kind: 'quiet' }),
          }),
        })}
<p>Tax of payments and used credit, by the country of the merchant. A refund reduces the tax of the month of the refund.</p>
${
  lines.length === 0
    ? emptyState('No tax in this month', 'Each payment of an invoice with tax appears here.')
    : html`${totalTable(lines)}
${linesTable(lines)}`
}
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

type Sums = Pick<TaxLine, 'currency' | 'net' | 'collected' | 'returned' | 'tax'>

const moneyColumn = (name: string, of: Exclude<keyof Sums, 'currency'>): Column<Sums> =>
  amountColumn(name, line => ({ amount: line[of], currency: line.currency }))

const SUM_COLUMNS = [
  moneyColumn('Net', 'net'),
  moneyColumn('Collected', 'collected'),
  moneyColumn('Returned', 'returned'),
  moneyColumn('Tax', 'tax'),
]

function totalTable(lines: readonly TaxLine[]) {
  const totals = new Map<string, Sums>()
  for (const { currency, net, collected, returned, tax } of lines) {
    const sums = totals.get(currency) ?? { currency, net: 0, collected: 0, returned: 0, tax: 0 }
    totals.set(currency, {
      ...{ currency, net: sums.net + net, tax: sums.tax + tax },
      ...{ collected: sums.collected + collected, returned: sums.returned + returned },
    })
  }
  const rows = [...totals.values()].toSorted((a, b) => a.currency.localeCompare(b.currency))
  return table<Sums>({
    ...{ caption: 'Total', rows },
    columns: [{ name: 'Currency', cell: ({ currency }) => currency }, ...SUM_COLUMNS],
  })
}

function linesTable(lines: readonly TaxLine[]) {
  return table<TaxLine>({
    caption: 'By country and rate',
    rows: lines,
    sortable: 'lines',
    columns: [
      { name: 'Country', cell: ({ country }) => countryName(country), sort: ({ country }) => countryName(country) },
      {
        name: 'Rate',
        cell: line => (line.isReverseCharge ? `${line.name} (reverse charge)` : taxWords(line)),
      },
      ...SUM_COLUMNS,
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
