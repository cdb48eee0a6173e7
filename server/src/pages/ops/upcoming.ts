import { Type } from 'typebox'
import { addDays } from '../../core/calendar.ts'
import { readUpcoming, type UpcomingOfDay } from '../../money/reports/upcoming.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { chart } from '../../platform/web/components/chart.ts'
import { emptyState, notice } from '../../platform/web/components/content.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, filter, table } from '../../platform/web/components/table.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { MONEY_PATHS, moneyParts } from './money-parts.ts'
import { framed, opsPage } from './ops-page.ts'

const path = MONEY_PATHS.upcoming
const DAYS = 30
/** Subscriptions that the page forecasts. A larger platform sees fewer days. */
const MOST = 1_000

/** The charges of the next 30 days by day and currency, if every charge succeeds. */
export function upcomingPage(ports: Pick<Ports, 'db' | 'clock'>): AnyPage {
  return opsPage({
    ...{ method: 'GET', path, name: 'showUpcoming', operation: 'operations.read' },
    query: Type.Object({ currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })) }),
    async handle(call) {
      const now = ports.clock.now()
      const upcoming = await readUpcoming({ db: call.db, clock: ports.clock }, { days: DAYS, count: MOST })
      // The days from the first subscription that the page leaves out are incomplete.
      const end = upcoming.next === undefined ? undefined : dayOf(upcoming.next.at)
      const days = upcoming.days.filter(one => end === undefined || one.day < end)
      const currencies = [...new Set(days.map(({ currency }) => currency))].sort()
      const currency = currencies.find(one => one === call.query.currency) ?? currencies[0]
      const links = currencies.map(one => ({
        ...{ text: one, href: addressOf(path, { currency: one }), isCurrent: one === currency },
      }))
      const main = html`${pageHead({ title: 'Upcoming', lead: 'Charges of the next 30 days, if every charge succeeds and no subscription changes.' })}
${moneyParts('upcoming')}
${end !== undefined && notice('warn', days.length === 0 ? `Too many charges until ${end}` : `Days before ${end} only`, html`The page reads the next ${MOST.toLocaleString('en')} subscriptions. <code>GET /operations/upcoming</code> lists all.`)}
${currencies.length > 1 && filter('Currency', links)}
${
  currency === undefined
    ? end === undefined && emptyState('No charges ahead', 'Paid subscriptions of live merchants appear here.')
    : calendar(
        days.filter(one => one.currency === currency),
        { now, currency },
      )
}`
      return framed(call, { title: 'Upcoming', part: 'money', main })
    },
  })
}

function calendar(
  days: readonly UpcomingOfDay[],
  { now, currency }: { readonly now: Date; readonly currency: string },
): Html {
  const dates = Array.from({ length: DAYS + 1 }, (_, at) => dayOf(addDays(now, at)))
  const say = (amount: number) => moneyWords({ amount: Math.round(amount), currency })
  const amounts = dates.map(date => days.find(one => one.day === date)?.amount ?? 0)
  return html`<h2>Next ${DAYS} days</h2>
${chart({
  ...{ id: 'upcoming', title: `Charges by day, ${currency}`, kind: 'bar', unit: 'Day', say },
  labels: dates.map(shortDay),
  series: [{ name: 'Charges', values: amounts }],
})}
${table<UpcomingOfDay>({
  caption: `Days with charges, ${currency}`,
  rows: days,
  columns: [
    { name: 'Day', cell: one => day(new Date(one.day)) },
    { name: 'Charges', isNumber: true, cell: ({ charges }) => charges.toLocaleString('en') },
    { name: 'Amount', isNumber: true, cell: moneyWords },
  ],
})}`
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

const shortDay = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(date))
