import { Type } from 'typebox'
import { findApp } from '../../catalog/apps/store.ts'
import type { Hook } from '../../core/hook.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { type AnyPage, type PageAnswer, type PageCall, page, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { codeBlock } from '../../platform/web/components/code-block.ts'
import { badge, emptyState, facts, notice, toast } from '../../platform/web/components/content.ts'
import { button, linkButton } from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { listHooks } from '../../webhooks/hooks/list.ts'
import { getDeliveriesOfEvent } from '../../webhooks/notifications/history.ts'
import type { HistoryEntry } from '../../webhooks/notifications/history-store.ts'
import { redeliverTo } from '../../webhooks/redeliveries/redeliver-one.ts'
import { eventTypeOf, isSoon, pathOfNotification, REFRESH_SECONDS, subjectFacts } from './deliveries.ts'
import { framed, pathOfEvent, rejectOthers } from './hook-page.ts'
import { shortUrl, statusBadge } from './words.ts'

const PATH = `${WEBHOOKS_PATH}/apps/:appId/events/:notificationId`
const EventParams = Type.Object({ appId: Uuid, notificationId: Uuid })
/** Twice the hooks of an app and a merchant that decisions 7 allows. */
const MOST_ENDPOINTS = 100

type Call = PageCall<{ readonly appId: string; readonly notificationId: string }>

/** One event: the endpoints that received it, and sending it to a chosen endpoint of the app. */
export function eventPages(ports: Pick<Ports, 'clock' | 'dispatch' | 'newId'>): AnyPage[] {
  const definition = {
    path: PATH,
    params: EventParams,
    signIn: 'required',
    subject: ({ principal, params }: Pick<Call, 'principal' | 'params'>) =>
      rejectOthers(principal) ?? { appId: params.appId },
  } as const
  return [
    page({
      ...{ ...definition, method: 'GET', name: 'showEvent', operation: 'deliveries.read' },
      query: Type.Object({ sent: Type.Optional(Uuid) }),
      handle: call => showEvent(ports, call, { sentTo: call.query.sent }),
    }),
    page({
      ...{ ...definition, method: 'POST', name: 'sendEventTo', operation: 'deliveries.redeliver' },
      audited: false,
      form: Type.Object({ hookId: Uuid }),
      async handle(call) {
        const { appId, notificationId } = asked(call)
        const hookId = call.form.hookId
        const of = { of: { appId }, principal: call.principal, notificationId, hookId }
        const sent = await redeliverTo({ ...ports, db: call.db }, of)
        if (!isRejection(sent)) return redirect(`${pathOfEvent(appId, notificationId)}?sent=${hookId}`)
        const { status, message } = PROBLEMS[sent.rejected]
        return status === 409 ? showEvent(ports, call, { said: notice('bad', 'Not sent', message), status }) : sent
      },
    }),
  ]
}

function asked({ params }: Call): { readonly appId: string; readonly notificationId: string } {
  return { appId: params.appId, notificationId: params.notificationId }
}

interface Shows {
  /** The endpoint that the event was sent to. */
  readonly sentTo?: string | undefined
  readonly said?: Html
  readonly status?: number
}

async function showEvent(
  { clock }: Pick<Ports, 'clock'>,
  call: Call,
  { sentTo, said, status = 200 }: Shows,
): Promise<PageAnswer | Rejection> {
  const { sql } = call.db
  const { appId, notificationId } = asked(call)
  const app = await findApp(sql, appId)
  const found = await getDeliveriesOfEvent({ clock, db: call.db }, { appId, principal: call.principal, notificationId })
  if (isRejection(found)) return noDeliveries(call)
  const [entry] = found
  const rows = await rowsOf(call, found)
  const { createdAt } = JSON.parse(entry.body)
  const type = eventTypeOf(entry)
  const main = html`${pageHead({
    title: type,
    above: [{ href: WEBHOOKS_PATH, text: 'Webhooks' }],
    lead: `Event of ${app?.name ?? 'an app'}`,
  })}
${sentTo && sentNotice(rows, sentTo)}${said}
${withDetails(
  html`${table<EndpointRow>({
    caption: 'Endpoints of the app',
    rows,
    columns: [
      { name: 'Endpoint', cell: endpointCell },
      { name: 'Delivery', cell: deliveryCell },
      { name: 'Send', cell: row => sendCell(call, row) },
    ],
  })}
<p class="fine">An endpoint that has the event receives the same payload and ID again. A new endpoint receives the event with an ID of its own.</p>
<section class="section"><h2>Payload</h2>
${codeBlock('payload', JSON.stringify(JSON.parse(entry.body), null, 2), 'the payload')}</section>`,
  facts([['Occurred', moment(new Date(createdAt))], ...(await subjectFacts(call, { appId }, entry))]),
)}`
  const isAwaited = found.some(one => isSoon(one, clock.now()))
  return framed(call, { title: type, main, refreshSeconds: isAwaited ? REFRESH_SECONDS : undefined }, { status })
}

