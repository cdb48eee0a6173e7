import { Type } from 'typebox'
import { pageOfBusinesses } from '../../access/business-lists/list.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import type { DeliveryStatus } from '../../core/delivery.ts'
import type { Hook } from '../../core/hook.ts'
import { instantOfId } from '../../core/id.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { findInvoice } from '../../money/invoices/store.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { PageCall } from '../../platform/http/page.ts'
import { type AnyPage, type PageAnswer, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { codeBlock } from '../../platform/web/components/code-block.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { facts, listing, notice, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { button, linkButton, press } from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment, shortMoment } from '../../platform/web/format.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, OPERATOR_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import type { Attempt } from '../../webhooks/deliveries/attempt.ts'
import { boundsOf } from '../../webhooks/hooks/get.ts'
import { findNeighbours, getDelivery } from '../../webhooks/notifications/history.ts'
import type { HistoryEntry } from '../../webhooks/notifications/history-store.ts'
import { type Attempts, SHOWN_ATTEMPTS } from '../../webhooks/notifications/history-store.ts'
import { deliveryNotFound } from '../../webhooks/notifications/scope.ts'
import { sentHeaders } from '../../webhooks/notifications/sent-headers.ts'
import { redeliverOne } from '../../webhooks/redeliveries/redeliver-one.ts'
import { pathOfSubscription } from '../subscriptions/side.ts'
import { aboveOf, framed, hookPage, NotificationParams, pathOfEvent, pathOfHook, type ShownHook } from './hook-page.ts'
import { attemptBadge, hintOf, statusBadge } from './words.ts'

export function pathOfNotification(hook: Pick<Hook, 'hookId'>, notificationId: string): string {
  return `${pathOfHook(hook)}/notifications/${notificationId}`
}

export function eventTypeOf({ body }: Pick<HistoryEntry, 'body'>): string {
  return JSON.parse(body).eventType
}

const NOTIFICATION_PATH = `${WEBHOOKS_PATH}/:hookId/notifications/:notificationId`

/** An attempt due this soon is worth waiting for on the page. */
const SOON_MS = 60_000
export const REFRESH_SECONDS = 3

/** One delivery: payload, attempts, and sending again. */
export function showNotificationPage(ports: Pick<Ports, 'clock' | 'vault'>): AnyPage {
  return hookPage({
    ...{ method: 'GET', path: NOTIFICATION_PATH, name: 'showNotification', operation: 'deliveries.read' },
    params: NotificationParams,
    query: Type.Object({ done: Type.Optional(Type.Enum(['again'])) }),
    handle: (call, shownHook) =>
      showNotification(ports, call, shownHook, {
        said: call.query.done && toast('Queued to be sent again', 'The payload and its ID stay the same.'),
      }),
  })
}

/** `said`: the result of the last action, at the top. */
async function showNotification(
  ports: Pick<Ports, 'clock' | 'vault'>,
  call: PageCall<{ readonly notificationId: string }>,
  { hook, appName }: ShownHook,
  { said, status = 200 }: { readonly said: Html | undefined; readonly status?: number },
): Promise<PageAnswer | Rejection> {
  const { notificationId } = call.params
  const found = await findNotification({ ...ports, db: call.db }, hook, { principal: call.principal, notificationId })
  if (isRejection(found)) return found
  const { entry, attempts } = found
  const type = eventTypeOf(entry)
  const { actions, hint } = againOf(call, { hook, appName }, entry)
  const last = attempts.latest.at(-1)
  const why = entry.status !== 'DELIVERED' && last !== undefined && hintOf(last)
  const headers = last && (await sentHeaders({ ...ports, db: call.db }, entry, last))
  const content = html`<div class="section">${attemptTable(attempts)}</div>
<section class="section"><h2>Payload</h2>
<p>Sent as one line without extra spaces, signed with the endpoint’s secret.</p>
${codeBlock('payload', JSON.stringify(JSON.parse(entry.body), null, 2), 'the payload')}</section>
${headers && headerSection(headers)}
<details><summary>Send it yourself with curl</summary>
<p>For a listener under development. The request has no signature, because this page does not know the secret.</p>
${codeBlock('curl', curlOf(entry), 'the command')}</details>
${await neighbourLinks(ports, call, hook, notificationId)}`
  const main = html`${pageHead({
    title: type,
    above: aboveOf(hook),
    badge: statusBadge(entry),
    lead: `Delivery of ${appName}`,
    actions,
    ...(!entry.isTest && {
      more: [html`<a href="${pathOfEvent(hook.appId, notificationId)}">Send to another endpoint</a>`],
    }),
  })}
${said}${why && notice('warn', 'Why it failed', why)}${hint && html`<p class="fine">${hint}</p>`}
${withDetails(content, facts(await factsOf(call, hook, entry)))}`
  const refreshSeconds = isSoon(entry, ports.clock.now()) ? REFRESH_SECONDS : undefined
  return framed(call, { title: type, main, refreshSeconds }, { status })
}

/** The headers of the latest attempt, as a listener for `http` modules would print them. */
function headerSection(headers: Readonly<Record<string, string>>): Html {
  const isSigned = headers['webhook-signature'] !== undefined
  const text = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return html`<section class="section"><h2>Headers</h2>
<p>As sent with the last attempt.${!isSigned && ' The secret was replaced since, so its signatures cannot be shown.'}</p>
${codeBlock('headers', text.join('\n'), 'the headers')}</section>`
}

async function neighbourLinks(
  ports: Pick<Ports, 'clock'>,
  { db, principal }: PageCall,
  hook: Hook,
  notificationId: string,
): Promise<Html> {
  const of = { of: { appId: hook.appId }, principal, hookId: hook.hookId, notificationId }
  const { older, newer } = await findNeighbours({ ...ports, db }, of)
  const link = (text: string, id: string) => linkButton(text, pathOfNotification(hook, id), { size: 'small' })
  return html`<nav class="pager" aria-label="Other deliveries of the endpoint">${older === undefined ? html`<span></span>` : link('Older delivery', older)}${linkButton('Back to the endpoint', pathOfHook(hook), { size: 'small' })}${newer === undefined ? html`<span></span>` : link('Newer delivery', newer)}</nav>`
}

async function factsOf(call: PageCall, hook: Hook, entry: HistoryEntry): Promise<Fact[]> {
  const { createdAt } = JSON.parse(entry.body)
  return [
    entry.nextAttemptAt && ['Next attempt', moment(entry.nextAttemptAt)],
    ['Created', moment(instantOfId(entry.notificationId))],
    ['Occurred', moment(new Date(createdAt))],
    ...(await subjectFacts(call, hook, entry)),
    ['Endpoint', html`<code>${breakable(entry.deliveryUrl)}</code>`],
    ['ID', copyId('delivery-id', entry.notificationId, 'the delivery id')],
  ]
}

const PRESSES: Readonly<Partial<Record<DeliveryStatus, string>>> = {
  ERRORED_RETRYING: 'Try again now',
  DELIVERED: 'Send again',
  ERRORED: 'Send again',
}

/** The button that sends again, or the reason why it is missing. A first attempt in the queue needs no button. */
function againOf(
  { principal, csrf }: PageCall,
  { hook }: ShownHook,
  entry: HistoryEntry,
): { readonly actions?: Html; readonly hint?: string } {
  const text = PRESSES[entry.status]
  if (text === undefined || isTakenByRole(principal, 'deliveries.redeliver')) return {}
  if (entry.isTest) {
    return { hint: 'A test is sent once. Send another test from the endpoint’s page.' }
  }
  if (!hook.active) return { hint: 'Enable the endpoint to send this again.' }
  const action = `${pathOfNotification(hook, entry.notificationId)}/again`
  return { actions: press(action, csrf, button(text, { kind: 'primary' })) }
}

/** The request of a delivery for a shell. Quotes within the payload are closed, escaped and opened again. */
function curlOf({ deliveryUrl, notificationId, body }: HistoryEntry): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  return [
    `curl ${quoted(deliveryUrl)}`,
    `-H 'Content-Type: application/json'`,
    `-H 'webhook-id: ${notificationId}'`,
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ')
}

export function isSoon({ nextAttemptAt }: HistoryEntry, now: Date): boolean {
  return nextAttemptAt !== undefined && nextAttemptAt.getTime() - now.getTime() < SOON_MS
}

/** The attempts: time, result, duration and answer. */
function attemptTable({ latest, hasEarlier }: Attempts): Html {
  if (latest.length === 0) return html`<h2>Attempts</h2><p>No attempts yet.</p>`
  const attempts = table<Attempt>({
    caption: 'Attempts',
    rows: latest,
    columns: [
      { name: 'Time (UTC)', cell: ({ attemptedAt }) => shortMoment(attemptedAt) },
      { name: 'Outcome', cell: attemptBadge },
      { name: 'Duration', isNumber: true, cell: ({ durationMs }) => `${durationMs} ms` },
      { name: 'Response', cell: answerCell },
    ],
  })
  return html`${attempts}${hasEarlier && html`<p class="fine">Only the latest ${SHOWN_ATTEMPTS} are shown.</p>`}`
}

/** The stored beginning of the answer. */
function answerCell({ answer, attemptedAt }: Attempt): Part {
  if (answer === '') return 'Empty'
  const about = html`<span class="unseen"> of ${moment(attemptedAt)}</span>`
  return html`<details><summary>Show${about}</summary>${listing(answer)}</details>`
}

/** A delivery of the hook with its attempts; null for another hook's or an expired one. */
async function findNotification(
  ports: Parameters<typeof getDelivery>[0],
  { appId, hookId }: Hook,
  { principal, notificationId }: { readonly principal: Principal; readonly notificationId: string },
): ReturnType<typeof getDelivery> {
  const found = await getDelivery(ports, { of: { appId }, principal, notificationId })
  return isRejection(found) || found.entry.hookId === hookId ? found : deliveryNotFound()
}

/** Sends again. Pressed twice, it is queued once. */
export function sendAgainPage(ports: Parameters<typeof redeliverOne>[0] & Pick<Ports, 'vault'>): AnyPage {
  return hookPage({
    ...{ method: 'POST', path: `${NOTIFICATION_PATH}/again`, name: 'sendAgain', operation: 'deliveries.redeliver' },
    params: NotificationParams,
    audited: false,
    async handle(call, shownHook) {
      const { principal, db } = call
      const { hook } = shownHook
      const own = { ...ports, db }
      const found = await findNotification(own, hook, { principal, notificationId: call.params.notificationId })
      if (isRejection(found)) return found
      const { notificationId } = found.entry
      const again = await redeliverOne(own, { of: { appId: hook.appId }, principal, notificationId })
      if (!isRejection(again)) return redirect(`${pathOfNotification(hook, notificationId)}?done=again`)
      const { status, message } = PROBLEMS[again.rejected]
      if (status !== 409) return again
      return showNotification(ports, call, shownHook, { said: notice('bad', 'Not sent again', message), status })
    },
  })
}

/** The merchant, the subscription and the invoice of a delivery, by their names where the person may read them. */
export async function subjectFacts(
  call: PageCall,
  { appId }: Pick<Hook, 'appId'>,
  { body }: HistoryEntry,
): Promise<Fact[]> {
  const { businessId, resource, resourceId, links = [] } = JSON.parse(body)
  const merchant = await merchantWords(call, businessId)
  if (resource !== '/apps/subscriptions') {
    return [
      ['Merchant', merchant],
      ['Resource', html`<code>${resource}</code> <code>${resourceId}</code>`],
    ]
  }
  const { sql } = call.db
  const subscription = await findSubscription(sql, resourceId)
  const invoiceId = /\/invoices\/([0-9a-f-]{36})$/.exec(links[1]?.href ?? '')?.[1]
  const invoice = invoiceId === undefined ? null : await findInvoice(sql, invoiceId)
  if (subscription?.appId !== appId) {
    return [
      ['Merchant', merchant],
      ['Subscription', html`<code>${resourceId}</code>`],
    ]
  }
  const name = (await findPlan(sql, subscription.planId))?.name ?? 'Subscription'
  const paths = call.principal.kind === 'developer' ? DEVELOPER_PATHS : OPERATOR_PATHS
  const path = pathOfSubscription({ paths }, subscription)
  return [
    ['Merchant', merchant],
    ['Subscription', html`<a href="${path}">${name}</a>`],
    ...(invoice?.subscriptionId === subscription.subscriptionId ? [['Invoice', invoice.number] as [string, Part]] : []),
  ]
}

async function merchantWords({ db, principal }: PageCall, businessId: string): Promise<Part> {
  const found = await pageOfBusinesses({ db }, { ...boundsOf(principal), q: businessId }, { limit: 1 })
  const name = isRejection(found) ? undefined : found.items[0]?.doingBusinessAs
  if (name === undefined) return html`<code>${businessId}</code>`
  const at = principal.kind === 'developer' ? DEVELOPER_PATHS.merchants : OPERATOR_PATHS.merchants
  return html`<a href="${`${at}/${businessId}`}">${name}</a>`
}
