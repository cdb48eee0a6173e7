import { type Static, Type } from 'typebox'
import { pageOfBusinesses } from '../../access/business-lists/list.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../core/delivery.ts'
import { BODY_EVENT_TYPES } from '../../core/event.ts'
import type { Hook } from '../../core/hook.ts'
import { instantOfId, UUID } from '../../core/id.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { PageCall } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { chart, type Series } from '../../platform/web/components/chart.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { button } from '../../platform/web/components/form.ts'
import { capital, percentWords, shortDay, shortMoment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { boundsOf } from '../../webhooks/hooks/get.ts'
import { findAllAttempts, findHookHours, type HookHour } from '../../webhooks/hooks/hours.ts'
import { getDelivery, listDeliveries } from '../../webhooks/notifications/history.ts'
import type { HistoryEntry, HistoryRows } from '../../webhooks/notifications/history-store.ts'
import { spanOfDays } from '../days.ts'
import { eventTypeOf, pathOfNotification } from './deliveries.ts'
import { pathOfHook } from './hook-page.ts'
import { failureWords, STATUS_WORDS, shortType, statusBadge } from './words.ts'

/** The filters in the address. A form sends every field, also an empty one. */
export const DeliveryFilters = {
  status: Type.Optional(Text(40, 0)),
  event: Type.Optional(Text(100, 0)),
  merchant: Type.Optional(Text(200, 0)),
  from: Type.Optional(Text(40, 0)),
  to: Type.Optional(Text(40, 0)),
  id: Type.Optional(Text(200, 0)),
  after: Type.Optional(Text(36, 0)),
}
const Filters = Type.Object(DeliveryFilters)
type Asked = Static<typeof Filters>

const ON_A_PAGE = '25'

/** The deliveries of a hook in the last 30 days that fit the filters, newest first. */
export async function hookDeliveries(
  ports: Pick<Ports, 'clock'>,
  call: PageCall,
  hook: Hook,
  asked: Asked,
): Promise<Html | Rejection> {
  const found = await findDeliveries(ports, call, hook, asked)
  if (isRejection(found)) return found
  const { entries, next } = found
  const path = pathOfHook(hook)
  const { after, ...kept } = given(asked)
  const may = hook.active && !isTakenByRole(call.principal, 'deliveries.redeliver')
  return html`<section class="section"><h2>Deliveries</h2>
${filters(path, kept)}
${dataTable<HistoryEntry>({
  id: 'deliveries',
  caption: 'Last 30 days, newest first',
  hasDrawers: true,
  ...{ path, kept, after, next },
  rows: entries,
  columns: [
    {
      name: 'Event',
      cell: entry =>
        html`<a href="${pathOfNotification(hook, entry.notificationId)}">${breakable(shortType(eventTypeOf(entry)))}</a>${entry.isTest && eventTypeOf(entry) !== 'TEST' && html` <span class="fine">sample</span>`}`,
    },
    { name: 'Created (UTC)', cell: ({ notificationId }) => shortMoment(instantOfId(notificationId)) },
    { name: 'State', cell: stateCell },
    { name: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  ],
  ...(may && {
    choosing: {
      csrf: call.csrf,
      action: `${path}/resend/chosen`,
      idOf: ({ notificationId }) => notificationId,
      nameOf: entry => `${shortType(eventTypeOf(entry))} of ${instantOfId(entry.notificationId).toISOString()}`,
      buttons: button('Send the chosen again', { size: 'small' }),
    },
  }),
  empty: nothing({
    isFiltered: Object.keys(kept).length > 0,
    isFurther: after !== undefined,
    isMore: next !== undefined,
  }),
})}
</section>`
}

function stateCell(entry: HistoryEntry): Html {
  const { nextAttemptAt } = entry
  const next = nextAttemptAt && html`<span class="fine">Next attempt ${shortMoment(nextAttemptAt)}</span>`
  return html`<span class="stack"><span>${statusBadge(entry)}</span>${next}</span>`
}

/** The filters that hold something. */
function given(asked: Asked): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asked).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])),
  )
}

function filters(path: string, kept: Readonly<Record<string, string>>): Html {
  return filterBar({
    path,
    label: 'Filter deliveries',
    fields: [
      {
        ...{ kind: 'select', name: 'status', label: 'State', value: kept.status },
        options: DELIVERY_STATUSES.map(value => ({ value, text: STATUS_WORDS[value].word })),
      },
      {
        ...{ kind: 'select', name: 'event', label: 'Event', value: kept.event },
        options: BODY_EVENT_TYPES.map(value => ({ value, text: shortType(value) })),
      },
      { kind: 'search', name: 'merchant', label: 'Merchant', placeholder: 'Name or ID', value: kept.merchant },
      { kind: 'date', name: 'from', label: 'From', value: kept.from },
      { kind: 'date', name: 'to', label: 'To', value: kept.to },
      { kind: 'search', name: 'id', label: 'ID', placeholder: 'Delivery or resource', value: kept.id },
    ],
  })
}

async function findDeliveries(
  ports: Pick<Ports, 'clock'>,
  { db, principal }: PageCall,
  hook: Hook,
  asked: Asked,
): Promise<HistoryRows | Rejection> {
  const { status, event, merchant, from, to, id, after } = given(asked)
  const own = { ...ports, db }
  if (id !== undefined && !UUID.test(id)) return { entries: [] }
  const businessId = merchant === undefined ? undefined : await findMerchant({ db, principal } as PageCall, merchant)
  if (businessId === null) return { entries: [] }
  const query = {
    ...(DELIVERY_STATUSES.includes(status as DeliveryStatus) && { status: status as DeliveryStatus }),
    ...(event && { eventType: event }),
    ...spanOfDays({ from, to }),
    ...(id && { resourceId: id.toLowerCase() }),
    ...(after && UUID.test(after) && { after: after.toLowerCase() }),
    ...{ hookId: hook.hookId, limit: ON_A_PAGE },
  }
  const of = businessId === undefined ? { appId: hook.appId } : { businessId }
  const found = await listDeliveries(own, { of, principal, query })
  if (isRejection(found) || id === undefined || found.entries.length > 0) return found
  // The id may be that of the delivery itself.
  const one = await getDelivery(own, { of: { appId: hook.appId }, principal, notificationId: id.toLowerCase() })
  return isRejection(one) || one.entry.hookId !== hook.hookId ? found : { entries: [one.entry] }
}

/** The newest merchant that the person may see by this name or id; null: none. */
async function findMerchant({ db, principal }: PageCall, q: string): Promise<string | null> {
  const found = await pageOfBusinesses({ db }, { ...boundsOf(principal), q }, { limit: 1 })
  return isRejection(found) ? null : (found.items[0]?.businessId ?? null)
}

/** The maximum number of rows that a page reads: one without any may have further ones (docs/decisions/0012). */
function nothing({
  isFiltered,
  isFurther,
  isMore,
}: {
  isFiltered: boolean
  isFurther: boolean
  isMore: boolean
}): Html {
  if (isMore) return emptyState('No matching deliveries on this page', 'The next page may have some.')
  if (isFurther || isFiltered) return emptyState('No matching deliveries', 'Try another filter.')
  return emptyState('No deliveries yet', 'Events and tests appear here when they occur.')
}

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
