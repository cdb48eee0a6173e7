import { Type } from 'typebox'
import { BODY_EVENT_TYPES, TEST_EVENT_TYPE } from '../../core/event.ts'
import type { Hook } from '../../core/hook.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import { copyable, notice } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  choices,
  confirmation,
  form,
  linkButton,
  type Problems,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { rotateSecret } from '../../webhooks/hooks/rotate-secret.ts'
import { deleteHook } from '../../webhooks/notifications/register-hook.ts'
import { testHook } from '../../webhooks/notifications/test-hook.ts'
import { changeHook } from '../../webhooks/redeliveries/change-hook.ts'
import { problemWords } from '../problem-words.ts'
import { pathOfNotification } from './deliveries.ts'
import { aboveOf, framed, HookParams, hookPage, pathOfHook, type ShownHook } from './hook-page.ts'
import { pathAfter } from './pages.ts'
import { EVENT_GROUPS, eventChoices, shortUrl } from './words.ts'

interface Entered {
  readonly deliveryUrl: string
  readonly eventTypes: readonly string[]
}

/** Changes the URL and the events of an endpoint. */
export function editPages(ports: Parameters<typeof changeHook>[0]): AnyPage[] {
  const definition = { path: `${WEBHOOKS_PATH}/:hookId/edit`, params: HookParams, operation: 'hooks.manage' } as const
  return [
    hookPage({
      ...{ ...definition, method: 'GET', name: 'editHook' },
      handle: async (call, shown) => editForm(call, shown, shown.hook),
    }),
    hookPage({
      ...{ ...definition, method: 'POST', name: 'sendHook' },
      form: Type.Object({
        deliveryUrl: Text(2_048, 0),
        eventTypes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 })),
      }),
      async handle(call, shown) {
        const entered = { deliveryUrl: call.form.deliveryUrl.trim(), eventTypes: call.form.eventTypes ?? [] }
        if (entered.eventTypes.length === 0) {
          return editForm(call, shown, entered, { eventTypes: 'Choose at least one event.' })
        }
        const changed = await changeHook({ ...ports, db: call.db }, shown.hook, entered)
        if (!isRejection(changed)) return redirect(pathAfter(shown.hook, 'edited'))
        const problems = problemsOf(changed)
        return problems === undefined ? changed : editForm(call, shown, entered, problems)
      },
    }),
  ]
}

function problemsOf(rejection: Rejection): Problems | undefined {
  if (rejection.rejected === 'HOOK_EXISTS') return { deliveryUrl: 'Another endpoint has this URL and these events.' }
  const path = rejection.fields?.[0]?.path
  if (path === undefined) return undefined
  return path.startsWith('eventTypes')
    ? { eventTypes: problemWords(rejection, 'The list of events') }
    : { deliveryUrl: problemWords(rejection, 'The URL') }
}

function editForm(
  call: PageCall,
  { hook, appName }: ShownHook,
  { deliveryUrl, eventTypes }: Entered,
  problems: Problems = {},
): PageAnswer {
  const main = html`${pageHead({
    title: 'Edit the endpoint',
    above: aboveOf(hook),
    lead: `Endpoint of ${appName}`,
  })}
${form({
  csrf: call.csrf,
  action: `${pathOfHook(hook)}/edit`,
  problems,
  body: html`${textField({ name: 'deliveryUrl', label: 'URL', type: 'url', hint: 'Queued deliveries go to the new URL, too. The secret stays.', maxlength: 2_048, autocomplete: 'off', value: deliveryUrl, problem: problems.deliveryUrl })}
${eventChoices(eventTypes, problems.eventTypes)}
${buttons(button('Save', { kind: 'primary' }), linkButton('Go back', pathOfHook(hook)))}`,
})}`
  return framed(call, { title: 'Edit an endpoint', main, width: 'narrow', problems })
}

/** Asks for confirmation, then deletes an endpoint. */
export function deletePages(ports: Parameters<typeof deleteHook>[0]): AnyPage[] {
  const definition = { path: `${WEBHOOKS_PATH}/:hookId/delete`, params: HookParams, operation: 'hooks.manage' } as const
  return [
    hookPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeDeletingHook' },
      async handle(call, { hook, appName }) {
        const main = confirmation(call, {
          title: 'Delete this endpoint?',
          words: html`<p class="lead">${shortUrl(hook.deliveryUrl)} of ${appName}</p>
<ul>
<li>Nothing is sent to it any more. Queued deliveries end unsent.</li>
<li>A deleted endpoint cannot be restored.</li>
</ul>`,
          verb: 'Delete the endpoint',
          isDangerous: true,
          backHref: pathOfHook(hook),
        })
        return framed(call, { title: 'Delete an endpoint', main, width: 'narrow' })
      },
    }),
    hookPage({
      ...{ ...definition, method: 'POST', name: 'deleteOwnHook' },
      async handle(call, { hook }) {
        const rejected = await deleteHook({ ...ports, db: call.db }, hook.hookId)
        return rejected ?? redirect(addressOf(WEBHOOKS_PATH, { done: 'deleted' }))
      },
    }),
  ]
}

