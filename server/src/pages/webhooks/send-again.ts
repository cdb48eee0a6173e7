import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { notice } from '../../platform/web/components/notice.ts'
import { redeliverOne } from '../../webhooks/redeliveries/redeliver-one.ts'
import { findNotification } from './find-notification.ts'
import { hookPage, NotificationParams } from './hook-page.ts'
import { pathOfNotification } from './notification-list.ts'
import { NOTIFICATION_PATH, showNotification } from './show-notification.ts'

/** Sends a notification again. Pressed twice, it is queued once. */
export function sendAgainPage(ports: Parameters<typeof redeliverOne>[0]): AnyPage {
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
      return showNotification(ports, call, shownHook, { said: notice('bad', 'It is not sent again', message), status })
    },
  })
}
