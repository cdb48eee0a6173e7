import { Type } from 'typebox'
import { findApp } from '../../catalog/apps/store.ts'
import { updateApp } from '../../catalog/apps/update.ts'
import { retire } from '../../catalog/plans/retire.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import type { App } from '../../core/app.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { isLine, Text, Uuid } from '../../platform/http/wire.ts'
import {
  button,
  buttons,
  confirmation,
  fileField,
  form,
  type Problems,
  textArea,
  textField,
} from '../../platform/web/components/form.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { problemWords } from '../problem-words.ts'
import { appHead, noApp, pathAfter } from './app-page.ts'
import { AppParams, pathOf } from './apps.ts'
import { devPage, framed, type Own } from './dev-page.ts'

type SettingsPorts = Pick<Ports, 'db' | 'clock' | 'settings'>
type Call = PageCall<{ readonly appId: string }>

const path = `${DEVELOPER_PATHS.apps}/:appId/settings`
const definition = { params: AppParams, operation: 'apps.manage' } as const
const planParams = Type.Object({ ...AppParams.properties, planId: Uuid })
const RETIRE_PATH = `${DEVELOPER_PATHS.apps}/:appId/plans/:planId/retire`

/** The name, callbacks and icon of an app, starting and stopping its sale, and retiring a plan. */
export function appSettingsPages(ports: SettingsPorts): AnyPage[] {
  return [
    devPage({
      ...{ ...definition, method: 'GET', path, name: 'showAppSettings' },
      async handle(call, own) {
        const app = await findApp(call.db.sql, call.params.appId)
        if (app === null) return noApp()
        return settingsForm(call, own, app, { name: app.name, callbackUrls: app.callbackUrls.join('\n') })
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', path, name: 'saveAppSettings' },
      form: Type.Object({ name: Text(255, 0), callbackUrls: Text(20_000, 0) }),
      file: 'icon',
      async handle(call, own) {
        const app = await findApp(call.db.sql, call.params.appId)
        if (app === null) return noApp()
        const name = call.form.name.trim()
        const entered = { name, callbackUrls: call.form.callbackUrls }
        if (name === '' || !isLine(name))
          return settingsForm(call, own, app, entered, { name: 'Enter the name that merchants see.' })
        const callbackUrls = entered.callbackUrls.split(/\s+/).filter(url => url !== '')
        const change = { appId: app.appId, name, callbackUrls, by: 'DEVELOPER' as const }
        const saved = await updateApp({ ...ports, db: call.db }, { ...change, ...(call.file && { icon: call.file }) })
        if (!isRejection(saved)) return redirect(pathAfter(app, 'saved'))
        const [field] = saved.fields ?? []
        const at = field?.path.startsWith('icon') ? 'icon' : 'callbackUrls'
        return settingsForm(call, own, app, entered, {
          [at]: problemWords(saved, at === 'icon' ? 'The icon' : 'A callback URL'),
        })
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', path: `${path}/sell`, name: 'switchSales' },
      form: Type.Object({ status: Type.Enum(['ACTIVE', 'DISABLED']) }),
      async handle(call) {
        const appId = call.params.appId
        const { status } = call.form
        const changed = await updateApp({ ...ports, db: call.db }, { appId, status, by: 'DEVELOPER' })
        if (isRejection(changed)) return changed
        return redirect(pathAfter({ appId }, status === 'ACTIVE' ? 'enabled' : 'disabled'))
      },
    }),
    devPage({
      ...{ ...definition, params: planParams, method: 'GET', path: RETIRE_PATH, name: 'askBeforeRetiring' },
      async handle(call) {
        const { appId, planId } = call.params
        const plan = await findPlan(call.db.sql, planId)
        if (plan?.appId !== appId || plan.approvedAt === undefined) return noPlan()
        if (plan.retiredAt !== undefined) return redirect(`${pathOf(plan)}/plans`)
        const main = confirmation(call, {
          title: `Retire ${plan.name}?`,
          words: html`<ul><li>No merchant can subscribe to the plan any more.</li><li>Merchants who have the plan keep it at its price.</li><li>A retired plan stays retired.</li></ul>`,
          verb: 'Retire the plan',
          isDangerous: true,
          backHref: `${pathOf(plan)}/plans`,
        })
        return framed(call, { title: 'Retire a plan', part: 'apps', main, width: 'narrow' })
      },
    }),
    devPage({
      ...{ ...definition, params: planParams, method: 'POST', path: RETIRE_PATH, name: 'retireOwnPlan' },
      async handle(call) {
        const of = { appId: call.params.appId, planId: call.params.planId }
        const retired = await retire({ ...ports, db: call.db }, of)
        return isRejection(retired) ? retired : redirect(addressOf(`${pathOf(of)}/plans`, { done: 'retired' }))
      },
    }),
  ]
}

function noPlan(): Rejection {
  return reject('PLAN_NOT_FOUND', 'This app has no approved plan with this id.')
}

function settingsForm(
  call: Call,
  own: Own,
  app: App,
  entered: { readonly name: string; readonly callbackUrls: string },
  problems: Problems = {},
) {
  const at = `${pathOf(app)}/settings`
  const isActive = app.status === 'ACTIVE'
  const main = html`${appHead(app, own, 'settings')}
<div class="section">${form({
    csrf: call.csrf,
    action: at,
    problems,
    hasFile: true,
    body: html`${textField({ name: 'name', label: 'Name', hint: 'Merchants see this name.', maxlength: 255, autocomplete: 'off', value: entered.name, problem: problems.name })}
${textArea({ name: 'callbackUrls', label: 'Callback URLs', hint: 'Merchants return to one of these URLs after they approve the app. One per line.', isOptional: true, value: entered.callbackUrls, problem: problems.callbackUrls })}
${fileField({ name: 'icon', label: 'Icon', hint: 'A square PNG, JPEG or WebP of up to 256 KiB. Leave this empty to keep the icon.', isOptional: true, accept: 'image/png,image/jpeg,image/webp', problem: problems.icon })}
${buttons(button('Save', { kind: 'primary' }))}`,
  })}</div>
<section class="section"><h2>Sales</h2>
<p>${isActive ? 'While an app is disabled its tokens do not work and no merchant can subscribe. Existing subscriptions continue and are billed.' : 'The app takes no new subscribers, and its tokens do not work.'}</p>
${form({ csrf: call.csrf, action: `${at}/sell`, hidden: { status: isActive ? 'DISABLED' : 'ACTIVE' }, body: button(isActive ? 'Disable the app' : 'Enable the app', isActive ? { kind: 'danger' } : {}) })}</section>`
  return framed(call, { title: `Settings of ${app.name}`, part: 'apps', main, problems })
}
