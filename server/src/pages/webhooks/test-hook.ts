import { Type } from 'typebox'
import { BODY_EVENT_TYPES, TEST_EVENT_TYPE } from '../../core/event.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { button, buttons, form, linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { html } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { testHook } from '../../webhooks/notifications/test-hook.ts'
import { pathOfNotification } from './deliveries.ts'
import { EVENT_GROUPS } from './event-choices.ts'
import { aboveOf, framed, HookParams, hookPage, pathOfHook } from './hook-page.ts'

const path = `${WEBHOOKS_PATH}/:hookId/test`

/** Sends a TEST, or a sample of any event, and shows the answer. Each click sends. */
export function testPages(ports: Parameters<typeof testHook>[0]): AnyPage[] {
  return [
    hookPage({
      ...{ method: 'GET', path, params: HookParams, name: 'askWhatToTest', operation: 'hooks.manage' },
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
      ...{ method: 'POST', path, params: HookParams, name: 'testOwnHook', operation: 'hooks.manage' },
      form: Type.Object({ eventType: Type.Optional(Type.Enum([...BODY_EVENT_TYPES])) }),
      audited: false,
      async handle(call, { hook }) {
        const attempt = await testHook({ ...ports, db: call.db }, hook, call.form.eventType)
        return isRejection(attempt) ? attempt : redirect(pathOfNotification(hook, attempt.notificationId))
      },
    }),
  ]
}
