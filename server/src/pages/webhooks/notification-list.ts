import { DELIVERY_STATUSES, type DeliveryStatus } from '../../core/delivery-status.ts'
import type { Hook } from '../../core/hook.ts'
import { instantOfId } from '../../core/id.ts'
import { filter } from '../../platform/web/components/filter.ts'
import { emptyState } from '../../platform/web/components/notice.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/dates.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { HistoryEntry, HistoryRows } from '../../webhooks/notifications/history-store.ts'
import { STATUS_WORDS, statusBadge } from './delivery-words.ts'
import { pathOfHook } from './hook-page.ts'
import { shortType } from './hook-words.ts'
import { addressOf, pager } from './pager.ts'

export interface Asked {
  readonly status?: DeliveryStatus
  readonly after?: string
}

/** What a hook was told in the last 30 days, the latest first; all of it, or what has come as far as is asked for. */
export function notificationList(hook: Hook, { entries, next }: HistoryRows, { status, after }: Asked): Html {
  const path = pathOfHook(hook)
  const link = (text: string, one?: DeliveryStatus) => ({
    text,
    href: addressOf(path, { status: one }),
    isCurrent: one === status,
  })
  const links = [link('All'), ...DELIVERY_STATUSES.map(one => link(STATUS_WORDS[one].word, one))]
  return html`<section class="section"><h2>Notifications</h2>
${filter('Which notifications', links)}
${entries.length === 0 ? nothing({ isFurther: after !== undefined, isMore: next !== undefined, status }) : notificationTable(hook, entries)}
${pager('More notifications', {
  first: after && addressOf(path, { status }),
  next: next && addressOf(path, { status, after: next }),
})}
</section>`
}

export function pathOfNotification(hook: Pick<Hook, 'hookId'>, notificationId: string): string {
  return `${pathOfHook(hook)}/notifications/${notificationId}`
}

export function eventTypeOf({ body }: Pick<HistoryEntry, 'body'>): string {
  return JSON.parse(body).eventType
}

function notificationTable(hook: Hook, entries: readonly HistoryEntry[]): Html {
  return table<HistoryEntry>({
    caption: 'The last 30 days, the latest first',
    rows: entries,
    columns: [
      {
        name: 'Event',
        cell: entry =>
          html`<a href="${pathOfNotification(hook, entry.notificationId)}">${shortType(eventTypeOf(entry))}</a>`,
      },
      { name: 'Recorded', cell: ({ notificationId }) => moment(instantOfId(notificationId)) },
      { name: 'State', cell: statusBadge },
      { name: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
      { name: 'Next attempt', cell: ({ nextAttemptAt }) => (nextAttemptAt ? moment(nextAttemptAt) : 'None') },
    ],
  })
}

/** A page looks at so many at most: one without any may have further ones (docs/decisions/0012). */
function nothing({
  isFurther,
  isMore,
  status,
}: {
  readonly isFurther: boolean
  readonly isMore: boolean
  readonly status: DeliveryStatus | undefined
}): Html {
  if (isMore) return emptyState('None among these', 'There may be some further on.')
  if (isFurther || status !== undefined) return emptyState('None here', 'There are none like this, or not that many.')
  return emptyState('Nothing was sent yet', 'What happens from now on is listed here, and a test too.')
}
