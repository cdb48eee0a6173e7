import { addDays, parseInstant } from '../../core/calendar.ts'
import { type CsvValue, csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { type DayKind, type DayRow, type DaysFilter, readDays } from './revenue-days.ts'
import type { DailyRevenue, Figure, RevenueDay } from './revenue-schema.ts'

const DEFAULT_DAYS = 90
const MOST_DAYS = 366
const DAY_MS = 86_400_000

/** Parses the first and the last day: the last 90 days by default, at most 366. */
export function parseDays(
  query: { readonly from?: string; readonly to?: string },
  now: Date,
): Pick<DaysFilter, 'from' | 'to'> | Rejection {
  const to = query.to === undefined ? dayOf(now) : parseDay(query.to)
  if (to === null) return rejectField('to', NO_DAY)
  const from = query.from === undefined ? dayOf(addDays(new Date(to), 1 - DEFAULT_DAYS)) : parseDay(query.from)
  if (from === null) return rejectField('from', NO_DAY)
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1 || days > MOST_DAYS) return rejectField('from', `must be at most ${MOST_DAYS - 1} days before \`to\``)
  return { from, to }
}

/** The daily revenue by currency. Every day of the span is there. */
export async function readDailyRevenue({ db }: Pick<Ports, 'db'>, filter: DaysFilter): Promise<DailyRevenue[]> {
  const rows = await readDays(db.sql, filter)
  const days: string[] = []
  for (let at = new Date(filter.from); dayOf(at) <= filter.to; at = addDays(at, 1)) days.push(dayOf(at))
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const byDay = Map.groupBy(ofCurrency, ({ day }) => day ?? '')
    const opening = netOf(byDay.get('') ?? [])
    let running = opening
    return {
      ...{ currency, opening: { mrr: opening.amount, subscribers: opening.count } },
      days: days.map(day => {
        const found = byDay.get(day) ?? []
        const net = netOf(found)
        running = { count: running.count + net.count, amount: running.amount + net.amount }
        return dayFigures(day, found, running)
      }),
    }
  })
}

const MOVEMENTS: readonly DayKind[] = ['NEW', 'EXPANSION', 'CONTRACTION', 'CHURN']

function netOf(rows: readonly DayRow[]): Figure {
  return rows
    .filter(({ kind }) => MOVEMENTS.includes(kind))
    .reduce((sum, { count, amount }) => ({ count: sum.count + count, amount: sum.amount + amount }), NOTHING)
}

const NOTHING: Figure = { count: 0, amount: 0 }

function dayFigures(day: string, rows: readonly DayRow[], { count, amount }: Figure): RevenueDay {
  const of = (kind: DayKind): Figure => {
    const row = rows.find(one => one.kind === kind)
    return row === undefined ? NOTHING : { count: row.count, amount: row.amount }
  }
  return {
    ...{ day, mrr: amount, subscribers: count },
    ...{ new: of('NEW'), expansion: of('EXPANSION'), contraction: of('CONTRACTION'), churn: of('CHURN') },
    ...{ trialsStarted: of('TRIAL_STARTED').count, trialsConverted: of('TRIAL_CONVERTED').count },
    trialsEnded: of('TRIAL_ENDED').count,
    ...{ pastDue: of('PAST_DUE'), recovered: of('RECOVERED'), lost: of('LOST') },
    ...{ collected: of('COLLECTED'), refunded: of('REFUNDED'), chargedBack: of('CHARGED_BACK') },
  }
}

const AMOUNTS = [
  ...(['new', 'expansion', 'contraction', 'churn', 'pastDue', 'recovered', 'lost'] as const),
  ...(['collected', 'refunded', 'chargedBack'] as const),
]
const COUNTS = ['subscribers', 'trialsStarted', 'trialsConverted', 'trialsEnded'] as const

/** One row per currency and day. Amounts are decimal. */
export function dailyCsv(list: readonly DailyRevenue[]): string {
  const head = ['day', 'currency', 'mrr', ...COUNTS, ...AMOUNTS, ...AMOUNTS.map(name => `${name}Count`)]
  const rows = list.flatMap(({ currency, days }) =>
    days.map((day): CsvValue[] => {
      const money = (amount: number) => ({ number: decimalOf(amount, currency) })
      const number = (count: number) => ({ number: String(count) })
      return [
        ...[day.day, currency, money(day.mrr), ...COUNTS.map(name => number(day[name]))],
        ...[...AMOUNTS.map(name => money(day[name].amount)), ...AMOUNTS.map(name => number(day[name].count))],
      ]
    }),
  )
  return csvOf([head, ...rows])
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const NO_DAY = 'must be a day, YYYY-MM-DD, or an RFC 3339 instant of the years 1970 to 9999'

/** The UTC day of a date or an instant. Rejects 31 February, which JavaScript would move to March. */
function parseDay(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const at = parseInstant(text)
    return at && dayOf(at)
  }
  const at = parseInstant(`${text}T00:00:00Z`)
  return at !== null && dayOf(at) === text ? text : null
}
