import type { CountryRevenue, DailyRevenue, RevenueDay } from '../../money/reports/revenue-schema.ts'
import { type ChartOptions, chart } from '../../platform/web/components/chart.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { share } from '../../platform/web/components/share.ts'
import { type Stat, stats } from '../../platform/web/components/stat.ts'
import { countColumn, sumColumn, table } from '../../platform/web/components/table.ts'
import { moneyWords, monthWords, percentWords, shortDay } from '../../platform/web/format.ts'
import type { Html } from '../../platform/web/html.ts'
import { countryName } from '../countries.ts'

/** Beyond this a chart shows weeks. */
const MOST_DAYS = 90
const WEEK = 7

/** The key figures of a span, compared with its beginning. */
export function revenueStats({ currency, opening, days }: DailyRevenue): Html {
  const last = days.at(-1)
  const sum = (of: (day: RevenueDay) => number) => days.reduce((total, day) => total + of(day), 0)
  const mrr = last?.mrr ?? opening.mrr
  const subscribers = last?.subscribers ?? opening.subscribers
  const churned = Math.abs(sum(day => day.churn.count))
  const [ended, converted] = [sum(day => day.trialsEnded), sum(day => day.trialsConverted)]
  const [pastDue, recovered] = [sum(day => day.pastDue.count), sum(day => day.recovered.count)]
  const refunded = sum(day => day.refunded.amount + day.chargedBack.amount)
  const items: Stat[] = [
    {
      label: 'MRR',
      value: moneyWords({ amount: mrr, currency }),
      ...changeOf(mrr - opening.mrr, change => moneyWords({ amount: change, currency })),
    },
    { label: 'Subscribers', value: number(subscribers), ...changeOf(subscribers - opening.subscribers, number) },
    { label: 'Trials paid', value: number(converted), delta: { text: `of ${number(ended)} ended` } },
    { label: 'Churn', value: number(churned), ...shareOf(churned, opening.subscribers, 'of subscribers') },
    { label: 'Recovered', value: number(recovered), delta: { text: `of ${number(pastDue)} past due` } },
    {
      label: 'Collected',
      value: moneyWords({ amount: sum(day => day.collected.amount), currency }),
      delta: { text: `${moneyWords({ amount: refunded, currency })} returned` },
    },
  ]
  return stats(items)
}

function changeOf(change: number, words: (change: number) => string): Pick<Stat, 'delta'> {
  if (change === 0) return { delta: { text: 'unchanged' } }
  return { delta: change > 0 ? { text: `+${words(change)}`, tone: 'good' } : { text: words(change), tone: 'bad' } }
}

function shareOf(part: number, whole: number, of: string): Pick<Stat, 'delta'> {
  return whole === 0 ? {} : { delta: { text: `${percentWords(part / whole)} ${of}` } }
}

const number = (value: number) => value.toLocaleString('en').replace('-', '−')

type Points = Pick<ChartOptions, 'unit' | 'labels'> & {
  /** The values of a point: sums of its days, or the last day. */
  sums(of: (day: RevenueDay) => number): number[]
  ends(of: (day: RevenueDay) => number): number[]
}

/** Days, or weeks where there are too many days for a chart. */
function pointsOf(days: readonly RevenueDay[]): Points {
  const size = days.length > MOST_DAYS ? WEEK : 1
  const groups: (readonly RevenueDay[])[] = []
  for (let at = 0; at < days.length; at += size) groups.push(days.slice(at, at + size))
  return {
    unit: size === 1 ? 'Day' : 'Week from',
    labels: groups.map(([first]) => (first === undefined ? '' : shortDay(first.day))),
    sums: of => groups.map(group => group.reduce((total, day) => total + of(day), 0)),
    ends: of => groups.map(group => of(group.at(-1) as RevenueDay)),
  }
}

export function movementsChart({ currency, days }: DailyRevenue): Html {
  const { sums, ends: _, ...points } = pointsOf(days)
  return chart({
    ...{ id: 'mrr-movements', title: `MRR movements, ${currency}`, kind: 'stacked', ...points, ...inMoney(currency) },
    series: [
      { name: 'New', values: sums(day => day.new.amount) },
      { name: 'Expansion', values: sums(day => day.expansion.amount) },
      { name: 'Contraction', values: sums(day => day.contraction.amount) },
      { name: 'Churn', values: sums(day => day.churn.amount) },
    ],
  })
}

