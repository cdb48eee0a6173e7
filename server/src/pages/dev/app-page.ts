import { Type } from 'typebox'
import { findActiveKeys, findApp } from '../../catalog/apps/store.ts'
import { listPlans } from '../../catalog/plans/store.ts'
import { pageOfReleases } from '../../catalog/releases/list.ts'
import type { App } from '../../core/app.ts'
import type { Plan } from '../../core/plan.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Release } from '../../core/release.ts'
import { countSubscriptions } from '../../money/lists/summaries.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { appUrn } from '../../platform/http/wire.ts'
import { emptyState, facts, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { confirmLink, linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { stats } from '../../platform/web/components/stat.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { tabs } from '../../platform/web/components/tabs.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { appBadge, planBadge, releaseBadge, TERM_COLUMNS } from '../ops/words.ts'
import { AppParams, pathOf, pathOfRelease, subscriptionsOf } from './apps.ts'
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
    ...(actions && { actions }),
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
