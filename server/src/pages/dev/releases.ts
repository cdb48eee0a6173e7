import { type Static, Type } from 'typebox'
import { findApp } from '../../catalog/apps/store.ts'
import { pageOfReleases } from '../../catalog/releases/list.ts'
import { submitRelease } from '../../catalog/releases/submit.ts'
import type { App } from '../../core/app.ts'
import { minorUnits } from '../../core/money.ts'
import { INTERVALS, SCOPES } from '../../core/plan.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import {
  button,
  buttons,
  form,
  linkButton,
  type Problems,
  selectField,
  textField,
} from '../../platform/web/components/form.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { AppParams, pathOf } from './apps.ts'
import { devPage, framed } from './dev-page.ts'

const INTERVAL_WORDS = { DAY: 'Every day', WEEK: 'Every week', MONTH: 'Every month', YEAR: 'Every year' } as const
const SCOPE_WORDS = { BUSINESS: 'Per business', STORE: 'Per store', DEVICE: 'Per terminal' } as const
const CANCEL_WORDS = { BILLING: 'At the end of the paid period', IMMEDIATE: 'At once' } as const

/** A field as typed. */
const Typed = Text(255, 0)
const Release = Type.Object({
  ...{ version: Typed, name: Typed, price: Typed, country: Typed, currency: Typed, trial: Typed },
  interval: Type.Enum([...INTERVALS]),
  scope: Type.Enum([...SCOPES]),
  cancelPolicy: Type.Enum(['BILLING', 'IMMEDIATE']),
})
type Entered = Static<typeof Release>

const EMPTY: Entered = {
  ...{ version: '', name: '', price: '', country: 'US', currency: 'USD', trial: '0' },
  ...{ interval: 'MONTH', scope: 'BUSINESS', cancelPolicy: 'BILLING' },
}

/** A new release with one plan. A release with a package or with more plans is submitted by the API. */
export function releasePages(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>): AnyPage[] {
  const definition = {
    path: `${DEVELOPER_PATHS.apps}/:appId/release`,
    params: AppParams,
    operation: 'apps.manage',
  } as const
  return [
    devPage({
      ...{ ...definition, method: 'GET', name: 'showNewRelease' },
      async handle(call) {
        const app = await findApp(call.db.sql, call.params.appId.toLowerCase())
        return app === null ? noApp() : releaseForm(call, app, EMPTY)
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', name: 'sendNewRelease', form: Release },
      async handle(call) {
        const app = await findApp(call.db.sql, call.params.appId.toLowerCase())
        if (app === null) return noApp()
        const { appId } = app
        const entered = call.form
        const version = entered.version.trim()
        const value = minorUnits(entered.price.trim(), entered.currency.trim().toUpperCase())
        const { releases } = await pageOfReleases({ db: call.db }, { appId, page: { count: 1_000 } })
        const waits = releases.some(one => one.version === version && one.status === 'SUBMITTED')
        const problems: Problems = {
          ...(version === '' && { version: 'Enter the version, such as 1.0.' }),
          ...(waits && { version: `Version ${version} already waits for review.` }),
          ...(entered.name.trim() === '' && { name: 'Enter the name of the plan.' }),
          ...(value === null && { price: 'Enter an amount such as 5.00, in a known currency.' }),
          ...(!/^\d{1,3}$/.test(entered.trial) && { trial: 'Enter a number of days; 0 is no trial.' }),
        }
        if (Object.keys(problems).length > 0 || value === null) return releaseForm(call, app, entered, problems)
        const { interval, scope, cancelPolicy } = entered
        const amount = {
          country: entered.country.trim().toUpperCase(),
          currency: entered.currency.trim().toUpperCase(),
          value,
        }
        const trialPeriodDays = Number(entered.trial)
        const plan = { name: entered.name.trim(), interval, scope, cancelPolicy, trialPeriodDays, amounts: [amount] }
        const made = await submitRelease({ ...ports, db: call.db }, { appId, version, plans: [plan] })
        if (isRejection(made)) return releaseForm(call, app, entered, { [fieldOf(made)]: made.developerMessage })
        return redirect(addressOf(pathOf(app), { done: 'submitted' }))
      },
    }),
  ]
}

const noApp = () => reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')

/** The field of the form to which a rejection of the plan belongs. */
function fieldOf({ fields = [] }: { readonly fields?: readonly { readonly path: string }[] }): string {
  const path = fields[0]?.path ?? ''
  if (path.endsWith('country')) return 'country'
  if (path.endsWith('currency')) return 'currency'
  if (path.endsWith('value')) return 'price'
  return path.endsWith('trialPeriodDays') ? 'trial' : 'version'
}

function releaseForm(call: PageCall<unknown, unknown, unknown>, app: App, entered: Entered, problems: Problems = {}) {
  const text = (name: keyof Entered, label: string, hint?: string) =>
    textField({
      name,
      label,
      ...(hint !== undefined && { hint }),
      maxlength: 255,
      autocomplete: 'off',
      value: entered[name],
      problem: problems[name],
    })
  const select = (
    name: 'interval' | 'scope' | 'cancelPolicy',
    label: string,
    words: Readonly<Record<string, string>>,
  ) =>
    selectField({
      name,
      label,
      value: entered[name],
      options: Object.entries(words).map(([value, text]) => ({ value, text })),
    })
  const main = html`<h1>New release of ${app.name}</h1>
<p>A release with one plan. Send a release with its package or with more plans by the API: <a href="/docs#submitRelease">submitRelease</a>. The operator
reviews each release; a price never changes afterwards.</p>
${form({
  csrf: call.csrf,
  action: `${pathOf(app)}/release`,
  problems,
  body: html`${text('version', 'Version')}
${text('name', 'Name of the plan', 'Merchants see this name.')}
${text('price', 'Price', 'Such as 5.00. 0 is a free plan.')}
${text('currency', 'Currency', 'Three letters, such as USD.')}
${text('country', 'Country', 'Two letters, such as US. Merchants of this country can buy the plan.')}
${select('interval', 'Billed', INTERVAL_WORDS)}
${select('scope', 'Sold', SCOPE_WORDS)}
${text('trial', 'Trial, in days')}
${select('cancelPolicy', 'A cancellation takes effect', CANCEL_WORDS)}
${buttons(button('Submit for review', { kind: 'primary' }), linkButton('Go back', pathOf(app)))}`,
})}`
  const status = Object.keys(problems).length > 0 ? 400 : 200
  return framed(call, { title: 'New release', part: 'apps', main, width: 'narrow' }, { status })
}
