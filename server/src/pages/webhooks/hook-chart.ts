import type { Hook } from '../../core/hook.ts'
import type { Sql } from '../../platform/db/db.ts'
import { chart, type Series } from '../../platform/web/components/chart.ts'
import { capital, percentWords, shortDay } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { findAllAttempts, findHookHours, type HookHour } from '../../webhooks/hooks/hours.ts'
import { failureWords } from './words.ts'

const HOURS = 48
const HOUR_MS = 3_600_000
/** The chart has four series: acknowledged, the most frequent failures, and the rest. */
const SHOWN_FAILURES = 2

/** The attempts of the last 48 hours by outcome, and how long they took. Renders nothing without attempts. */
export async function hookCharts(sql: Sql, { hookId }: Hook, now: Date): Promise<Html | false> {
  const found = await findHookHours(sql, hookId, { from: firstHour(now, HOURS), to: now })
  if (found.length === 0) return false
  const { hours, labels } = lastHours(found, now, HOURS)
  return html`<section class="section"><h2>Last 48 hours</h2>
<div class="charts">${chart({ id: 'attempts', title: 'Attempts by outcome', kind: 'stacked', unit: 'Hour (UTC)', labels, series: outcomes(hours) })}
${chart({
  ...{ id: 'durations', title: 'Time to answer', kind: 'line', unit: 'Hour (UTC)', labels },
  series: [
    { name: 'Median', values: hours.map(hour => hour?.p50Ms) },
    { name: percentWords(0.95), values: hours.map(hour => hour?.p95Ms), tone: 'warn' },
  ],
  say: value => `${value} ms`,
})}</div></section>`
}

const HOURS_OF_ALL = 24

/** The attempts of all endpoints in the last 24 hours. Renders nothing without attempts. */
export async function allAttemptsChart(sql: Sql, now: Date): Promise<Html | false> {
  const found = await findAllAttempts(sql, firstHour(now, HOURS_OF_ALL))
  if (found.length === 0) return false
  const { hours, labels } = lastHours(found, now, HOURS_OF_ALL)
  return chart({
    ...{ id: 'attempts', title: 'Webhook attempts, last 24 hours', kind: 'stacked', unit: 'Hour (UTC)', labels },
    series: [
      { name: 'Acknowledged', values: hours.map(hour => hour?.acknowledged ?? 0) },
      { name: 'Failed', values: hours.map(hour => hour?.failed ?? 0), tone: 'bad' },
    ],
  })
}

function firstHour(now: Date, count: number): Date {
  return new Date((Math.floor(now.getTime() / HOUR_MS) - count + 1) * HOUR_MS)
}

/** One entry per hour, undefined without attempts. */
function lastHours<Hour extends { readonly hour: Date }>(found: readonly Hour[], now: Date, count: number) {
  const first = firstHour(now, count).getTime()
  const byHour = new Map(found.map(one => [one.hour.getTime(), one]))
  const instants = Array.from({ length: count }, (_, i) => first + i * HOUR_MS)
  return { hours: instants.map(at => byHour.get(at)), labels: instants.map(at => labelOf(new Date(at))) }
}

/** "14:00", or "31 Jan" at midnight. Short, so that six fit a phone. */
function labelOf(hour: Date): string {
  return hour.getUTCHours() === 0 ? shortDay(hour) : hour.toISOString().slice(11, 16)
}

function outcomes(hours: readonly (HookHour | undefined)[]): Series[] {
  const totals = new Map<string, number>()
  for (const hour of hours) {
    for (const { outcome, attempts } of hour?.failed ?? []) totals.set(outcome, (totals.get(outcome) ?? 0) + attempts)
  }
  const shown = [...totals]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, SHOWN_FAILURES)
    .map(([outcome]) => outcome)
  const countOf = (hour: HookHour | undefined, isWanted: (outcome: string) => boolean) =>
    (hour?.failed ?? []).reduce((sum, { outcome, attempts }) => sum + (isWanted(outcome) ? attempts : 0), 0)
  const hasOthers = totals.size > shown.length
  return [
    { name: 'Acknowledged', values: hours.map(hour => hour?.acknowledged ?? 0), tone: 'accent' },
    ...shown.map(
      (outcome, i): Series => ({
        name: capital(failureWords(outcome)),
        values: hours.map(hour => countOf(hour, one => one === outcome)),
        tone: i === 0 ? 'bad' : 'warn',
      }),
    ),
    ...(hasOthers
      ? [
          {
            name: 'Other failures',
            values: hours.map(hour => countOf(hour, one => !shown.includes(one))),
            tone: 'soft' as const,
          },
        ]
      : []),
  ]
}
