import { Type } from 'typebox'
import { revokeAppKey } from '../../access/tokens/revoke-app-key.ts'
import type { TokenMemory } from '../../access/tokens/token-memory.ts'
import { addKey } from '../../catalog/apps/add-key.ts'
import { type ActiveKey, findActiveKeys, findApp } from '../../catalog/apps/store.ts'
import { listPlans } from '../../catalog/plans/store.ts'
import { pageOfReleases } from '../../catalog/releases/list.ts'
import { type App, MAX_ACTIVE_KEYS } from '../../core/app.ts'
import type { Plan } from '../../core/plan.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Release } from '../../core/release.ts'
import { countSubscriptions } from '../../money/lists/summaries.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { appUrn, Text } from '../../platform/http/wire.ts'
import { emptyState, facts, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { confirmation, confirmLink, linkButton, press } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { relativeTime } from '../../platform/web/components/relative-time.ts'
import { stats } from '../../platform/web/components/stat.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { tabs } from '../../platform/web/components/tabs.ts'
import { day, moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { appBadge, planBadge, releaseBadge, TERM_COLUMNS } from '../ops/words.ts'
import { AppParams, keyShown, pathOf, pathOfRelease, subscriptionsOf } from './apps.ts'
import { devPage, framed, type Own } from './dev-page.ts'

const RELEASES_SHOWN = 25
const path = `${DEVELOPER_PATHS.apps}/:appId`
const read = { method: 'GET', params: AppParams, operation: 'apps.read' } as const

type TabName = 'overview' | 'plans' | 'releases' | 'keys' | 'settings'

/** An app: overview, plans and releases. Keys and settings are in separate files. */
export function appPage(): AnyPage[] {
  return [overviewPage(), plansPage(), releasesPage()]
}

/** The app's name with its tabs, above each of its pages. */
export function appHead(app: App, own: Own, current: TabName): Html {
  const at = pathOf(app)
  const hrefs: Readonly<Record<TabName, string>> = {
    overview: at,
    plans: `${at}/plans`,
    releases: `${at}/releases`,
    keys: `${at}/keys`,
    settings: `${at}/settings`,
  }
  const actions = own.may('apps.manage') && [
    linkButton('New release', `${at}/release`, { kind: 'primary' }),
    own.may('hooks.manage') && linkButton('Add an endpoint', `${at}/endpoint`),
  ]
  return html`${pageHead({
    title: app.name,
    above: [{ href: DEVELOPER_PATHS.apps, text: 'Apps' }],
    badge: appBadge(app),
    actions,
  })}
${tabs(
  'App',
  [
    { text: 'Overview', href: hrefs.overview },
    { text: 'Plans', href: hrefs.plans },
    { text: 'Releases', href: hrefs.releases },
    { text: 'Keys', href: hrefs.keys },
    ...(own.may('apps.manage') ? [{ text: 'Settings', href: hrefs.settings }] : []),
  ],
  hrefs[current],
)}`
}

export function noApp(): Rejection {
  return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
}

const DONE = {
  saved: 'App saved',
  enabled: 'App enabled',
  disabled: 'App disabled',
  discarded: 'Draft discarded',
} as const
type Done = keyof typeof DONE

/** The overview of the app, with the outcome of the last action. */
export function pathAfter(app: Pick<App, 'appId'>, done: Done): string {
  return addressOf(pathOf(app), { done })
}

function overviewPage(): AnyPage {
  return devPage({
    ...{ ...read, path, name: 'showOwnApp' },
    query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as Done[])) }),
    async handle(call, own) {
      const { sql } = call.db
      const app = await findApp(sql, call.params.appId)
      if (app === null) return noApp()
      const { appId } = app
      const { organizationId, merchantType } = own
      const { ACTIVE } = await countSubscriptions(sql, { organizationId, appId, merchantType })
      const plans = await listPlans(sql, { appId, status: 'ACTIVE' })
      const { releases } = await pageOfReleases({ db: call.db }, { appId, page: { count: 1_000 } })
      const keys = await findActiveKeys(sql, appId)
      const at = pathOf(app)
      const newest = releases.at(-1)
      const { done } = call.query
      const main = html`${appHead(app, own, 'overview')}
${done && toast(DONE[done])}
${stats([
  { label: 'Active subscriptions', value: ACTIVE.toLocaleString('en'), href: subscriptionsOf(app) },
  { label: 'Plans on sale', value: String(plans.length), href: `${at}/plans` },
  newest === undefined
    ? { label: 'Newest release', value: 'None', href: `${at}/releases` }
    : { label: `Newest release, ${newest.version}`, value: releaseBadge(newest), href: pathOfRelease(newest) },
  { label: 'Active keys', value: String(keys.length), href: `${at}/keys` },
])}
<div class="section">${facts([
        ['App ID', copyId('app-id', appUrn(appId), 'the app id')],
        ['Package name', copyId('package-name', app.packageName, 'the package name')],
        ['Webhooks', html`<a href="${addressOf(WEBHOOKS_PATH, { app: appId })}">Endpoints of the app</a>`],
        ['Created', moment(app.createdAt)],
      ])}</div>`
      return framed(call, { title: app.name, part: 'apps', main })
    },
  })
}

