import type { Hook } from '../../core/hook.ts'
import type { Sql } from '../../platform/db/db.ts'
import { chart, type Series } from '../../platform/web/components/chart.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { findHookHours, type HookHour } from '../../webhooks/hooks/hours.ts'
import { failureWords } from './words.ts'

const HOURS = 48
const HOUR_MS = 3_600_000
/** The chart has four series: acknowledged, the most frequent failures, and the rest. */
const SHOWN_FAILURES = 2

/** The attempts of the last 48 hours by outcome, and how long they took. Renders nothing without attempts. */
export async function hookCharts(sql: Sql, { hookId }: Hook, now: Date): Promise<Html | false> {
  const first = Math.floor(now.getTime() / HOUR_MS) - HOURS + 1
  const found = await findHookHours(sql, hookId, { from: new Date(first * HOUR_MS), to: now })
  if (found.length === 0) return false
  const byHour = new Map(found.map(one => [one.hour.getTime() / HOUR_MS, one]))
  const hours = Array.from({ length: HOURS }, (_, i) => byHour.get(first + i))
  const labels = hours.map((_, i) => labelOf(new Date((first + i) * HOUR_MS)))
  return html`<section class="section"><h2>Last 48 hours</h2>
<div class="charts">${chart({ id: 'attempts', title: 'Attempts by outcome', kind: 'stacked', unit: 'Hour (UTC)', labels, series: outcomes(hours) })}
${chart({
  ...{ id: 'durations', title: 'Time to answer', kind: 'line', unit: 'Hour (UTC)', labels },
  series: [
    { name: 'Median', values: hours.map(hour => hour?.p50Ms) },
    { name: '95 %', values: hours.map(hour => hour?.p95Ms), tone: 'warn' },
  ],
  say: value => `${value} ms`,
})}</div></section>`
}

/** "14:00"; the day at midnight. Short, so that six fit a phone. */
function labelOf(hour: Date): string {
  const text = hour.toISOString()
  return text.slice(11, 13) === '00' ? text.slice(5, 10) : text.slice(11, 16)
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

function capital(words: string): string {
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
