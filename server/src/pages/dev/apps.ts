import { Type } from 'typebox'
import { addKey } from '../../catalog/apps/add-key.ts'
import { createApp } from '../../catalog/apps/create.ts'
import type { NewKey } from '../../catalog/apps/key-pair.ts'
import { pageOfApps } from '../../catalog/apps/list.ts'
import { type ActiveKey, findActiveKeys, findApp } from '../../catalog/apps/store.ts'
import { listPlans } from '../../catalog/plans/store.ts'
import { pageOfReleases } from '../../catalog/releases/list.ts'
import { type App, PACKAGE_NAME_PATTERN } from '../../core/app.ts'
import type { Plan } from '../../core/plan.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { Release } from '../../core/release.ts'
import { listPage } from '../../money/subscriptions/pages.ts'
import type { AnyPage, PageCall } from '../../platform/http/page.ts'
import { appUrn, Text, Uuid } from '../../platform/http/wire.ts'
import { copyable, emptyState, facts, notice } from '../../platform/web/components/content.ts'
import { confirmLink } from '../../platform/web/components/drawer.ts'
import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { addressOf, pager, table } from '../../platform/web/components/table.ts'
import { day, moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { press } from '../ops/ops-page.ts'
import { appBadge, planBadge, releaseBadge, termWords } from '../ops/words.ts'
import { devPage, framed } from './dev-page.ts'

const ON_A_PAGE = 25
const path = DEVELOPER_PATHS.apps
export const AppParams = Type.Object({ appId: Uuid })
export const pathOf = ({ appId }: Pick<App, 'appId'>) => `${path}/${appId}`
export const pathOfRelease = ({ appId, releaseId }: Pick<Release, 'appId' | 'releaseId'>) =>
  `${pathOf({ appId })}/releases/${releaseId}`

type AppPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>

/** The apps of the organization, a new one, and one with its plans, releases and keys. */
export function appPages(ports: AppPorts): AnyPage[] {
  return [listAppsPage(), ...newAppPages(ports), onePage(), keyPage(ports)]
}

function listAppsPage(): AnyPage {
  return devPage({
    ...{ method: 'GET', path, name: 'showOwnApps', operation: 'apps.read' },
    query: Type.Object({ after: Type.Optional(Uuid) }),
    async handle(call, { organizationId, may }) {
      const { after } = call.query
      const found = await pageOfApps({ db: call.db }, { organizationId }, { limit: ON_A_PAGE, ...(after && { after }) })
      if (isRejection(found)) return found
      const add = may('apps.manage') && linkButton('Create an app', `${path}/new`, { kind: 'primary' })
      const main = html`<h1>Apps</h1>
${add && buttons(add)}
${
  found.items.length === 0
    ? emptyState('No apps yet', 'An app has a package name, plans that merchants buy, and keys for your server.')
    : table<App>({
        caption: 'Apps, newest first',
        rows: found.items,
        columns: [
          { name: 'Name', cell: app => html`<a href="${pathOf(app)}">${app.name}</a>` },
          { name: 'Package name', cell: ({ packageName }) => html`<code>${packageName}</code>` },
          { name: 'State', cell: appBadge },
          { name: 'Created', cell: ({ createdAt }) => day(createdAt) },
        ],
      })
}
${pager('More apps', { first: after && path, next: found.next && addressOf(path, { after: found.next }) })}`
      return framed(call, { title: 'Apps', part: 'apps', main })
    },
  })
}

interface Entered {
  readonly name: string
  readonly packageName: string
}

function newAppPages(ports: AppPorts): AnyPage[] {
  const definition = { path: `${path}/new`, operation: 'apps.manage' } as const
  return [
    devPage({
      ...{ ...definition, method: 'GET', name: 'showNewApp' },
      handle: async call => newAppForm(call, { name: '', packageName: '' }),
    }),
    devPage({
      ...{ ...definition, method: 'POST', name: 'sendNewApp' },
      form: Type.Object({ name: Text(255, 0), packageName: Text(255, 0) }),
      async handle(call, { organizationId }) {
        const entered = { name: call.form.name.trim(), packageName: call.form.packageName.trim() }
        const problems: Problems = {
          ...(entered.name === '' && { name: 'Enter the name that merchants see.' }),
          ...(!isPackageName(entered.packageName) && {
            packageName: 'Enter a package name such as com.example.planner.',
          }),
        }
        if (Object.keys(problems).length > 0) return newAppForm(call, entered, problems)
        const made = await createApp({ ...ports, db: call.db }, { ...entered, organizationId })
        if (isRejection(made)) return newAppForm(call, entered, { packageName: made.developerMessage })
        return keyShown(call, { app: made.app, key: made.newKey, title: 'App created' })
      },
    }),
  ]
}

const PACKAGE_NAME = new RegExp(PACKAGE_NAME_PATTERN)
const isPackageName = (text: string) => text.length <= 255 && PACKAGE_NAME.test(text)

function newAppForm(call: PageCall<unknown, unknown, unknown>, entered: Entered, problems: Problems = {}) {
  const main = html`<h1>New app</h1>
<p>A package name belongs to one app forever. The app gets its first key pair at once.</p>
${form({
  csrf: call.csrf,
  action: `${path}/new`,
  problems,
  body: html`${textField({ name: 'name', label: 'Name', hint: 'Merchants see this name.', maxlength: 255, autocomplete: 'off', value: entered.name, problem: problems.name })}
${textField({ name: 'packageName', label: 'Package name', hint: 'The application id of the Android package.', isCode: true, maxlength: 255, autocomplete: 'off', value: entered.packageName, problem: problems.packageName })}
${buttons(button('Create the app', { kind: 'primary' }), linkButton('Go back', path))}`,
})}`
  const status = Object.keys(problems).length > 0 ? 400 : 200
  return framed(call, { title: 'New app', part: 'apps', main, width: 'narrow' }, { status })
}

function onePage(): AnyPage {
  return devPage({
    ...{ method: 'GET', path: `${path}/:appId`, params: AppParams, name: 'showOwnApp', operation: 'apps.read' },
    async handle(call, own) {
      const { sql } = call.db
      const app = await findApp(sql, call.params.appId.toLowerCase())
      if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
      const { appId } = app
      const active = await listPage({ db: call.db }, { appId, status: 'ACTIVE', count: 1 })
      if (isRejection(active)) return active
      const plans = await listPlans(sql, { appId, status: 'listed' })
      const { releases } = await pageOfReleases({ db: call.db }, { appId, page: { count: 1_000 } })
      const keys = await findActiveKeys(sql, appId)
      const at = pathOf(app)
      const main = html`<h1>${app.name} ${appBadge(app)}</h1>
<div class="section">${facts([
        ['App ID', html`<code>${appUrn(appId)}</code>`],
        ['Package name', html`<code>${app.packageName}</code>`],
        ['Subscriptions', html`<a href="${`${at}/subscriptions`}">${String(active.total)} active</a>`],
        ['Webhooks', html`<a href="${addressOf(WEBHOOKS_PATH, { app: appId })}">Endpoints of the app</a>`],
        ['Created', moment(app.createdAt)],
      ])}
${buttons(
  ...[
    own.may('apps.manage') && linkButton('New release', `${at}/release`, { kind: 'primary' }),
    own.may('hooks.manage') && linkButton('Add an endpoint', `${at}/endpoint`),
    own.may('apps.manage') && linkButton('Settings', `${at}/settings`),
  ].filter(one => one !== false),
)}</div>
${plans.length === 0 ? html`<h2>Plans</h2><p>No approved plans yet. Submit a release.</p>` : planTable(plans, own.may('apps.manage'))}
${releases.length === 0 ? html`<h2>Releases</h2><p>No releases yet.</p>` : releaseTable(releases.toReversed().slice(0, ON_A_PAGE))}
${keys.length === 0 ? html`<h2>Keys</h2><p>No active keys. Your server cannot get tokens.</p>` : keyTable(keys)}
${own.may('apps.manage') && press(`${at}/keys`, call.csrf, 'Create a key')}`
      return framed(call, { title: app.name, part: 'apps', main })
    },
  })
}

function planTable(plans: readonly Plan[], mayRetire: boolean): Html {
  return table<Plan>({
    caption: 'Plans',
    rows: plans,
    columns: [
      { name: 'Name', cell: ({ name }) => name },
      { name: 'Prices', cell: plan => termWords(plan, 'amounts') },
      { name: 'Billed', cell: plan => termWords(plan, 'interval') },
      { name: 'Trial', cell: plan => termWords(plan, 'trialPeriodDays') },
      { name: 'State', cell: planBadge },
      { name: 'ID', cell: ({ planId }) => html`<code>${planId}</code>` },
      ...(mayRetire
        ? [
            {
              name: 'Action',
              cell: ({ appId, planId, name, retiredAt }: Plan) =>
                retiredAt === undefined &&
                confirmLink('Retire', `${pathOf({ appId })}/plans/${planId}/retire`, { size: 'small', about: name }),
            },
          ]
        : []),
    ],
  })
}

function releaseTable(releases: readonly Release[]): Html {
  return table<Release>({
    caption: 'Releases, newest first',
    rows: releases,
    columns: [
      { name: 'Version', cell: release => html`<a href="${pathOfRelease(release)}">${release.version}</a>` },
      { name: 'Submitted', cell: ({ createdAt }) => moment(createdAt) },
      { name: 'State', cell: releaseBadge },
      { name: 'Reason', cell: ({ reason }) => reason },
    ],
  })
}

function keyTable(keys: readonly ActiveKey[]): Html {
  return table<ActiveKey>({
    caption: 'Active keys',
    rows: keys,
    columns: [
      { name: 'Key ID (kid)', cell: ({ kid }) => html`<code>${kid}</code>` },
      { name: 'Created', cell: ({ createdAt }) => moment(createdAt) },
    ],
  })
}

function keyPage(ports: AppPorts): AnyPage {
  return devPage({
    ...{
      method: 'POST',
      path: `${path}/:appId/keys`,
      params: AppParams,
      name: 'createAppKey',
      operation: 'apps.manage',
    },
    async handle(call) {
      const appId = call.params.appId.toLowerCase()
      const app = await findApp(call.db.sql, appId)
      if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
      const key = await addKey({ ...ports, db: call.db }, { appId })
      return isRejection(key) ? key : keyShown(call, { app, key, title: 'Key created' })
    },
  })
}

interface ShownKey {
  readonly app: App
  readonly key: Pick<NewKey, 'kid' | 'privateKey'>
  readonly title: string
}

/** The private key appears in this answer only. */
function keyShown(call: PageCall<unknown, unknown, unknown>, { app, key, title }: ShownKey) {
  const env = [`TILLHOOK_APP_ID=${appUrn(app.appId)}`, `TILLHOOK_KEY_ID=${key.kid}`].join('\n')
  const main = html`<h1>${title}</h1>
${notice('warn', 'Copy the private key now', 'This page shows the key once. Tillhook keeps the public key only.')}
<h2>Settings of your server</h2>
${copyable('env', env, 'the settings')}
<h2>Private key</h2>
${copyable('private-key', key.privateKey ?? '', 'the private key')}
<p>Your server signs a JWT with the private key and exchanges it for a token: <a href="/guides/api">Calling the API</a>.</p>
${buttons(linkButton(`Go to ${app.name}`, pathOf(app), { kind: 'primary' }))}`
  return framed(call, { title, part: 'apps', main })
}
