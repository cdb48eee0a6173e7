import { Type } from 'typebox'
import { addDays } from '../../core/calendar.ts'
import { readUpcomingCalendar, type UpcomingOfDay } from '../../money/reports/upcoming.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { chart } from '../../platform/web/components/chart.ts'
import { badge, emptyState } from '../../platform/web/components/content.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { amountColumn, countColumn, filterBy, table } from '../../platform/web/components/table.ts'
import { day, moneyWords, percentWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { MONEY_PATHS, moneyParts } from './money-parts.ts'
import { framed, opsPage } from './ops-page.ts'

const path = MONEY_PATHS.upcoming
const DAYS = 30
/** Subscriptions that the page forecasts, in about 100 ms. Among more, the page estimates. */
const MOST = 2_000

/** The charges of the next 30 days by day and currency, if every charge succeeds. */
export function upcomingPage(ports: Pick<Ports, 'db' | 'clock'>): AnyPage {
  return opsPage({
    ...{ method: 'GET', path, name: 'showUpcoming', operation: 'operations.read' },
    query: Type.Object({ currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })) }),
    async handle(call) {
      const now = ports.clock.now()
      const { days, share, sampled } = await readUpcomingCalendar(
        { db: call.db, clock: ports.clock },
        { days: DAYS, most: MOST },
      )
      const currencies = [...new Set(days.map(({ currency }) => currency))].sort()
      const currency = currencies.find(one => one === call.query.currency) ?? mostCharged(days)
      const texts = Object.fromEntries(currencies.map(one => [one, one]))
      const isEstimate = share < 1
      const lead = 'Charges of the next 30 days, if every charge succeeds and no subscription changes.'
      const main = html`${pageHead({ title: 'Upcoming', lead, ...(isEstimate && { badge: badge('Estimate') }) })}
${moneyParts('upcoming')}
${currencies.length > 1 && filterBy('Currency', { path, name: 'currency', value: currency, texts })}
${
  currency === undefined
    ? emptyState('No charges ahead', 'Paid subscriptions of live merchants appear here.')
    : calendar(
        days.filter(one => one.currency === currency),
        { now, currency, ...(isEstimate && { sampled: sampled.get(currency) ?? 0 }) },
      )
}`
      return framed(call, { title: 'Upcoming', part: 'money', main })
    },
  })
}

/** The currency of the day with the most charges. */
function mostCharged(days: readonly UpcomingOfDay[]): string | undefined {
  return days.toSorted((one, other) => other.charges - one.charges)[0]?.currency
}

interface Calendar {
  readonly now: Date
  readonly currency: string
  /** Charges in the sample of an estimate. */
  readonly sampled?: number
}

function calendar(exact: readonly UpcomingOfDay[], { now, currency, sampled }: Calendar): Html {
  const isEstimate = sampled !== undefined
  const days = isEstimate ? exact.map(one => ({ ...one, ...rounded(one) })) : exact
  const dates = Array.from({ length: DAYS + 1 }, (_, at) => dayOf(addDays(now, at)))
  const say = (amount: number) => moneyWords({ amount: Math.round(amount), currency })
  const amounts = dates.map(date => days.find(one => one.day === date)?.amount ?? 0)
  return html`<h2>Next ${DAYS} days</h2>
${total(exact, { currency, isEstimate })}
${sampled !== undefined && html`<p class="fine">Estimated from a random sample of ${sampled.toLocaleString('en')} charges: the total is accurate to about ${accuracy(sampled)}, a usual day to about ${accuracy(sampled / days.length)}. <code>GET /operations/upcoming</code> lists every charge.</p>`}
${chart({
  ...{ id: 'upcoming', title: `Charges by day, ${currency}`, kind: 'bar', unit: 'Day', say },
  labels: dates.map(shortDay),
  series: [{ name: 'Charges', values: amounts }],
})}
${table<UpcomingOfDay>({
  caption: `Days with charges, ${currency}`,
  rows: days,
  sortable: `days-${currency}`,
  columns: [
    { name: 'Day', cell: one => day(new Date(one.day)), sort: one => one.day },
    countColumn(isEstimate ? 'Charges, about' : 'Charges', ({ charges }) => charges),
    amountColumn(isEstimate ? 'Amount, about' : 'Amount', one => one),
  ],
})}`
}

function total(
  days: readonly UpcomingOfDay[],
  { currency, isEstimate }: { readonly currency: string; readonly isEstimate: boolean },
): Html {
  const sum = days.reduce(
    (all, { charges, amount }) => ({ charges: all.charges + charges, amount: all.amount + amount }),
    { charges: 0, amount: 0 },
  )
  const { charges, amount } = isEstimate ? rounded(sum) : sum
  const count = charges === 1 ? 'one charge' : `${charges.toLocaleString('en')} charges`
  return html`<p>${isEstimate && 'About '}<strong>${moneyWords({ amount, currency })}</strong> in ${count}.</p>`
}

/** Two digits: an estimate knows no cents. */
function rounded({ charges, amount }: Pick<UpcomingOfDay, 'charges' | 'amount'>) {
  return { charges: Number(charges.toPrecision(2)), amount: Number(amount.toPrecision(2)) }
}

/** Two standard errors of a count. */
function accuracy(count: number): string {
  return percentWords(Math.min(100, Math.ceil(200 / Math.sqrt(count))) / 100)
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

const shortDay = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(date))
