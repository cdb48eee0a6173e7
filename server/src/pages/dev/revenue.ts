import { Type } from 'typebox'
import { addDays } from '../../core/calendar.ts'
import { isRejection } from '../../core/rejection.ts'
import { dailyCsv, readDailyRevenue } from '../../money/reports/daily.ts'
import { type CountriesFilter, countriesCsv, readCountries } from '../../money/reports/revenue-countries.ts'
import { type DaysFilter, findLastDay } from '../../money/reports/revenue-days.ts'
import type { DailyRevenue } from '../../money/reports/revenue-schema.ts'
import type { Db } from '../../platform/db/db.ts'
import { type AnyPage, bytes } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { type FilterField, filterBar } from '../../platform/web/components/filter-bar.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, filterBy } from '../../platform/web/components/table.ts'
import { day } from '../../platform/web/format.ts'
import { html, type Part } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { appsOf, fieldsOf, planFields, plansOf } from '../subscriptions/list.ts'
import { devPage, framed, type Own } from './dev-page.ts'
import {
  countryTable,
  movementsChart,
  mrrChart,
  recoveryChart,
  revenueStats,
  subscribersChart,
  trialsChart,
} from './figures.ts'

const path = DEVELOPER_PATHS.revenue
const countriesFile = `${path}/countries.csv`
const SPANS = { '30': '30 days', '90': '90 days', '365': '12 months' } as const
type Days = keyof typeof SPANS

const query = Type.Object({
  days: Type.Optional(Type.Enum(Object.keys(SPANS) as Days[])),
  appId: Type.Optional(Type.Union([Uuid, Type.Literal('')])),
  planId: Type.Optional(Type.Union([Uuid, Type.Literal('')])),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
})

interface Query {
  readonly days?: Days
  readonly appId?: string | undefined
  readonly planId?: string | undefined
}

/** The revenue of an organization by day and by country, as charts, a table and csv. */
export function revenuePages({ clock }: Pick<Ports, 'clock'>): AnyPage[] {
  return [chartsPage({ clock }), csvPage({ clock }), countriesCsvPage({ clock })]
}

function chartsPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return devPage({
    ...{ method: 'GET', path, query, name: 'showDeveloperRevenue', operation: 'reports.read' },
    async handle(call, own) {
      const { days = '90', appId, currency } = call.query
      const apps = await appsOf(call.db, own.organizationId)
      if (isRejection(apps)) return apps
      const plans = await plansOf(call.db, apps, appId)
      // A plan of the previously selected app does not filter the new app.
      const planId = plans.find(plan => plan.planId === call.query.planId)?.planId
      const asked = await daysFilter(call.db, own, { days, appId, planId }, clock.now())
      const list = await readDailyRevenue(call, asked)
      const countries = planId === undefined ? await readCountries(call.db.sql, inMonths(asked)) : []
      const shown = list.find(one => one.currency === currency) ?? largest(list)
      const kept = { days, appId: appId || undefined, planId, currency: shown?.currency }
      const currencies = Object.fromEntries(list.map(one => [one.currency, one.currency]))
      const fields: FilterField[] = [
        ...fieldsOf(call.query, apps).filter(({ name }) => name === 'appId'),
        ...planFields(planId, plans),
      ]
      const main = html`${pageHead({
        ...{ title: 'Revenue', lead: 'Monthly recurring revenue and its movements.' },
        actions: linkButton('Export CSV', addressOf(`${path}/file.csv`, kept), { kind: 'quiet' }),
      })}
${filterBy('Time', { path, kept, name: 'days', value: days, texts: SPANS })}
${list.length > 1 && filterBy('Currency', { path, kept, name: 'currency', value: shown?.currency, texts: currencies })}
${fields.length > 0 && filterBar({ path, label: 'Filter revenue', fields, kept: { days, currency: shown?.currency } })}
${
  shown === undefined
    ? emptyState('No revenue yet', 'Figures appear with the first subscription that pays or is on trial.')
    : html`<h2>${spanWords(SPANS[days], own, asked.to)}, ${shown.currency}</h2>
${revenueStats(shown)}
<div class="charts">${movementsChart(shown)}${mrrChart(shown)}${subscribersChart(shown)}${trialsChart(shown)}${recoveryChart(shown)}</div>
${countryTable(countries, { currency: shown.currency, since: asked.from.slice(0, 7), file: addressOf(countriesFile, { days, appId: kept.appId }) })}
${planId !== undefined && html`<p class="fine">Revenue by country has no figures of a single plan. Choose all plans to see the countries.</p>`}`
}`
      return framed(call, { title: 'Revenue', part: 'revenue', main })
    },
  })
}

function csvPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return devPage({
    ...{ method: 'GET', path: `${path}/file.csv`, query, name: 'downloadDeveloperRevenue', operation: 'reports.read' },
    async handle(call, own) {
      const asked = await daysFilter(call.db, own, call.query, clock.now())
      const content = dailyCsv(await readDailyRevenue(call, asked))
      return bytes('text/csv; charset=utf-8', content, `revenue-${asked.from}-${asked.to}.csv`)
    },
  })
}

function countriesCsvPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return devPage({
    ...{ method: 'GET', path: countriesFile, query, name: 'downloadDeveloperCountries', operation: 'reports.read' },
    async handle(call, own) {
      const asked = inMonths(await daysFilter(call.db, own, call.query, clock.now()))
      const content = countriesCsv(await readCountries(call.db.sql, asked))
      return bytes('text/csv; charset=utf-8', content, `countries-since-${asked.from}.csv`)
    },
  })
}

/** The months since the first day. */
export function inMonths({ planId: _, to: __, from, ...asked }: DaysFilter): CountriesFilter {
  return { ...asked, from: from.slice(0, 7) }
}

async function daysFilter(db: Db, own: Own, { days = '90', appId, planId }: Query, now: Date): Promise<DaysFilter> {
  const { organizationId, merchantType } = own
  const span = await spanOf(Number(days), { db, own, now })
  return {
    ...span,
    organizationId,
    merchantType,
    ...(appId && { appId }),
    ...(planId && { planId }),
  }
}

/**
 * The span of the last days. The last day is today, or for test data the last day with figures, because the clocks of test merchants are in the
 * past or the future.
 */
export async function spanOf(
  days: number,
  {
    db,
    own,
    now,
  }: { readonly db: Db; readonly own: Pick<DaysFilter, 'organizationId' | 'merchantType'>; readonly now: Date },
): Promise<Pick<DaysFilter, 'from' | 'to'>> {
  const dayOf = (at: Date) => at.toISOString().slice(0, 10)
  const to = (own.merchantType === 'TEST_MERCHANT' && (await findLastDay(db.sql, own))) || dayOf(now)
  return { from: dayOf(addDays(new Date(to), 1 - days)), to }
}

/** "30 days", or for test data "30 days until 1 May 2026". */
export function spanWords(text: string, { merchantType }: Pick<Own, 'merchantType'>, to: string): Part {
  return merchantType === 'TEST_MERCHANT' ? html`${text} until ${day(new Date(to))}` : text
}

/** The currency with the most subscribers, to begin with. */
export function largest(list: readonly DailyRevenue[]): DailyRevenue | undefined {
  const subscribers = ({ opening, days }: DailyRevenue) => days.at(-1)?.subscribers ?? opening.subscribers
  return list.toSorted((one, other) => subscribers(other) - subscribers(one))[0]
}
