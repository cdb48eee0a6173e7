import { Type } from 'typebox'
import type { DeliveryStatus } from '../../core/delivery-status.ts'
import { TEST_EVENT_TYPE } from '../../core/event.ts'
import { instantOfId } from '../../core/id.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import type { AnyPage, PageAnswer, PageCall } from '../../platform/http/page.ts'
import { linkButton } from '../../platform/web/components/button.ts'
import { facts, listing } from '../../platform/web/components/facts.ts'
import { notice } from '../../platform/web/components/notice.ts'
import { moment } from '../../platform/web/dates.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import type { HistoryEntry } from '../../webhooks/notifications/history-store.ts'
import { attemptTable } from './attempt-table.ts'
import { statusBadge } from './delivery-words.ts'
import { findNotification } from './find-notification.ts'
import { framed, hookPage, NotificationParams, pathOfHook, type ShownHook } from './hook-page.ts'
import { shortUrl } from './hook-words.ts'
import { eventTypeOf, pathOfNotification } from './notification-list.ts'
import { press } from './press.ts'

export const NOTIFICATION_PATH = `${WEBHOOKS_PATH}/:hookId/notifications/:notificationId`

/** Within it the next attempt is worth waiting for, with the page open. */
const SOON_MS = 60_000
const LOOKS_AGAIN_EACH = 3

/** One notification: what was sent, its attempts, and the way to send it again. */
export function showNotificationPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return hookPage({
    ...{ method: 'GET', path: NOTIFICATION_PATH, name: 'showNotification', operation: 'deliveries.read' },
    params: NotificationParams,
    query: Type.Object({ done: Type.Optional(Type.Enum(['again'])) }),
    handle: (call, shownHook) =>
      showNotification(ports, call, shownHook, {
        said: call.query.done && notice('good', 'It is to be sent again', 'The same bytes, under the same id.'),
      }),
  })
}

/** `said`: at its head, what became of what was pressed. */
export async function showNotification(
  ports: Pick<Ports, 'clock'>,
  call: PageCall<{ readonly notificationId: string }, unknown, unknown>,
  { hook, appName }: ShownHook,
  { said, status = 200 }: { readonly said: Html | undefined; readonly status?: number },
): Promise<PageAnswer | Rejection> {
  const { notificationId } = call.params
  const found = await findNotification({ ...ports, db: call.db }, hook, { principal: call.principal, notificationId })
  if (isRejection(found)) return found
  const { entry, attempts } = found
  const type = eventTypeOf(entry)
  const main = html`<h1>${type}</h1>
<p class="lead">A notification to ${shortUrl(hook.deliveryUrl)} of ${appName}</p>
${said}
<div class="section">${facts(factsOf(entry))}
${againOf(call, { hook, appName }, entry)}</div>
<div class="section">${attemptTable(attempts)}</div>
<section class="section"><h2>What is sent</h2>
<p>As one line, without the blanks; signed with the secret of the webhook.</p>
${listing(JSON.stringify(JSON.parse(entry.body), null, 2))}</section>
<p>${linkButton('Back to the webhook', pathOfHook(hook))}</p>`
  const looksAgainEach = isSoon(entry, ports.clock.now()) ? LOOKS_AGAIN_EACH : undefined
  return framed(call, { title: type, main, looksAgainEach }, { status })
}

function factsOf(entry: HistoryEntry): [string, Part][] {
  const { businessId, resource, resourceId, createdAt } = JSON.parse(entry.body)
  return [
    ['State', statusBadge(entry)],
    ...(entry.nextAttemptAt ? [['Next attempt', moment(entry.nextAttemptAt)] as [string, Part]] : []),
    ['Recorded', moment(instantOfId(entry.notificationId))],
    ['Happened', moment(new Date(createdAt))],
    ['Business', html`<code>${businessId}</code>`],
    ['About', html`<code>${resource}</code> <code>${resourceId}</code>`],
    ['Address then', html`<code>${entry.deliveryUrl}</code>`],
    ['Id', html`<code>${entry.notificationId}</code>`],
  ]
}

const PRESSES: Readonly<Partial<Record<DeliveryStatus, string>>> = {
  ERRORED_RETRYING: 'Try again now',
  DELIVERED: 'Send again',
  ERRORED: 'Send again',
}

/** The way to send it again, or why there is none. What waits for its first attempt is sent anyway. */
function againOf(
  { principal, csrf }: PageCall<unknown, unknown, unknown>,
  { hook }: ShownHook,
  entry: HistoryEntry,
): Html | false {
  const text = PRESSES[entry.status]
  if (text === undefined || isTakenByRole(principal, 'deliveries.redeliver')) return false
  if (eventTypeOf(entry) === TEST_EVENT_TYPE) {
    return html`<p class="fine">A test is sent once. Send another one on the page of its webhook.</p>`
  }
  if (!hook.active) return html`<p class="fine">Nothing is sent again while the webhook is off.</p>`
  const action = `${pathOfNotification(hook, entry.notificationId)}/again`
  return html`<div class="buttons">${press(action, csrf, text, { kind: 'primary' })}</div>`
}

function isSoon({ nextAttemptAt }: HistoryEntry, now: Date): boolean {
  return nextAttemptAt !== undefined && nextAttemptAt.getTime() - now.getTime() < SOON_MS
}
