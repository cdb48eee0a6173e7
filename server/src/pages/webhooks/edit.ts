import { Type } from 'typebox'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import {
  button,
  buttons,
  confirmation,
  form,
  linkButton,
  type Problems,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { html } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { deleteHook } from '../../webhooks/notifications/register-hook.ts'
import { changeHook } from '../../webhooks/redeliveries/change-hook.ts'
import { problemWords } from '../problem-words.ts'
import { eventChoices } from './event-choices.ts'
import { aboveOf, framed, HookParams, hookPage, pathOfHook, type ShownHook } from './hook-page.ts'
import { pathAfter } from './pages.ts'
import { shortUrl } from './words.ts'

type Call = PageCall<unknown, unknown, unknown>

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
  call: Call,
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
        const main = confirmation({
          title: 'Delete this endpoint?',
          words: html`<p class="lead">${shortUrl(hook.deliveryUrl)} of ${appName}</p>
<ul>
<li>Nothing is sent to it any more. Queued deliveries end unsent.</li>
<li>A deleted endpoint cannot be restored.</li>
</ul>`,
          verb: 'Delete the endpoint',
          isDangerous: true,
          backHref: pathOfHook(hook),
          csrf: call.csrf,
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
