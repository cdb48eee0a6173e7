import { Type } from 'typebox'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { MONTH_PATTERN, monthOf, startOfMonth } from '../../core/statement.ts'
import type { TaxRate } from '../../core/tax.ts'
import { readTaxReport, type TaxLine, taxReportCsv } from '../../money/ledger/tax-report.ts'
import { readProviderStatus } from '../../money/tax/address-store.ts'
import { INVALID_ADDRESS } from '../../money/tax/look-up.ts'
import type { ProviderBooks } from '../../money/tax/record-store.ts'
import { type FailedTaxRecord, listFailedTaxRecords } from '../../money/tax/record-store.ts'
import { removeTaxRate, setTaxRate } from '../../money/tax/settings.ts'
import { listRates } from '../../money/tax/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, bytes, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { emptyState, facts, notice, toast } from '../../platform/web/components/content.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { buttons, linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, type Column, sumColumn, table } from '../../platform/web/components/table.ts'
import { moment, monthWords, taxWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { countryName } from '../countries.ts'
import { type Desk, framed, merchantLink, opsPage } from '../ops/ops-page.ts'
import { monthBadge } from '../payouts/statement-files.ts'
import { type EnteredRate, PLATFORM_RATE_FORM, RATE_KEY_FORM, rateForm, rateOf, rateTable } from './rates.ts'

const path = OPERATOR_PATHS.tax
const DONE = { set: 'The rate is set. Issued invoices keep their tax.', removed: 'The rate is removed.' } as const

type TaxPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'taxProvider'>

export function operatorTaxPages(ports: TaxPorts): AnyPage[] {
  return [
    ...collectedTaxPages(ports),
    opsPage({
      ...{ method: 'GET', path, name: 'showTaxRates', operation: 'operations.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(['set', 'removed'])) }),
      handle: async (call, desk) =>
        show(ports, call, desk, call.query.done === undefined ? {} : { done: call.query.done }),
    }),
    opsPage({
      ...{
        method: 'POST',
        path: `${path}/rates`,
        name: 'sendTaxRate',
        operation: 'operatorTax.manage',
        form: PLATFORM_RATE_FORM,
      },
      async handle(call, desk): Promise<PageAnswer | Rejection> {
        const read = rateOf(call.form)
        if ('problems' in read) return show(ports, call, desk, { entered: call.form, problems: read.problems })
        const saved = await setTaxRate({ ...ports, db: call.db }, { owner: null, rate: read.rate })
        return isRejection(saved) ? saved : redirect(`${path}?done=set`)
      },
    }),
    opsPage({
      ...{ method: 'POST', path: `${path}/rates/remove`, name: 'sendTaxRateRemoval', form: RATE_KEY_FORM },
      operation: 'operatorTax.manage',
      async handle(call) {
        // Pressed twice: the rate is gone.
        await removeTaxRate({ db: call.db }, { owner: null, ...call.form })
        return redirect(`${path}?done=removed`)
      },
    }),
  ]
}

interface View {
  readonly done?: keyof typeof DONE
  readonly entered?: EnteredRate
  readonly problems?: Problems
}

async function show(
  { clock, taxProvider }: TaxPorts,
  call: PageCall,
  desk: Desk,
  { done, entered, problems }: View,
): Promise<PageAnswer> {
  const rates = await listRates(call.db.sql, null)
  const now = clock.now()
  const mayEdit = desk.may('operatorTax.manage')
  const removing = { action: `${path}/rates/remove`, csrf: call.csrf }
  const main = html`<h1>Tax</h1>
${done && toast(DONE[done])}
<p class="lead">These rates apply to every organization, unless the organization has its own rates or charges no tax.</p>
<p><a href="${COLLECTED_TAX_PATH}">Collected tax by country and month</a></p>
${rateTable({ rates, now, ...(mayEdit && { removing }) })}
${await addressRates(call.db.sql, { rates, taxProvider })}
${mayEdit && rateForm({ action: `${path}/rates`, csrf: call.csrf, now, ...(entered && { entered }), ...(problems && { problems }), ...(taxProvider && { providerName: taxProvider.name }) })}`
  return framed(call, { title: 'Tax', part: 'tax', main, problems })
}

const MOST = 50

/** The provider of rates by address: its countries, its last answer and the merchants without a rate. Nothing without rates by address. */
async function addressRates(
  sql: Sql,
  { rates, taxProvider }: { readonly rates: readonly TaxRate[]; readonly taxProvider: Ports['taxProvider'] },
): Promise<Html | false> {
  const countries = [...new Set(rates.filter(({ byAddress }) => byAddress).map(({ country }) => country))]
  if (countries.length === 0) return false
  const { rated, failed, lastCheckedAt } = await readProviderStatus(sql, MOST)
  const unrecorded = await listFailedTaxRecords(sql, MOST)
  return html`<section class="section"><h2>Rates by address</h2>
${
  taxProvider === undefined &&
  notice(
    'warn',
    'The rates of addresses are no longer updated',
    'Set TILLHOOK_TAX=stripe, or remove the rates by address.',
  )
}
${facts([
  ['Provider', taxProvider?.name ?? 'None'],
  ['Countries', countries.map(countryName).join(', ')],
  ['Merchants with a rate', String(rated)],
  ['Last look-up', lastCheckedAt === null ? 'None yet' : moment(lastCheckedAt)],
])}
${failed.length > 0 && failedTable(failed)}
${unrecorded.length > 0 && unrecordedTable(unrecorded)}</section>`
}

function failedTable(failed: readonly Failed[]): Html {
  return table<Failed>({
    caption: 'Merchants without a rate of their address',
    rows: failed,
    columns: [
      {
        name: 'Merchant',
        cell: ({ businessId, name }) => merchantLink({ businessId, businessName: name }),
      },
      { name: 'Problem', cell: ({ problem }) => problemWords(problem) },
      { name: 'Last look-up', cell: ({ checkedAt }) => moment(checkedAt) },
    ],
  })
}

function unrecordedTable(unrecorded: readonly FailedTaxRecord[]): Html {
  return table<FailedTaxRecord>({
    caption: 'Bookings that are not in the books of the provider',
    rows: unrecorded,
    columns: [
      { name: 'Invoice', cell: ({ invoiceNumber }) => invoiceNumber },
      {
        name: 'Problem',
        cell: ({ problem }) =>
          problem === INVALID_ADDRESS ? 'The provider cannot locate the address of the merchant.' : problem,
      },
      { name: 'Booked', cell: ({ bookedAt }) => moment(bookedAt) },
    ],
  })
}

type Failed = Awaited<ReturnType<typeof readProviderStatus>>['failed'][number]

function problemWords(problem: string): string {
  if (problem === INVALID_ADDRESS)
    return 'The provider cannot locate the address. Complete the address of the merchant.'
  return `The provider did not answer (${problem}). The look-up repeats every 15 minutes.`
}

export const COLLECTED_TAX_PATH = `${OPERATOR_PATHS.tax}/collected`

const Month = Type.String({ pattern: MONTH_PATTERN })

/** The collected tax of a month by country and rate, and the same as CSV. Live money alone. */
function collectedTaxPages({ clock }: Pick<Ports, 'clock'>): AnyPage[] {
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

const SUM_COLUMNS: readonly Column<Sums>[] = [
  sumColumn('Net', ({ net }) => net),
  sumColumn('Collected', ({ collected }) => collected),
  sumColumn('Returned', ({ returned }) => returned),
  sumColumn('Tax', ({ tax }) => tax),
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
  return html`<section class="section"><h2>Books of the tax provider</h2>
<p>Payments and refunds of invoices with rates by address. The provider rounds the tax of each jurisdiction.</p>
${table<ProviderBooks>({
  caption: 'By currency',
  rows: books,
  columns: [
    { name: 'Currency', cell: ({ currency }) => currency },
    { name: 'Recorded', isNumber: true, cell: ({ recorded }) => String(recorded) },
    { name: 'Waiting', isNumber: true, cell: ({ waiting }) => String(waiting) },
    sumColumn('Our tax', ({ tax }) => tax),
    sumColumn('Tax of the provider', ({ providerTax }) => providerTax),
    sumColumn('Difference', ({ tax, providerTax }) => providerTax - tax),
  ],
})}</section>`
}

function neighbor(month: string, months: number): string {
  const at = startOfMonth(month)
  return monthOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months)))
}
