import { pageOfApps } from '../../catalog/apps/list.ts'
import { findActiveKeys } from '../../catalog/apps/store.ts'
import { pageOfAllReleases } from '../../catalog/releases/list.ts'
import type { App } from '../../core/app.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { pageOfDisputes } from '../../money/lists/disputes.ts'
import { countSubscriptions } from '../../money/lists/summaries.ts'
import { readDailyRevenue } from '../../money/reports/daily.ts'
import { listPage } from '../../money/subscriptions/pages.ts'
import type { Db } from '../../platform/db/db.ts'
import type { AnyPage, PageCall } from '../../platform/http/page.ts'
import { badge } from '../../platform/web/components/content.ts'
import { count } from '../../platform/web/components/count.ts'
import { table } from '../../platform/web/components/table.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { findHookHealth } from '../../webhooks/hooks/health.ts'
import { listHooks } from '../../webhooks/hooks/list.ts'
import { listDeliveries } from '../../webhooks/notifications/history.ts'
import { pathOf } from './apps.ts'
import type { Own } from './dev-page.ts'
import { devPage, framed } from './dev-page.ts'
import { movementsChart, revenueStats, subscribersChart } from './figures.ts'
import { largest, spanOf, spanWords } from './revenue.ts'

interface Step {
  readonly name: string
  readonly isDone: boolean
  readonly next: Part
}

/** The way from nothing to the first subscriber, with the next step. Then the figures of the last 30 days. */
export function homePage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return devPage({
    ...{ method: 'GET', path: DEVELOPER_PATHS.home, name: 'showDeveloperHome', operation: 'apps.read' },
    async handle(call, { organizationId, merchantType }) {
      const figures = await homeFigures(call.db, { organizationId, merchantType, now: clock.now() })
      if (isRejection(figures)) return figures
      if (figures !== null) return framed(call, { title: 'Home', part: 'home', main: html`<h1>Home</h1>${figures}` })
      const apps = await pageOfApps({ db: call.db }, { organizationId }, { limit: 1 })
      if (isRejection(apps)) return apps
      const [app] = apps.items
      const releases = await pageOfAllReleases({ db: call.db }, { organizationId }, { limit: 1 })
      const approved = await pageOfAllReleases({ db: call.db }, { organizationId, status: 'APPROVED' }, { limit: 1 })
      const hooks = await listHooks(call.db.sql, { organizationId }, { limit: 1 })
      const sold = app && (await listPage({ db: call.db }, { appId: app.appId, status: 'ALL', count: 1 }))
      if (isRejection(sold)) return sold
      const keys = app === undefined ? [] : await findActiveKeys(call.db.sql, app.appId)
      const heard = app && (await firstHeard({ clock }, call, app))
      if (isRejection(heard)) return heard
      const at = app === undefined ? DEVELOPER_PATHS.apps : pathOf(app)
      const steps: readonly Step[] = [
        {
          name: 'Create an app',
          isDone: app !== undefined,
          next: html`<a href="${`${DEVELOPER_PATHS.apps}/new`}">Create an app</a>`,
        },
        {
          name: 'Get the first access token',
          isDone: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
          next:
            app === undefined ? 'Create an app first' : html`Use a key of the app: <a href="${`${at}/keys`}">Keys</a>`,
        },
        {
          name: 'Submit a release with plans',
          isDone: releases.items.length > 0,
          next: app === undefined ? 'Create an app first' : html`<a href="${`${at}/release`}">Submit a release</a>`,
        },
        {
          name: 'Approval by the operator',
          isDone: approved.items.length > 0,
          next: 'The operator reviews the release.',
        },
        {
          name: 'Add an endpoint for webhooks',
          isDone: hooks.length > 0,
          next: app === undefined ? 'Create an app first' : html`<a href="${`${at}/endpoint`}">Add an endpoint</a>`,
        },
        {
          name: 'First webhook acknowledged',
          isDone: heard === true,
          next:
            hooks.length === 0
              ? 'Add an endpoint first'
              : html`<a href="${WEBHOOKS_PATH}">Send a test to the endpoint</a>`,
        },
        {
          name: 'First subscription',
          isDone: (sold?.total ?? 0) > 0,
          next: html`<a href="${DEVELOPER_PATHS.testMerchants}">Subscribe a test merchant</a>`,
        },
      ]
      const main = html`<h1>Home</h1>
${table<Step>({
  caption: 'From the first app to the first subscriber',
  rows: steps,
  columns: [
    { name: 'Step', cell: ({ name }) => name },
    { name: 'State', cell: ({ isDone }) => (isDone ? badge('Done', 'good') : badge('Open')) },
    { name: 'Next', cell: ({ isDone, next }) => !isDone && next },
  ],
})}
<p><a href="${DEVELOPER_PATHS.apps}">Apps</a> · <a href="${WEBHOOKS_PATH}">Webhooks</a> · <a href="/guides">Guides</a> · <a href="/docs">API reference</a></p>`
      return framed(call, { title: 'Home', part: 'home', main })
    },
  })
}

