import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { confirmation } from '../../platform/web/components/confirm.ts'
import { html } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { changeHook } from '../../webhooks/redeliveries/change-hook.ts'
import { framed, HookParams, hookPage, pathOfHook } from './hook-page.ts'
import { shortUrl } from './hook-words.ts'
import { pathAfter } from './show-hook.ts'

const path = `${WEBHOOKS_PATH}/:hookId/off`

/** Asks, saying what happens meanwhile; then nothing is sent to the hook any more. */
export function switchOffPages(ports: Parameters<typeof changeHook>[0]): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path, params: HookParams, name: 'askBeforeSwitchingOff', operation: 'hooks.manage' },
      async handle(call, { hook, appName }) {
        if (!hook.active) return redirect(pathOfHook(hook))
        const main = confirmation({
          title: 'Switch this webhook off?',
          words: html`<p class="lead">${shortUrl(hook.deliveryUrl)} of ${appName}</p>
<ul>
<li>Nothing is sent to it any more. What waits goes on when it is on again, if that is within 72 hours.</li>
<li>What happens while it is off is not recorded for it, and cannot be sent to it later.</li>
</ul>`,
          verb: 'Switch off',
          isDangerous: true,
          backHref: pathOfHook(hook),
          csrf: call.csrf,
        })
        return framed(call, { title: 'Switch a webhook off', main, width: 'narrow' })
      },
    }),
    hookPage({
      ...{ method: 'POST', path, params: HookParams, name: 'switchHookOff', operation: 'hooks.manage' },
      async handle(call, { hook }) {
        const changed = await changeHook({ ...ports, db: call.db }, hook, { active: false })
        return isRejection(changed) ? changed : redirect(pathAfter(hook, 'off'))
      },
    }),
  ]
}