function plansPage(): AnyPage {
  return devPage({
    ...{ ...read, path: `${path}/plans`, name: 'showOwnPlans' },
    query: Type.Object({ done: Type.Optional(Type.Literal('retired')) }),
    async handle(call, own) {
      const app = await findApp(call.db.sql, call.params.appId)
      if (app === null) return noApp()
      const plans = await listPlans(call.db.sql, { appId: app.appId, status: 'listed' })
      const { done } = call.query
      const main = html`${appHead(app, own, 'plans')}
${done && toast('Plan retired')}
${plans.length === 0 ? emptyState('No approved plans yet', 'Plans are part of a release. Merchants can buy them after the approval.') : planTable(plans, own.may('apps.manage'))}`
      return framed(call, { title: `Plans of ${app.name}`, part: 'apps', main })
    },
  })
}

function planTable(plans: readonly Plan[], mayRetire: boolean): Html {
  return table<Plan>({
    caption: 'Plans',
    rows: plans,
    columns: [
      { name: 'Name', cell: ({ name }) => name },
      ...TERM_COLUMNS,
      { name: 'State', cell: planBadge },
      { name: 'ID', cell: ({ planId }) => html`<code>${planId}</code>` },
      mayRetire && {
        name: 'Action',
        cell: ({ appId, planId, name, retiredAt }) =>
          retiredAt === undefined &&
          confirmLink('Retire', `${pathOf({ appId })}/plans/${planId}/retire`, { size: 'small', about: name }),
      },
    ],
  })
}