/** Whether an endpoint of the app acknowledged a delivery of the last 30 days, also a test. */
async function firstHeard(
  ports: Pick<Ports, 'clock'>,
  { db, principal }: PageCall,
  { appId }: App,
): Promise<boolean | Rejection> {
  const query = { status: 'DELIVERED', limit: '1' } as const
  const found = await listDeliveries({ ...ports, db }, { of: { appId }, principal, query })
  return isRejection(found) ? found : found.entries.length > 0
}

const DAYS = 30
const MOST_HOOKS = 100

type Of = Pick<Own, 'organizationId' | 'merchantType'>

interface Need {
  readonly number: number
  readonly what: string
  readonly href: string
}

/** The figures of the last 30 days and what needs attention. Null before the first merchant pays. */
async function homeFigures(
  db: Db,
  { organizationId, merchantType, now }: Of & { readonly now: Date },
): Promise<Html | null | Rejection> {
  const own = { organizationId, merchantType }
  const span = await spanOf(DAYS, { db, own, now })
  const list = await readDailyRevenue({ db }, { ...span, organizationId, merchantType })
  const shown = largest(list)
  const hasSold = shown !== undefined && (shown.opening.subscribers > 0 || shown.days.some(day => day.new.count > 0))
  if (!hasSold) return null
  const needs = await needsOf(db, { organizationId, merchantType })
  if (isRejection(needs)) return needs
  return html`<h2>${spanWords(`Last ${DAYS} days`, own, span.to)}</h2>
${revenueStats(shown)}
<div class="charts">${movementsChart(shown)}${subscribersChart(shown)}</div>
<p><a href="${DEVELOPER_PATHS.revenue}">All figures</a></p>
<h2>Needs you</h2>
${
  needs.length === 0
    ? html`<p>Nothing needs your attention.</p>`
    : html`<ul class="needs">${needs.map(({ number, what, href }) => html`<li><a href="${href}">${what}</a> ${count(number, '')}</li>`)}</ul>`
}`
}

async function needsOf(db: Db, { organizationId, merchantType }: Of): Promise<readonly Need[] | Rejection> {
  const counts = await countSubscriptions(db.sql, { organizationId, merchantType })
  const scope = { organizationId, merchantType, seenFrom: {} }
  const disputes = await pageOfDisputes({ db }, { scope, status: 'OPEN' }, { limit: 100 })
  const rejected = await pageOfAllReleases({ db }, { organizationId }, { limit: 1 })
  const hooks = await listHooks(db.sql, { organizationId }, { limit: MOST_HOOKS })
  const health = await findHookHealth(
    db.sql,
    hooks.map(({ hookId }) => hookId),
  )
  const failing = hooks.filter(
    ({ hookId, disabledReason }) => disabledReason || (health.get(hookId)?.failures ?? 0) > 0,
  )
  const needs: readonly Need[] = [
    {
      number: counts.PAST_DUE,
      what: 'Past-due subscriptions',
      href: `${DEVELOPER_PATHS.subscriptions}?state=PAST_DUE`,
    },
    { number: disputes.items.length, what: 'Open disputes', href: DEVELOPER_PATHS.disputes },
    { number: failing.length, what: 'Endpoints that fail', href: WEBHOOKS_PATH },
    {
      number: rejected.items.filter(({ status }) => status === 'REJECTED').length,
      what: 'Your latest release was rejected',
      href: DEVELOPER_PATHS.apps,
    },
  ]
  return needs.filter(({ number }) => number > 0)
}
