import { Type } from 'typebox'
import { pageOfBusinesses } from '../../access/business-lists/list.ts'
import { findApp } from '../../catalog/apps/store.ts'
import type { App } from '../../core/app.ts'
import { EVENT_TYPES } from '../../core/event.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { Db } from '../../platform/db/db.ts'
import type { AnyPage, PageCall } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import { copyable, notice } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import type { PostedAttempt } from '../../webhooks/deliveries/attempt.ts'
import { newHookSecret } from '../../webhooks/hooks/rotate-secret.ts'
import { registerHook } from '../../webhooks/notifications/register-hook.ts'
import type { HookTests } from '../../webhooks/notifications/test-hook.ts'
import { tryUrl } from '../../webhooks/notifications/test-hook.ts'
import { problemWords } from '../problem-words.ts'
import { verifyCode } from '../snippets.ts'
import { attemptBadge, eventChoices, hintOf } from '../webhooks/words.ts'
import { AppParams, pathOf } from './apps.ts'
import { devPage, framed } from './dev-page.ts'

const DEFAULT_TYPES = EVENT_TYPES.filter(type => /_(START|END|PAYMENT_SUCCESS|PAYMENT_FAIL)$/.test(type))

interface Entered {
  readonly deliveryUrl: string
  readonly eventTypes: readonly string[]
  /** A name or id, as entered. Empty: all merchants. */
  readonly merchant: string
}

/** A new endpoint with a generated secret, which appears once. */
export function endpointPages(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings' | 'dispatch' | 'post'> & HookTests,
): AnyPage[] {
  const definition = {
    path: `${DEVELOPER_PATHS.apps}/:appId/endpoint`,
    params: AppParams,
    operation: 'hooks.manage',
  } as const
  return [
    devPage({
      ...{ ...definition, method: 'GET', name: 'showNewEndpoint' },
      async handle(call) {
        const app = await findApp(call.db.sql, call.params.appId)
        return app === null
          ? noApp()
          : endpointForm(call, app, { deliveryUrl: 'https://', eventTypes: DEFAULT_TYPES, merchant: '' })
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', name: 'sendNewEndpoint' },
      form: Type.Object({
        deliveryUrl: Text(2_048, 0),
        eventTypes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 })),
        merchant: Type.Optional(Text(200, 0)),
        do: Type.Optional(Text(10, 0)),
      }),
      async handle(call, { organizationId }) {
        const app = await findApp(call.db.sql, call.params.appId)
        if (app === null) return noApp()
        const { appId } = app
        const { deliveryUrl, eventTypes = [], merchant = '' } = call.form
        const entered = { deliveryUrl: deliveryUrl.trim(), eventTypes, merchant: merchant.trim() }
        if (call.form.do === 'check') {
          const checked = await tryUrl(ports, { appId, organizationId, deliveryUrl: entered.deliveryUrl })
          if (!isRejection(checked)) return endpointForm(call, app, entered, {}, checkedNotice(checked))
          return endpointForm(call, app, entered, { deliveryUrl: problemWords(checked, 'The URL') })
        }
        if (entered.eventTypes.length === 0) {
          return endpointForm(call, app, entered, { eventTypes: 'Choose at least one event.' })
        }
        const found = entered.merchant === '' ? {} : await findMerchant(call.db, organizationId, entered.merchant)
        if (typeof found === 'string') return endpointForm(call, app, entered, { merchant: found })
        const secret = newHookSecret()
        const wanted = { ...found, appId, deliveryUrl: entered.deliveryUrl, eventTypes, secret }
        const made = await registerHook({ ...ports, db: call.db }, wanted)
        if (isRejection(made)) {
          const field = made.fields?.[0]?.path.startsWith('eventTypes') ? 'eventTypes' : 'deliveryUrl'
          return endpointForm(call, app, entered, {
            [field]: problemWords(made, field === 'deliveryUrl' ? 'The URL' : 'The list of events'),
          })
        }
        const main = html`<h1>${made.isNew ? 'Endpoint added' : 'Endpoint renewed'}</h1>
${notice('warn', 'Copy the secret now', 'This page shows the secret once. Your listener needs the secret to verify webhooks.')}
${copyable('secret', secret, 'the secret')}
<section class="section"><h2>Verify a webhook</h2>
<p>Your listener answers 200 after this check. <a href="/guides/webhooks">Verifying webhooks</a> has more, also with the SDKs.</p>
${verifyCode()}</section>
${buttons(linkButton('Open the endpoint', `${WEBHOOKS_PATH}/${made.hook.hookId}`, { kind: 'primary' }), linkButton(`Go to ${app.name}`, pathOf(app)))}`
        return framed(call, { title: 'Endpoint added', part: 'apps', main })
      },
    }),
  ]
}

/** The one merchant with this name or id among those that the organization may read, or the problem in words. */
async function findMerchant(db: Db, organizationId: string, q: string): Promise<{ businessId: string } | string> {
  const found = await pageOfBusinesses({ db }, { organizationId, q }, { limit: 2 })
  const [first, second] = isRejection(found) ? [] : found.items
  if (first === undefined) return 'None of your merchants has this name or ID.'
  return second === undefined ? first : 'Several merchants have this name. Enter the ID.'
}

const noApp = () => reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')

/** The result of a delivery to the URL. */
function checkedNotice(attempt: PostedAttempt): Html {
  const { httpStatus, durationMs, acknowledged } = attempt
  if (acknowledged) return notice('good', 'The URL works', `It answered 200 within ${durationMs} ms.`)
  if (httpStatus === undefined)
    return notice('bad', 'The URL does not work', html`${attemptBadge(attempt)}. ${hintOf(attempt)}`)
  const words = `It answered ${httpStatus} within ${durationMs} ms. A listener that verifies signatures answers 200 only when it has the secret of the endpoint.`
  return notice('warn', 'The URL can be reached', words)
}

function endpointForm(call: PageCall, app: App, entered: Entered, problems: Problems = {}, checked?: Html) {
  const main = html`${pageHead({
    title: 'New endpoint',
    above: [
      { href: DEVELOPER_PATHS.apps, text: 'Apps' },
      { href: pathOf(app), text: app.name },
    ],
  })}
${checked}
<p>Tillhook posts each event to this address until it answers 200. The secret is generated for you.</p>
${form({
  csrf: call.csrf,
  action: `${pathOf(app)}/endpoint`,
  problems,
  body: html`<div class="section">${textField({ name: 'deliveryUrl', label: 'URL', type: 'url', maxlength: 2_048, autocomplete: 'off', value: entered.deliveryUrl, problem: problems.deliveryUrl })}
<button type="submit" hidden></button>
${buttons(button('Check the URL', { name: 'do', value: 'check', size: 'small' }))}</div>
${eventChoices(entered.eventTypes, problems.eventTypes)}
${textField({ name: 'merchant', label: 'Merchant', hint: 'Name or ID. Leave this empty for all merchants of the app.', isOptional: true, maxlength: 200, autocomplete: 'off', value: entered.merchant, problem: problems.merchant })}
${buttons(button('Add the endpoint', { kind: 'primary' }), linkButton('Go back', pathOf(app)))}`,
})}`
  return framed(call, { title: 'New endpoint', part: 'apps', main, width: 'narrow', problems })
}
