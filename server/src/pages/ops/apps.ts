import { Type } from 'typebox'
import { pageOfApps } from '../../catalog/apps/list.ts'
import { findActiveKeys, findApp } from '../../catalog/apps/store.ts'
import { updateApp } from '../../catalog/apps/update.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { listPlans } from '../../catalog/plans/store.ts'
import { pageOfReleases } from '../../catalog/releases/list.ts'
import type { App } from '../../core/app.ts'
import { APP_STATUSES } from '../../core/app.ts'
import type { Plan } from '../../core/plan.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { Release } from '../../core/release.ts'
import { percentOf } from '../../money/endings/ending.ts'
import { startEnding } from '../../money/endings/start.ts'
import { findLastEnding } from '../../money/endings/store.ts'
import { listPage } from '../../money/subscriptions/pages.ts'
import { countLiveOfApp } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { appUrn, Text, Uuid } from '../../platform/http/wire.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { badge, emptyState, facts, nothingFound, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { buttons, checkbox, confirmation, linkButton } from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { progress } from '../../platform/web/components/progress.ts'
import { addressOf, filterBy, pager, table } from '../../platform/web/components/table.ts'
import { day, moment, shortMoment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { notesOf } from './notes.ts'
import {
  auditLink,
  type Desk,
  framed,
  ON_A_PAGE,
  opsPage,
  organizationLink,
  searched,
  searchField,
} from './ops-page.ts'
import { pathOfReview } from './reviews.ts'
import { appBadge, planBadge, releaseBadge, TERM_COLUMNS } from './words.ts'

const path = OPERATOR_PATHS.apps
const params = Type.Object({ appId: Uuid })
const pathOf = ({ appId }: Pick<App, 'appId'>) => `${path}/${appId}`

/** All apps, and one with its plans and releases. The operator disables and enables an app. */
export function appPages(ports: Pick<Ports, 'db' | 'clock' | 'settings'>): AnyPage[] {
  return [listAppsPage(), onePage(), ...statusPages(ports)]
}

function listAppsPage(): AnyPage {
  return opsPage({
    ...{ method: 'GET', path, name: 'showApps', operation: 'apps.read' },
    query: Type.Object({
      q: Type.Optional(Text(200, 0)),
      status: Type.Optional(Type.Enum(APP_STATUSES)),
      organizationId: Type.Optional(Uuid),
      after: Type.Optional(Uuid),
    }),
    async handle(call) {
      const { after, status, organizationId } = call.query
      const kept = { ...(status && { status }), ...(organizationId && { organizationId }) }
      const asked = { ...searched(call.query.q), ...kept }
      const found = await pageOfApps({ db: call.db }, asked, { limit: ON_A_PAGE, ...(after && { after }) })
      if (isRejection(found)) return found
      const main = html`<h1>Apps</h1>
<p class="lead">The apps of all developers.</p>
${filterBy('Filter by state', { path, kept: asked, name: 'status', value: status, texts: { ACTIVE: 'Active', DISABLED: 'Disabled' }, all: 'All' })}
${filterBar({ path, label: 'Search apps', fields: [searchField('Name, package name or ID', asked.q)], kept })}
${found.items.length === 0 ? (asked.q === undefined ? emptyState('No apps found', 'A developer creates an app and submits its first release.') : nothingFound(asked.q)) : appTable(found.items)}
${pager('More apps', { path, kept: asked, after, next: found.next })}`
      return framed(call, { title: 'Apps', part: 'apps', main })
    },
  })
}

export function appTable(apps: readonly App[]): Html {
  return table<App>({
    caption: 'Apps, newest first',
    rows: apps,
    columns: [
      { name: 'Name', cell: app => html`<a href="${pathOf(app)}">${app.name}</a>` },
      { name: 'Package name', cell: ({ packageName }) => html`<code>${breakable(packageName)}</code>` },
      { name: 'State', cell: appBadge },
      { name: 'Created', cell: ({ createdAt }) => day(createdAt) },
    ],
  })
}

const DONE = { disabled: 'App disabled', enabled: 'App enabled' } as const

function onePage(): AnyPage {
  return opsPage({
    ...{ method: 'GET', path: `${path}/:appId`, params, name: 'showApp', operation: 'apps.read' },
    query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as (keyof typeof DONE)[])) }),
    async handle(call, desk) {
      const { sql } = call.db
      const app = await findApp(sql, call.params.appId)
      if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
      const { appId, organizationId } = app
      const organization = await findOrganization(sql, organizationId)
      const active = await listPage({ db: call.db }, { appId, status: 'ACTIVE', count: 1 })
      if (isRejection(active)) return active
      const plans = await listPlans(sql, { appId, status: 'listed' })
      const { releases, total } = await pageOfReleases({ db: call.db }, { appId, page: { count: 1_000 } })
      const keys = await findActiveKeys(sql, appId)
      const { done } = call.query
      const change =
        app.status === 'ACTIVE'
          ? linkButton('Disable the app', `${pathOf(app)}/disable`)
          : linkButton('Enable the app', `${pathOf(app)}/enable`, { kind: 'primary' })
      const details = facts([
        ['Developer', organization && organizationLink(organization)],
        ['Package name', html`<code>${breakable(app.packageName)}</code>`],
        [
          'Active subscriptions',
          html`<a href="${addressOf(OPERATOR_PATHS.subscriptions, { appId })}">${active.total.toLocaleString('en')}</a>`,
        ],
        ['Webhooks', html`<a href="${addressOf(WEBHOOKS_PATH, { app: appId })}">Endpoints of the app</a>`],
        [
          'Callback URLs',
          app.callbackUrls.length === 0
            ? 'None'
            : app.callbackUrls.map((url, i) => html`${i > 0 && html`<br>`}<code>${url}</code>`),
        ],
        [
          'Active keys',
          keys.length === 0 ? 'None' : keys.map(({ kid }, i) => html`${i > 0 && html`<br>`}<code>${kid}</code>`),
        ],
        ['Created', day(app.createdAt)],
        ['ID', copyId('app', appUrn(appId), 'the app ID')],
        ['History', auditLink(appId)],
      ])
      const content = html`${await endingCard(sql, app, desk)}
${plans.length === 0 ? html`<h2>Plans</h2><p>The app has no approved plans.</p>` : planTable(plans)}
${total === 0 ? html`<h2>Releases</h2><p>The developer has submitted no release yet.</p>` : releaseTable(releases.toReversed().slice(0, ON_A_PAGE))}
${await notesOf(call, desk, { subject: 'APP', subjectId: appId })}`
      const main = html`${pageHead({
        ...{ title: app.name, above: [{ text: 'Apps', href: path }], badge: appBadge(app) },
        actions: desk.may('apps.manage') && change,
      })}
${done && toast(DONE[done])}
${withDetails(content, details)}`
      return framed(call, { title: app.name, part: 'apps', main })
    },
  })
}

