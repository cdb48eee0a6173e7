import { pageOfAllReleases } from '../../catalog/releases/list.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { pageOfDisputes } from '../../money/lists/disputes.ts'
import { countSubscriptions } from '../../money/lists/summaries.ts'
import { readDailyRevenue } from '../../money/reports/daily.ts'
import type { Db } from '../../platform/db/db.ts'
import { count } from '../../platform/web/components/count.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import { findHookHealth } from '../../webhooks/hooks/health.ts'
import { listHooks } from '../../webhooks/hooks/list.ts'
import type { Own } from './dev-page.ts'
import { movementsChart, revenueStats, subscribersChart } from './figures.ts'
import { largest, spanOf, spanWords } from './revenue.ts'

const DAYS = 30
const MOST_HOOKS = 100

type Of = Pick<Own, 'organizationId' | 'merchantType'>

interface Need {
  readonly number: number
  readonly what: string
  readonly href: string
}

/** The figures of the last 30 days and what needs attention. Null before the first merchant pays. */
export async function homeFigures(
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