/** An event of the live page that no endpoint received, or whose deliveries are older than the history. */
function noDeliveries(call: Call): PageAnswer {
  const mayAdd = call.principal.kind === 'developer' && !isTakenByRole(call.principal, 'hooks.manage')
  const pathOfNew = `${DEVELOPER_PATHS.apps}/${asked(call).appId}/endpoint`
  const main = html`${pageHead({ title: 'Event', above: [{ href: WEBHOOKS_PATH, text: 'Webhooks' }] })}
${emptyState(
  'No endpoint received this event',
  'No endpoint was listening to its type, or it happened more than 30 days ago. An endpoint receives events from the moment it is added.',
  mayAdd ? linkButton('Add an endpoint', pathOfNew) : undefined,
)}`
  return framed(call, { title: 'Event', main }, { status: 404 })
}

interface EndpointRow {
  readonly hookId: string
  readonly deliveryUrl: string
  /** Absent after the endpoint was deleted. */
  readonly hook?: Hook
  /** Absent where the endpoint has not received the event. */
  readonly delivery?: HistoryEntry
}

/** The endpoints with a delivery first, then the other endpoints that receive events of the merchant. */
async function rowsOf(call: Call, deliveries: readonly [HistoryEntry, ...HistoryEntry[]]): Promise<EndpointRow[]> {
  const { businessId } = JSON.parse(deliveries[0].body)
  const all = await listHooks(call.db.sql, { appId: asked(call).appId }, { limit: MOST_ENDPOINTS })
  const hooks = new Map(all.map(hook => [hook.hookId, hook]))
  const received = deliveries.map(delivery => {
    const { hookId, deliveryUrl } = delivery
    const hook = hooks.get(hookId)
    return { hookId, deliveryUrl: hook?.deliveryUrl ?? deliveryUrl, delivery, ...(hook && { hook }) }
  })
  const has = new Set(received.map(({ hookId }) => hookId))
  const others = all.filter(hook => !has.has(hook.hookId) && (hook.businessId ?? businessId) === businessId)
  return [...received, ...others.map(hook => ({ hookId: hook.hookId, deliveryUrl: hook.deliveryUrl, hook }))]
}

function sentNotice(rows: readonly EndpointRow[], sentTo: string): Html | undefined {
  const row = rows.find(({ hookId }) => hookId === sentTo)
  return row?.delivery && toast('Queued to be sent', html`To <code>${shortUrl(row.deliveryUrl)}</code>.`)
}

function endpointCell({ hook, deliveryUrl }: EndpointRow): Part {
  const url = html`<code>${shortUrl(deliveryUrl)}</code>`
  if (hook === undefined) return html`<span class="stack">${url}<span class="fine">Deleted</span></span>`
  const link = html`<a href="${`${WEBHOOKS_PATH}/${hook.hookId}`}">${url}</a>`
  return hook.active ? link : html`<span class="stack">${link}<span class="fine">Switched off</span></span>`
}

function deliveryCell({ hookId, delivery }: EndpointRow): Part {
  if (delivery === undefined) return badge('Not sent')
  const path = pathOfNotification({ hookId }, delivery.notificationId)
  const attempts = delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`
  return html`<span class="stack"><span>${statusBadge(delivery)}</span><a class="fine" href="${path}">${attempts}</a></span>`
}

/** Nothing is sent to an endpoint that is off, and a first attempt in the queue is sent anyway. */
function sendCell(call: Call, { hookId, deliveryUrl, hook, delivery }: EndpointRow): Part {
  if (!hook?.active || isTakenByRole(call.principal, 'deliveries.redeliver')) return ''
  if (delivery?.status === 'SCHEDULED') return ''
  const { appId, notificationId } = asked(call)
  const about = `to ${shortUrl(deliveryUrl)}`
  const send = button(delivery === undefined ? 'Send' : 'Send again', { size: 'small', about })
  return html`<form ${{ method: 'post', action: pathOfEvent(appId, notificationId) }}><input type="hidden" name="csrf" value="${call.csrf}"><input type="hidden" name="hookId" value="${hookId}">${send}</form>`
}