function planTable(plans: readonly Plan[]): Html {
  return table<Plan>({
    caption: 'Plans',
    rows: plans,
    columns: [{ name: 'Name', cell: ({ name }) => name }, ...TERM_COLUMNS, { name: 'State', cell: planBadge }],
  })
}

function releaseTable(releases: readonly Release[]): Html {
  return table<Release>({
    caption: 'Releases, newest first',
    rows: releases,
    columns: [
      { name: 'Version', cell: release => html`<a href="${pathOfReview(release)}">${release.version}</a>` },
      { name: 'Submitted (UTC)', cell: ({ createdAt }) => shortMoment(createdAt) },
      { name: 'State', cell: releaseBadge },
    ],
  })
}

const CHANGES = {
  disable: {
    status: 'DISABLED',
    done: 'disabled',
    title: 'Disable',
    words: [
      'The app gets no tokens, and its tokens stop working at once.',
      'Nobody subscribes, and nobody is charged: renewals, retries and grace periods wait until the app is enabled again.',
      'Only the operator can enable the app again.',
    ],
  },
  enable: {
    status: 'ACTIVE',
    done: 'enabled',
    title: 'Enable',
    words: [
      'The app gets tokens again, and its plans are on sale again.',
      'Subscriptions continue. A period that was due while the app was disabled begins now and is charged now. The time in between is free.',
    ],
  },
} as const

