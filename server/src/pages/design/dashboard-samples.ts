import { chart } from '../../platform/web/components/chart.ts'
import { codeBlock, codeTabs } from '../../platform/web/components/code-block.ts'
import { badge, emptyState, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { count } from '../../platform/web/components/count.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { button, confirmLink } from '../../platform/web/components/form.ts'
import { menu } from '../../platform/web/components/menu.ts'
import { progress } from '../../platform/web/components/progress.ts'
import { relativeTime } from '../../platform/web/components/relative-time.ts'
import { share } from '../../platform/web/components/share.ts'
import { sparkline } from '../../platform/web/components/sparkline.ts'
import { stats } from '../../platform/web/components/stat.ts'
import type { Column } from '../../platform/web/components/table.ts'
import { tabs } from '../../platform/web/components/tabs.ts'
import { timeline } from '../../platform/web/components/timeline.ts'
import { moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'

export interface Sample {
  readonly title: string
  readonly body: Html
}

const NOW = new Date('2026-03-12T13:05:00Z')
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const LONG = 'A name that somebody made so long that it fits no phone: Supercalifragilisticexpialidocious-Enterprises'

/** Figures, charts, lists, and elements that open above a page. */
export function dashboardSamples(csrf: string): Sample[] {
  return [
    { title: 'Key figures', body: statSamples() },
    { title: 'Charts', body: chartSamples() },
    { title: 'Filters', body: filterSamples() },
    { title: 'A list', body: listSample(csrf) },
    { title: 'Timeline', body: timelineSample() },
    { title: 'Code', body: codeSamples() },
    { title: 'Menus, dialogs and toasts', body: overlaySamples() },
    { title: 'Small parts', body: smallSamples() },
  ]
}

function statSamples(): Html {
  return stats([
    {
      label: 'Recurring revenue',
      value: '$12,480.00',
      delta: { text: '+4.2% on February', tone: 'good' },
      href: '/design',
    },
    { label: 'Subscribers', value: '1,904', delta: { text: '+61 on February', tone: 'good' } },
    { label: 'On trial', value: '212', delta: { text: '38 end this week' } },
    { label: 'Churn', value: '1.8%', delta: { text: '+0.3 points', tone: 'bad' } },
    {
      label: LONG,
      value: moneyWords({ amount: 99_999_999_999, currency: 'IDR' }),
      delta: { text: LONG, tone: 'warn' },
    },
  ])
}

function chartSamples(): Html {
  const days = Array.from({ length: 30 }, (_, i) => `${i + 1} Mar`)
  const months = ['Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar']
  const dollars = (value: number) => moneyWords({ amount: value, currency: 'USD' })
  const short = (value: number) => `$${value / 100_000}k`
  return html`<div class="charts">
${chart({
  id: 'chart-mrr',
  title: 'Recurring revenue',
  kind: 'line',
  unit: 'Day',
  labels: days,
  series: [
    { name: 'This period', values: wave(30, 1_100_000, 9_000) },
    { name: 'The period before', values: wave(30, 900_000, 7_000) },
  ],
  say: dollars,
  sayShort: short,
})}
${chart({
  id: 'chart-attempts',
  title: 'Webhook attempts',
  kind: 'stacked',
  unit: 'Day',
  labels: days,
  series: [
    { name: 'Acknowledged', values: wave(30, 300, 4) },
    { name: 'Failed', tone: 'bad', values: wave(30, 4, 1) },
  ],
})}
${chart({
  id: 'chart-movements',
  title: 'Movements of recurring revenue',
  kind: 'stacked',
  unit: 'Month',
  labels: months,
  series: [
    { name: 'New', values: wave(6, 90_000, 4_000) },
    { name: 'Expansion', values: wave(6, 30_000, 900) },
    { name: 'Contraction', values: wave(6, 12_000, 300).map(n => -n) },
    { name: 'Churn', values: wave(6, 30_000, 2_000).map(n => -n) },
  ],
  say: dollars,
  sayShort: short,
})}
${chart({
  id: 'chart-upcoming',
  title: 'Upcoming charges',
  kind: 'bar',
  unit: 'Day',
  labels: days.slice(0, 7),
  series: [
    { name: 'Renewals', values: [3, 8, 1, 0, 14, 5, 2] },
    { name: 'Ends of trials', values: [1, 0, 2, 4, 3, 0, 1] },
  ],
})}
${chart({ id: 'chart-one', title: 'One point', kind: 'line', unit: 'Day', labels: ['12 Mar'], series: [{ name: 'Subscribers', values: [12] }] })}
${chart({ id: 'chart-none', title: 'No data', kind: 'line', unit: 'Day', labels: [], series: [{ name: 'Subscribers', values: [] }] })}
</div>`
}

/** Values that rise and fall around a start. */
function wave(length: number, start: number, step: number): number[] {
  return Array.from({ length }, (_, i) => Math.round(start + i * step + Math.abs(Math.sin((i + 1) * 3)) * step * 6))
}

function filterSamples(): Html {
  const states = ['Queued', 'Retrying', 'Delivered', 'Failed'].map(text => ({ value: text.toUpperCase(), text }))
  return filterBar({
    path: '/design',
    label: 'Filter the deliveries',
    fields: [
      { kind: 'search', name: 'q', label: 'Search', placeholder: 'Name, e-mail or id', value: 'corner café' },
      { kind: 'select', name: 'status', label: 'State', options: states, value: 'FAILED' },
      { kind: 'date', name: 'from', label: 'From' },
      { kind: 'date', name: 'to', label: 'To', value: '2026-03-12' },
      { kind: 'text', name: 'resource', label: 'Resource' },
    ],
  })
}

interface Delivery {
  readonly id: string
  readonly event: string
  readonly isFailed: boolean
  readonly at: Date
}

const DELIVERIES: readonly Delivery[] = [
  { id: '019b1c-1', event: 'Payment succeeded', isFailed: false, at: minutesAgo(3) },
  { id: '019b1c-2', event: 'Payment declined', isFailed: true, at: minutesAgo(95) },
  { id: '019b1c-3', event: LONG, isFailed: true, at: minutesAgo(60 * 30) },
]

const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { name: 'Event', cell: ({ event }) => html`<a href="/design">${event}</a>` },
  { name: 'State', cell: ({ isFailed }) => (isFailed ? badge('Failed', 'bad') : badge('Delivered', 'good')) },
  { name: 'Last 24 hours', cell: ({ id }) => sparkline('Attempts in the last 24 hours', wave(24, id.length, 1)) },
  { name: 'Created', cell: ({ at }) => relativeTime(at, NOW) },
]

function listSample(csrf: string): Html {
  return html`${dataTable<Delivery>({
    id: 'sample-list',
    caption: 'Deliveries',
    hasDrawers: true,
    columns: DELIVERY_COLUMNS,
    rows: DELIVERIES,
    choosing: {
      csrf,
      action: '/design',
      idOf: ({ id }) => id,
      nameOf: ({ event }) => event,
      buttons: button('Send again', { size: 'small' }),
    },
    csv: '/design',
    path: '/design',
    after: 'first-page',
    next: 'third-page',
    empty: emptyState('No deliveries', 'Deliveries appear after the first event.'),
  })}
${dataTable<Delivery>({ id: 'sample-none', caption: 'None', columns: DELIVERY_COLUMNS, rows: [], path: '/design', empty: emptyState('No deliveries match', 'Remove a filter to see more.') })}`
}

function timelineSample(): Html {
  return timeline('What happened to the subscription', [
    {
      at: NOW,
      title: 'Payment succeeded',
      tone: 'good',
      detail: html`<a href="/design">Invoice 2026-000003</a>, $19.00`,
    },
    {
      at: minutesAgo(30),
      title: 'Payment declined',
      tone: 'bad',
      detail: 'Not enough money. The next attempt is tomorrow.',
    },
    { at: minutesAgo(60 * 24 * 14), title: 'Plan changed from Basic to Pro' },
    { at: minutesAgo(60 * 24 * 28), title: 'Trial started', tone: 'warn' },
  ])
}

function codeSamples(): Html {
  return html`${codeTabs('verify', 'verifying a webhook', [
    { language: 'TypeScript', text: 'verify(body, headers, secret)' },
    { language: 'Python', text: 'verify(body, headers, secret)' },
    { language: 'Java', text: 'Webhooks.verify(body, headers, secret);' },
  ])}
${codeBlock('sample-code', 'curl https://pay.example', 'the command')}`
}

function overlaySamples(): Html {
  return html`<div class="buttons">${menu({ summary: 'More', items: [html`<a href="/design">Edit</a>`, html`<a href="/design">Export</a>`] })}
${confirmLink('Cancel the subscription', '/design', { kind: 'danger', about: 'in a dialog' })}</div>
${toast('Endpoint saved', 'Events are sent to the new URL.')}`
}

function smallSamples(): Html {
  return html`${tabs(
    'Sample',
    [
      { text: 'Overview', href: '/design' },
      { text: 'Plans', href: '/design?plans', count: 3 },
      { text: LONG, href: '/design?long' },
    ],
    '/design',
  )}
<p>${copyId('sample-id', 'urn:aid:0d1c7a52-6b7e-4f54-9a43-1f6d1c0a7c11', 'the app id')}</p>
<p>Webhooks ${count(3, 'failing endpoints')} ${count(1_204, 'deliveries that failed')} ${count(0, 'nothing')}</p>
<p>${relativeTime(minutesAgo(0), NOW)}, ${relativeTime(minutesAgo(5), NOW)}, ${relativeTime(minutesAgo(-60 * 26), NOW)}, ${relativeTime(minutesAgo(60 * 24 * 90), NOW)}</p>
<p>${share(64, 100)}, ${share(1, 300)}, ${share(0, 0)}</p>
${progress('Deliveries sent again', 40)}`
}
