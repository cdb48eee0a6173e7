import type { AnyPage } from '../../platform/http/page.ts'
import type { Ports } from '../../ports.ts'
import type { HookTests } from '../../webhooks/notifications/test-hook.ts'
import { listHooksPage } from './list-hooks.ts'
import { sendAgainPage } from './send-again.ts'
import { showHookPage } from './show-hook.ts'
import { showNotificationPage } from './show-notification.ts'
import { switchOffPages } from './switch-off.ts'
import { switchOnPages } from './switch-on.ts'
import { testHookPage } from './test-hook.ts'

/** What developers and operators see of webhooks, and do to them. */
export function webhookPages(ports: Ports & HookTests): AnyPage[] {
  return [
    listHooksPage(ports),
    showHookPage(ports),
    testHookPage(ports),
    ...switchOffPages(ports),
    ...switchOnPages(ports),
    showNotificationPage(ports),
    sendAgainPage(ports),
  ]
}
