import { Type } from 'typebox'
import { endOfMonth, monthOf } from '../../core/statement.ts'
import { type AppRevenue, type Debt, debtsCsv, readDebts, readRevenueByApp } from '../../money/reports/by-app.ts'
import { dailyCsv, readDailyRevenue } from '../../money/reports/daily.ts'
import { countriesCsv, readCountries } from '../../money/reports/revenue-countries.ts'
import type { DaysFilter } from '../../money/reports/revenue-days.ts'
import type { Db } from '../../platform/db/db.ts'
import { modeOf } from '../../platform/http/mode.ts'
import { type AnyPage, bytes, type PageCall } from '../../platform/http/page.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, countColumn, filterBy, sumColumn, table } from '../../platform/web/components/table.ts'
import { dayWords, monthWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import {
  countryTable,
  movementsChart,
  mrrChart,
  paymentsChart,
  recoveryChart,
  revenueStats,
  subscribersChart,
  trialsChart,
} from '../dev/figures.ts'
import { inMonths, largest, spanOf, spanWords } from '../dev/revenue.ts'
import { appLink, framed, opsPage, organizationLink } from './ops-page.ts'

const path = OPERATOR_PATHS.reports
const countriesFile = `${path}/countries.csv`
const debtsFile = `${path}/owed.csv`
const SPANS = { '30': '30 days', '90': '90 days', '365': '12 months' } as const
type Days = keyof typeof SPANS

const query = Type.Object({
  days: Type.Optional(Type.Enum(Object.keys(SPANS) as Days[])),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
})

/** The revenue of the platform by day, by country and by app, the debts to developers, and CSV. */
export function reportPages({ clock }: Pick<Ports, 'clock'>): AnyPage[] {
  const filterOf = async (call: PageCall, days: Days = '90'): Promise<DaysFilter> => {
    const own = { merchantType: modeOf(call) === 'test' ? 'TEST_MERCHANT' : 'MERCHANT' } as const
    return { ...own, ...(await spanOf(Number(days), { db: call.db, own, now: clock.now() })) }
  }
  return [
    opsPage({
      ...{ method: 'GET', path, query, name: 'showReports', operation: 'reports.read' },
      async handle(call) {
        const { days = '90', currency } = call.query
        const asked = await filterOf(call, days)
        const list = await readDailyRevenue(call, asked)
        const shown = list.find(one => one.currency === currency) ?? largest(list)
        const kept = { days, currency: shown?.currency }
        const currencies = Object.fromEntries(list.map(one => [one.currency, one.currency]))
        const main = html`${pageHead({
          ...{ title: 'Reports', lead: 'Subscriptions of all apps: monthly recurring revenue and its movements.' },
          actions: linkButton('Export CSV', addressOf(`${path}/file.csv`, { days }), { kind: 'quiet' }),
        })}
${filterBy('Time', { path, kept, name: 'days', value: days, texts: SPANS })}
${list.length > 1 && filterBy('Currency', { path, kept, name: 'currency', value: shown?.currency, texts: currencies })}
${
  shown === undefined
    ? emptyState('No revenue yet', 'Figures appear with the first subscription that pays or is on trial.')
    : html`<h2>${spanWords(SPANS[days], asked, asked.to)}, ${shown.currency}</h2>
${revenueStats(shown)}
<div class="charts">${movementsChart(shown)}${mrrChart(shown)}${subscribersChart(shown)}${trialsChart(shown)}${recoveryChart(shown)}${paymentsChart(shown)}</div>
${countryTable(await readCountries(call.db.sql, inMonths(asked)), { currency: shown.currency, since: asked.from.slice(0, 7), file: addressOf(countriesFile, { days }) })}
${await reportTables(call.db, { now: clock.now(), asked, currency: shown.currency, debtsFile })}`
}`
        return framed(call, { title: 'Reports', part: 'reports', main })
      },
    }),
    opsPage({
      ...{ method: 'GET', path: `${path}/file.csv`, query, name: 'downloadReports', operation: 'reports.read' },
      async handle(call) {
        const asked = await filterOf(call, call.query.days)
        const content = dailyCsv(await readDailyRevenue(call, asked))
        return bytes('text/csv; charset=utf-8', content, `revenue-${asked.from}-${asked.to}.csv`)
      },
    }),
    opsPage({
      ...{ method: 'GET', path: countriesFile, query, name: 'downloadCountries', operation: 'reports.read' },
      async handle(call) {
        const asked = inMonths(await filterOf(call, call.query.days))
        const content = countriesCsv(await readCountries(call.db.sql, asked))
        return bytes('text/csv; charset=utf-8', content, `countries-since-${asked.from}.csv`)
      },
    }),
    opsPage({
      ...{ method: 'GET', path: debtsFile, name: 'downloadDebts', operation: 'ledger.read' },
      async handle({ db }) {
        const content = debtsCsv(await readDebts(db, {}))
        return bytes('text/csv; charset=utf-8', content, `owed-${clock.now().toISOString().slice(0, 10)}.csv`)
      },
    }),
  ]
}

/** The largest; the CSV has all debts. */
const MOST = 25

interface Asked {
  readonly now: Date
  readonly asked: DaysFilter
  readonly currency: string
  readonly debtsFile: string
}

/** The apps with the most revenue, and the amounts owed to developers. */
async function reportTables(db: Db, { now, asked, currency, debtsFile }: Asked): Promise<Html> {
  const { merchantType, from } = asked
  const since = from.slice(0, 7)
  const apps = await readRevenueByApp(db, { merchantType, currency, since, limit: MOST })
  // Nothing is owed for test merchants.
  const debts = merchantType === 'MERCHANT' ? await readDebts(db, { currency, limit: MOST }) : []
  return html`${apps.length > 0 && appTable(apps, { currency, since })}
${debts.length > 0 && debtTable(debts, debtsFile)}
${debts.length > 0 && html`<p class="fine">${monthWords(monthOf(now))} is open until ${dayWords(endOfMonth(monthOf(now)))}. A month closes by itself an hour after its end (UTC), and its statements never change again.</p>`}`
}

function appTable(apps: readonly AppRevenue[], { currency, since }: { currency: string; since: string }): Html {
  return table<AppRevenue & { readonly currency: string }>({
    caption: `Revenue by app since ${monthWords(since)}, ${currency}`,
    rows: apps.map(one => ({ ...one, currency })),
    ...(apps.length < MOST && { sortable: 'apps' }),
    columns: [
      {
        name: 'App',
        cell: appLink,
        sort: ({ appName }) => appName,
      },
      {
        name: 'Developer',
        cell: one => organizationLink({ ...one, name: one.organizationName }),
        sort: ({ organizationName }) => organizationName,
      },
      sumColumn('MRR', ({ mrr }) => mrr),
      countColumn('Subscribers', ({ subscribers }) => subscribers),
      sumColumn('Collected', ({ collected }) => collected),
      sumColumn('Returned', ({ returned }) => returned),
      sumColumn('Your share', ({ share }) => share),
    ],
  })
}

function debtTable(debts: readonly Debt[], file: string): Html {
  return table<Debt>({
    caption: `Owed to developers, ${debts[0]?.currency}`,
    rows: debts,
    ...(debts.length < MOST && { sortable: 'debts' }),
    aside: linkButton('Export CSV', file, { size: 'small', kind: 'quiet' }),
    columns: [
      {
        name: 'Developer',
        cell: one =>
          html`<a href="${`${OPERATOR_PATHS.organizations}/${one.organizationId}/payouts`}">${one.organizationName}</a>`,
        sort: ({ organizationName }) => organizationName,
      },
      sumColumn('Collected', ({ charged, refunded, chargedBack }) => charged - refunded - chargedBack),
      sumColumn('Your share', ({ share }) => share),
      sumColumn('Paid out', ({ paidOut }) => paidOut),
      sumColumn('Owed now', ({ net }) => net),
    ],
  })
}