const secretPath = `${WEBHOOKS_PATH}/:hookId/secret`

/** Replaces the secret of an endpoint and shows the new one once. */
export function rotatePages(ports: Parameters<typeof rotateSecret>[0]): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path: secretPath, params: HookParams, name: 'askBeforeRotating', operation: 'hooks.manage' },
      async handle(call, { hook, appName }) {
        const main = confirmation(call, {
          title: 'Replace the secret?',
          words: html`<p class="lead">${shortUrl(hook.deliveryUrl)} of ${appName}</p>
<ul>
<li>The new secret signs from the next delivery on. This page shows it once.</li>
<li>For 24 hours <code>webhook-signature</code> also holds the signature of the current secret, so that your listener can change over.</li>
<li><code>Service-Webhook-Signature</code> has room for one signature and changes at once.</li>
</ul>`,
          verb: 'Replace the secret',
          backHref: pathOfHook(hook),
        })
        return framed(call, { title: 'Replace the secret', main, width: 'narrow' })
      },
    }),
    hookPage({
      ...{ method: 'POST', path: secretPath, params: HookParams, name: 'rotateOwnSecret', operation: 'hooks.manage' },
      async handle(call, { hook }) {
        const rotated = await rotateSecret({ ...ports, db: call.db }, hook.hookId)
        if (isRejection(rotated)) return rotated
        const main = html`<h1>The secret is replaced</h1>
${notice('warn', 'Copy the secret now', 'This page shows the secret once. Your listener needs the secret to verify webhooks.')}
${copyable('secret', rotated.secret, 'the secret')}
<p>Deliveries also carry the signature of the secret before it until ${moment(rotated.previousUntil)}.</p>
${buttons(linkButton('Back to the endpoint', pathOfHook(hook), { kind: 'primary' }))}`
        return framed(call, { title: 'New secret', main, width: 'narrow' })
      },
    }),
  ]
}

const pathOff = `${WEBHOOKS_PATH}/:hookId/off`

/** Asks for confirmation, then stops deliveries to the hook. */
export function switchOffPages(ports: Parameters<typeof changeHook>[0]): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path: pathOff, params: HookParams, name: 'askBeforeSwitchingOff', operation: 'hooks.manage' },
      async handle(call, { hook, appName }) {
        if (!hook.active) return redirect(pathOfHook(hook))
        const main = confirmation(call, {
          title: 'Switch this endpoint off?',
          words: html`<p class="lead">${shortUrl(hook.deliveryUrl)} of ${appName}</p>
<ul>
<li>Nothing is sent to it any more. Queued deliveries resume when the endpoint is enabled within 72 hours.</li>
<li>Events that occur while the endpoint is off are not recorded and cannot be sent later.</li>
</ul>`,
          verb: 'Switch off',
          isDangerous: true,
          backHref: pathOfHook(hook),
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

const testPath = `${WEBHOOKS_PATH}/:hookId/test`

/** Sends a TEST, or a sample of any event, and shows the answer. Each click sends. */
export function testPages(ports: Parameters<typeof testHook>[0]): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path: testPath, params: HookParams, name: 'askWhatToTest', operation: 'hooks.manage' },
      async handle(call, { hook, appName }) {
        const main = html`${pageHead({
          title: 'Send a test',
          above: aboveOf(hook),
          lead: `Endpoint of ${appName}`,
        })}
<p>The test is signed like every delivery and sent at once, also to an endpoint that is switched off. A sample has invented IDs, so its links lead nowhere.</p>
${form({
  csrf: call.csrf,
  action: `${pathOfHook(hook)}/test`,
  body: html`<div class="field"><label class="label" for="eventType">Event</label>
<select class="input" name="eventType" id="eventType">
<option value="${TEST_EVENT_TYPE}">TEST</option>
${EVENT_GROUPS.map(
  ({ name, types }) =>
    html`<optgroup label="${name}">${types.map(type => html`<option value="${type}">${type}</option>`)}</optgroup>`,
)}</select></div>
${buttons(button('Send the test', { kind: 'primary' }), linkButton('Go back', pathOfHook(hook)))}`,
})}`
        return framed(call, { title: 'Send a test', main, width: 'narrow' })
      },
    }),
    hookPage({
      ...{ method: 'POST', path: testPath, params: HookParams, name: 'testOwnHook', operation: 'hooks.manage' },
      form: Type.Object({ eventType: Type.Optional(Type.Enum([...BODY_EVENT_TYPES])) }),
      audited: false,
      async handle(call, { hook }) {
        const attempt = await testHook({ ...ports, db: call.db }, hook, call.form.eventType)
        return isRejection(attempt) ? attempt : redirect(pathOfNotification(hook, attempt.notificationId))
      },
    }),
  ]
}
