import { Type } from 'typebox'
import type { Hook } from '../../core/hook.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { button, buttons, choices, confirmation, form, linkButton } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { changeHook } from '../../webhooks/redeliveries/change-hook.ts'
import { framed, HookParams, hookPage, pathOfHook } from './hook-page.ts'
import { pathAfter } from './pages.ts'
import { shortUrl } from './words.ts'

const pathOff = `${WEBHOOKS_PATH}/:hookId/off`

/** Asks for confirmation, then stops deliveries to the hook. */
export function switchOffPages(ports: Parameters<typeof changeHook>[0]): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path: pathOff, params: HookParams, name: 'askBeforeSwitchingOff', operation: 'hooks.manage' },
      async handle(call, { hook, appName }) {
        if (!hook.active) return redirect(pathOfHook(hook))
        const main = confirmation({
          title: 'Switch this endpoint off?',
          words: html`<p class="lead">${shortUrl(hook.deliveryUrl)} of ${appName}</p>
<ul>
<li>Nothing is sent to it any more. Queued deliveries resume when the endpoint is enabled within 72 hours.</li>
<li>Events that occur while the endpoint is off are not recorded and cannot be sent later.</li>
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
      ...{ method: 'POST', path: pathOff, params: HookParams, name: 'switchHookOff', operation: 'hooks.manage' },
      async handle(call, { hook }) {
        const changed = await changeHook({ ...ports, db: call.db }, hook, { active: false })
        return isRejection(changed) ? changed : redirect(pathAfter(hook, 'off'))
      },
    }),
  ]
}

const pathOn = `${WEBHOOKS_PATH}/:hookId/on`

/** Asks whether to resend undelivered events, then enables the hook. */
export function switchOnPages(ports: Parameters<typeof changeHook>[0]): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path: pathOn, params: HookParams, name: 'askBeforeSwitchingOn', operation: 'hooks.manage' },
      async handle(call, { hook, appName }) {
        if (hook.active) return redirect(pathOfHook(hook))
        const main = html`<h1>Switch this endpoint on</h1>
<p class="lead">${shortUrl(hook.deliveryUrl)} of ${appName}</p>
${form({
  csrf: call.csrf,
  body: html`${choices({ name: 'missed', legend: 'Missed events', value: 'SEND', options: optionsOf(hook) })}
${buttons(button('Switch on', { kind: 'primary' }), linkButton('Go back', pathOfHook(hook)))}`,
})}`
        return framed(call, { title: 'Switch a webhook on', main, width: 'narrow' })
      },
    }),
    hookPage({
      ...{ method: 'POST', path: pathOn, params: HookParams, name: 'switchHookOn', operation: 'hooks.manage' },
      form: Type.Object({ missed: Type.Enum(['SEND', 'LEAVE']) }),
      async handle(call, { hook }) {
        const change = { active: true, resendMissed: call.form.missed === 'SEND' }
        // For an enabled hook, everything unacknowledged would count as undelivered.
        const changed = await changeHook({ ...ports, db: call.db }, hook, change, { onlyWhereOff: true })
        if (isRejection(changed)) return changed
        return redirect(pathAfter(hook, changed.redeliveryId === undefined ? 'on' : 'resent'))
      },
    }),
  ]
}

/** Decisions 7: "re-enabling resends what was missed if asked to". */
function optionsOf({ disabledReason }: Hook) {
  const leave =
    disabledReason === undefined
      ? 'Only queued deliveries are sent.'
      : 'Queued deliveries end unsent. Each can be sent again for 30 days.'
  const send =
    'Failed deliveries are sent again, oldest first, starting 72 hours before the endpoint began to fail or was switched off.'
  return [
    { value: 'SEND', text: 'Resend them', detail: send },
    { value: 'LEAVE', text: 'Skip them', detail: leave },
  ]
}
