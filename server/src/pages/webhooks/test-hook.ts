import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { testHook } from '../../webhooks/notifications/test-hook.ts'
import { HookParams, hookPage } from './hook-page.ts'
import { pathOfNotification } from './notification-list.ts'

/** Sends a test, and shows how it went. Each press is another one. */
export function testHookPage(ports: Parameters<typeof testHook>[0]): AnyPage {
  return hookPage({
    ...{ method: 'POST', path: `${WEBHOOKS_PATH}/:hookId/test`, name: 'testOwnHook', operation: 'hooks.manage' },
    params: HookParams,
    audited: false,
    async handle(call, { hook }) {
      const attempt = await testHook({ ...ports, db: call.db }, hook)
      return isRejection(attempt) ? attempt : redirect(pathOfNotification(hook, attempt.notificationId))
    },
  })
}