export function subscribersChart({ days }: DailyRevenue): Html {
  const { ends, sums: _, ...points } = pointsOf(days)
  const series = [{ name: 'Subscribers', values: ends(day => day.subscribers) }]
  return chart({ id: 'subscribers', title: 'Subscribers', kind: 'line', ...points, series })
}

export function mrrChart({ currency, days }: DailyRevenue): Html {
  const { ends, sums: _, ...points } = pointsOf(days)
  const series = [{ name: 'MRR', values: ends(day => day.mrr) }]
  return chart({ id: 'mrr', title: `MRR, ${currency}`, kind: 'line', ...points, ...inMoney(currency), series })
}

export function trialsChart({ days }: DailyRevenue): Html {
  const { sums, ends: _, ...points } = pointsOf(days)
  return chart({
    ...{ id: 'trials', title: 'Trials', kind: 'bar', ...points },
    series: [
      { name: 'Started', values: sums(day => day.trialsStarted) },
      { name: 'Paid', values: sums(day => day.trialsConverted) },
    ],
  })
}

export function recoveryChart({ days }: DailyRevenue): Html {
  const { sums, ends: _, ...points } = pointsOf(days)
  return chart({
    ...{ id: 'recovery', title: 'Recovery of past-due subscriptions', kind: 'bar', ...points },
    series: [
      { name: 'Past due', values: sums(day => day.pastDue.count) },
      { name: 'Recovered', values: sums(day => day.recovered.count) },
      { name: 'Lost', values: sums(day => day.lost.count) },
    ],
  })
}

export function paymentsChart({ days }: DailyRevenue): Html {
  const { sums, ends: _, ...points } = pointsOf(days)
  return chart({
    ...{ id: 'payments', title: 'Payments', kind: 'stacked', ...points },
    series: [
      { name: 'Paid', values: sums(day => day.collected.count) },
      { name: 'Declined, now past due', values: sums(day => day.pastDue.count), tone: 'bad' },
    ],
  })
}

function inMoney(currency: string): Pick<ChartOptions, 'say' | 'sayShort'> {
  const say = (amount: number) => moneyWords({ amount: Math.round(amount), currency })
  return { say, sayShort: amount => say(amount).replace(/\.00$/, '') }
}

/** Beyond this the smallest countries share a row. The CSV has all countries. */
const MOST = 26

type Figures = Omit<CountryRevenue, 'country' | 'currency'>
type Row = Figures & { readonly name: string; readonly currency: string }

interface Shown {
  readonly currency: string
  /** The first month, `YYYY-MM`. */
  readonly since: string
  /** The address of the CSV. */
  readonly file: string
}

/** The revenue of a currency by country, the most MRR first. */
export function countryTable(list: readonly CountryRevenue[], { currency, since, file }: Shown): Html | false {
  const found = list.filter(one => one.currency === currency)
  if (found.length === 0) return false
  const total = sumOf(found).mrr
  const named = found.length > MOST ? found.slice(0, MOST - 1) : found
  const others = found.slice(named.length)
  return table<Row>({
    caption: `Revenue by country since ${monthWords(since)}, ${currency}`,
    aside: linkButton('Export CSV', file, { size: 'small', kind: 'quiet' }),
    rows: [
      ...named.map(one => ({ ...one, name: countryName(one.country) })),
      ...(others.length === 0 ? [] : [{ ...sumOf(others), currency, name: `${others.length} other countries` }]),
    ],
    ...(others.length === 0 && { sortable: 'countries' }),
    columns: [
      { name: 'Country', cell: ({ name }) => name, sort: ({ name }) => name },
      { name: 'Share of MRR', cell: ({ mrr }) => share(mrr, total) },
      sumColumn('MRR', ({ mrr }) => mrr),
      countColumn('Subscribers', ({ subscribers }) => subscribers),
      sumColumn('Collected', ({ collected }) => collected),
      sumColumn('Returned', ({ returned }) => returned),
    ],
  })
}

function sumOf(rows: readonly Figures[]): Figures {
  const sum = (of: (row: Figures) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    ...{ mrr: sum(row => row.mrr), subscribers: sum(row => row.subscribers) },
    ...{ collected: sum(row => row.collected), returned: sum(row => row.returned) },
  }
}