function releasesPage(): AnyPage {
  return devPage({
    ...{ ...read, path: `${path}/releases`, name: 'showOwnReleases' },
    async handle(call, own) {
      const app = await findApp(call.db.sql, call.params.appId)
      if (app === null) return noApp()
      const { releases } = await pageOfReleases({ db: call.db }, { appId: app.appId, page: { count: 1_000 } })
      const main = html`${appHead(app, own, 'releases')}
${releases.length === 0 ? emptyState('No releases yet', 'A release is a package with the plans that merchants buy.') : releaseTable(releases.toReversed().slice(0, RELEASES_SHOWN))}`
      return framed(call, { title: `Releases of ${app.name}`, part: 'apps', main })
    },
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

type KeyPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'> & Pick<TokenMemory, 'revocations'>

const keysPath = `${DEVELOPER_PATHS.apps}/:appId/keys`
const KeyParams = Type.Object({ ...AppParams.properties, kid: Text(128) })
const pathOfKeys = (of: Pick<App, 'appId'>) => `${pathOf(of)}/keys`

/** The keys of an app: create and revoke. */
export function appKeyPages(ports: KeyPorts): AnyPage[] {
  return [keysPage(ports), newKeyPage(ports), ...revocationPages(ports)]
}

function keysPage({ clock }: KeyPorts): AnyPage {
  return devPage({
    ...{ method: 'GET', path: keysPath, params: AppParams, name: 'showOwnKeys', operation: 'apps.read' },
    query: Type.Object({ done: Type.Optional(Type.Literal('revoked')) }),
    async handle(call, own) {
      const app = await findApp(call.db.sql, call.params.appId)
      if (app === null) return noApp()
      const keys = await findActiveKeys(call.db.sql, app.appId)
      const mayManage = own.may('keys.manage')
      const main = html`${appHead(app, own, 'keys')}
<p>Your server signs assertions with a private key and exchanges them for access tokens: <a href="/guides/api">Calling the API</a>. To replace a key, create a new one, deploy it, and revoke the old one when it is no longer used. An app has at most ${String(MAX_ACTIVE_KEYS)} active keys.</p>
${call.query.done !== undefined && toast('Key revoked', 'Its tokens stop working within a second.')}
${keys.length === 0 ? emptyState('No active keys', 'Your server needs a key to get access tokens.') : keyTable(app, keys, { now: clock.now(), mayManage })}
${mayManage && keys.length < MAX_ACTIVE_KEYS && press(pathOfKeys(app), call.csrf, 'Create a key')}`
      return framed(call, { title: `Keys of ${app.name}`, part: 'apps', main })
    },
  })
}

function keyTable(
  app: App,
  keys: readonly ActiveKey[],
  { now, mayManage }: { readonly now: Date; readonly mayManage: boolean },
): Html {
  const revoke = ({ kid }: ActiveKey) =>
    confirmLink('Revoke', `${pathOfKeys(app)}/${encodeURIComponent(kid)}/revoke`, { size: 'small', about: kid })
  return table<ActiveKey>({
    caption: 'Active keys',
    rows: keys,
    sortable: 'keys',
    columns: [
      { name: 'Key ID (kid)', cell: ({ kid }) => html`<code>${kid}</code>` },
      { name: 'Created', cell: ({ createdAt }) => day(createdAt), sort: ({ createdAt }) => createdAt },
      { name: 'Last used', cell: key => lastUse(key, now), sort: ({ lastUsedAt }) => lastUsedAt ?? undefined },
      mayManage && { name: 'Action', cell: revoke },
    ],
  })
}

function lastUse({ lastUsedAt, lastUsedFrom }: ActiveKey, now: Date) {
  if (lastUsedAt === null) return 'Never'
  const from = lastUsedFrom !== null && html` <span class="fine">from <code>${lastUsedFrom}</code></span>`
  return html`<span class="stack"><span>${relativeTime(lastUsedAt, now)}</span>${from}</span>`
}

function newKeyPage(ports: KeyPorts): AnyPage {
  return devPage({
    ...{ method: 'POST', path: keysPath, params: AppParams, name: 'createAppKey', operation: 'keys.manage' },
    async handle(call) {
      const appId = call.params.appId
      const app = await findApp(call.db.sql, appId)
      if (app === null) return noApp()
      const key = await addKey({ ...ports, db: call.db }, { appId })
      return isRejection(key) ? key : keyShown(call, ports.settings, { app, key, title: 'Key created' })
    },
  })
}

function revocationPages(ports: KeyPorts): AnyPage[] {
  const definition = { path: `${keysPath}/:kid/revoke`, params: KeyParams, operation: 'keys.manage' } as const
  return [
    devPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeRevokingKey' },
      async handle(call) {
        const [appId, { kid }] = [call.params.appId, call.params]
        const key = (await findActiveKeys(call.db.sql, appId)).find(one => one.kid === kid)
        if (key === undefined) return reject('KEY_NOT_FOUND', 'The app has no active key with this id.')
        const main = confirmation(call, {
          title: 'Revoke the key?',
          words: html`<p><code>${kid}</code></p>
<ul><li>Last used: ${lastUse(key, ports.clock.now())}.</li><li>Access and refresh tokens from this key stop working within a second.</li><li>A revoked key stays revoked.</li></ul>`,
          verb: 'Revoke the key',
          isDangerous: true,
          backHref: pathOfKeys({ appId }),
        })
        return framed(call, { title: 'Revoke a key', part: 'apps', main, width: 'narrow' })
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', name: 'revokeOwnKey' },
      async handle(call) {
        const of = { appId: call.params.appId, kid: call.params.kid }
        const rejected = await revokeAppKey({ ...ports, db: call.db }, of)
        // A second press finds the key revoked already.
        if (rejected !== null && rejected.rejected !== 'KEY_NOT_FOUND') return rejected
        return redirect(addressOf(pathOfKeys(of), { done: 'revoked' }))
      },
    }),
  ]
}
