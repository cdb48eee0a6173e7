import { Type } from 'typebox'
import type { Hook } from '../../core/hook.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { button, buttons, linkButton } from '../../platform/web/components/button.ts'
import { choices } from '../../platform/web/components/choice.ts'
import { form } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { changeHook } from '../../webhooks/redeliveries/change-hook.ts'
import { framed, HookParams, hookPage, pathOfHook } from './hook-page.ts'
import { shortUrl } from './hook-words.ts'
import { pathAfter } from './show-hook.ts'

const path = `${WEBHOOKS_PATH}/:hookId/on`

/** Asks what is to become of what the hook has missed; then it listens again. */
export function switchOnPages(ports: Parameters<typeof changeHook>[0]): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path, params: HookParams, name: 'askBeforeSwitchingOn', operation: 'hooks.manage' },
      async handle(call, { hook, appName }) {
        if (hook.active) return redirect(pathOfHook(hook))
        const main = html`<h1>Switch this webhook on</h1>
<p class="lead">${shortUrl(hook.deliveryUrl)} of ${appName}</p>
${form({
  csrf: call.csrf,
  body: html`${choices({ name: 'missed', legend: 'What it has missed', value: 'SEND', options: optionsOf(hook) })}
${buttons(button('Switch on', { kind: 'primary' }), linkButton('Go back', pathOfHook(hook)))}`,
})}`
        return framed(call, { title: 'Switch a webhook on', main, width: 'narrow' })
      },
    }),
    hookPage({
      ...{ method: 'POST', path, params: HookParams, name: 'switchHookOn', operation: 'hooks.manage' },
      form: Type.Object({ missed: Type.Enum(['SEND', 'LEAVE']) }),
      async handle(call, { hook }) {
        const change = { active: true, resendMissed: call.form.missed === 'SEND' }
        // Of one that is on already, what it missed would be all that it ever did not acknowledge.
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
      ? 'Only what still waits is sent.'
      : 'What waits ends unsent. For 30 days each can be sent again by itself.'
  const send = 'What was given up is sent again, the oldest first: from 72 hours before it began to fail or was off.'
  return [
    { value: 'SEND', text: 'Send it', detail: send },
    { value: 'LEAVE', text: 'Leave it', detail: leave },
  ]
}