function statusPages(ports: Pick<Ports, 'db' | 'clock' | 'settings'>): AnyPage[] {
  return (['disable', 'enable'] as const).flatMap(change => {
    const { status, done, title, words } = CHANGES[change]
    const definition = { path: `${path}/:appId/${change}`, params, operation: 'apps.manage' } as const
    return [
      opsPage({
        ...{ ...definition, method: 'GET', name: `askBefore${title}App` },
        async handle(call) {
          const app = await findApp(call.db.sql, call.params.appId)
          if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
          if (app.status === status) return redirect(pathOf(app))
          const main = confirmation(call, {
            title: `${title} ${app.name}?`,
            words: html`<ul>${words.map(word => html`<li>${word}</li>`)}</ul>`,
            verb: `${title} the app`,
            isDangerous: change === 'disable',
            backHref: pathOf(app),
          })
          return framed(call, { title: `${title} ${app.name}`, part: 'apps', main, width: 'narrow' })
        },
      }),
      opsPage({
        ...{ ...definition, method: 'POST', name: `${change}App` },
        async handle(call) {
          const changed = await updateApp(
            { ...ports, db: call.db },
            { appId: call.params.appId, status, by: 'OPERATOR' },
          )
          return isRejection(changed) ? changed : redirect(addressOf(pathOf(call.params), { done }))
        },
      }),
    ]
  })
}

const definition = {
  path: `${OPERATOR_PATHS.apps}/:appId/end`,
  params: Type.Object({ appId: Uuid }),
  operation: 'subscriptions.end',
} as const

/** Ends all subscriptions of an app that the operator disabled. */
export function appEndingPages(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyPage[] {
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeEndingSubscriptions' },
      async handle(call) {
        const { sql } = call.db
        const app = await findApp(sql, call.params.appId)
        if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
        const live = await countLiveOfApp(sql, app.appId)
        if (app.disabledBy !== 'OPERATOR' || live === 0) return redirect(pathOf(app))
        const main = confirmation(call, {
          title: `End all subscriptions of ${app.name}?`,
          words: html`<ul>
<li>${live === 1 ? 'One subscription ends' : `${live} subscriptions end`} now. No subscription can be restored.</li>
<li>The merchants get a mail, and the app gets an event for each subscription.</li>
<li>The subscriptions end one batch after another. To stop in between, enable the app.</li></ul>`,
          fields: checkbox({
            name: 'refund',
            text: 'Refund the unused time',
            detail: 'Each merchant gets back the share of the paid period since the app was disabled.',
          }),
          verb: 'End all subscriptions',
          isDangerous: true,
          backHref: pathOf(app),
        })
        return framed(call, { title: `End subscriptions of ${app.name}`, part: 'apps', main, width: 'narrow' })
      },
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'endSubscriptionsOfApp' },
      form: Type.Object({ refund: Type.Optional(Type.Enum(['on'])) }),
      async handle(call) {
        const { appId } = call.params
        const refundUnused = call.form.refund === 'on'
        const job = await startEnding({ ...ports, db: call.db }, { appId, refundUnused })
        return isRejection(job) ? job : redirect(pathOf({ appId }))
      },
    }),
  ]
}

const STATES = {
  RUNNING: badge('Running', 'warn'),
  DONE: badge('Done', 'good'),
  STOPPED: badge('Stopped'),
} as const

/** The last job of the app with its progress, and the way to a new one. Empty for an app that was never disabled. */
async function endingCard(sql: Sql, app: App, desk: Desk): Promise<Html> {
  const job = await findLastEnding(sql, app.appId)
  const isDisabled = app.disabledBy === 'OPERATOR' && job?.state !== 'RUNNING'
  const live = isDisabled ? await countLiveOfApp(sql, app.appId) : 0
  const mayBegin = live > 0 && desk.may('subscriptions.end')
  if (job === null && !mayBegin) return html``
  return html`<h2>End of all subscriptions</h2>
${
  job !== null &&
  html`${progress('Progress', percentOf(job))}
<div class="section">${facts([
    ['State', STATES[job.state]],
    ['Ended', `${job.ended} of ${job.total}`],
    ['Refunds', job.refundUnused ? String(job.refunds) : 'None: the unused time is not refunded'],
    job.failed > 0 && ['Failed', `${job.failed}: listed on the money page`],
    ['Started', moment(job.createdAt)],
  ])}</div>`
}
${mayBegin && html`<p>${live === 1 ? 'One subscription is' : `${live} subscriptions are`} on hold while the app is disabled. Nobody is charged.</p>${buttons(linkButton('End all subscriptions', `${pathOf(app)}/end`, { kind: 'danger' }))}`}`
}
