import { pageOfOrganizations } from '../../catalog/organizations/list.ts'
import { isRejection } from '../../core/rejection.ts'
import { findOperatorNeeds, type OperatorNeed } from '../../money/daily-summary/operator-needs.ts'
import { listReconciliations } from '../../money/reconciliations/store.ts'
import { readDailyRevenue } from '../../money/reports/daily.ts'
import { modeOf } from '../../platform/http/mode.ts'
import type { AnyPage, PageCall } from '../../platform/http/page.ts'
import { relativeTime } from '../../platform/web/components/relative-time.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { movementsChart, paymentsChart, revenueStats, subscribersChart } from '../dev/figures.ts'
import { largest, spanOf, spanWords } from '../dev/revenue.ts'
import { allAttemptsChart } from '../webhooks/hook-deliveries.ts'
import { CATCH_UP_PATH } from './catch-up.ts'
import { MONEY_PATHS } from './money-parts.ts'
import { framed, opsPage } from './ops-page.ts'
import { healthLights, type SystemReadings } from './system.ts'
import { GATEWAYS } from './words.ts'

/** The next step of a need, by the page that settles the need. */
const ADVICE: Readonly<Record<OperatorNeed['at'], Html>> = {
  'catch-up': html`<a href="${CATCH_UP_PATH}">Charge, spread or waive</a>`,
  reviews: html`<a href="${OPERATOR_PATHS.reviews}">Approve or reject</a>`,
  disputes: html`<a href="${addressOf(MONEY_PATHS.disputes, { status: 'OPEN' })}">Send evidence</a>`,
  owed: html`<a href="${OPERATOR_PATHS.money}">Refund again, or mark as paid</a>`,
  money: html`<a href="${OPERATOR_PATHS.money}">Open Money</a>`,
  tax: html`<a href="${OPERATOR_PATHS.tax}">Open Tax</a>`,
}

/** Everything that waits for a person of the operator. */
export function homePage(ports: Pick<Ports, 'clock' | 'settings'> & { readonly system: SystemReadings }): AnyPage {
  return opsPage({
    ...{ method: 'GET', path: OPERATOR_PATHS.home, name: 'showOperatorHome', operation: 'operations.read' },
    async handle(call) {
      const { sql } = call.db
      const needs = await findOperatorNeeds({ db: call.db, clock: ports.clock })
      const [latest] = await listReconciliations(sql, 1)
      const organizations = await pageOfOrganizations({ db: call.db }, {}, { limit: 1 })
      const isNew = !isRejection(organizations) && organizations.items.length === 0
      const main = html`<h1>Home</h1>
${needs.length > 0 ? needTable(needs, ports.clock.now()) : isNew ? firstSteps(ports.settings) : html`<p class="lead">Nothing needs you. Reviews, disputes, stuck payments and differences from the gateways’ books appear here.</p>`}
${await figures(call, ports.clock.now())}
<h2>Health</h2>
${healthLights(await ports.system.health())}
<p class="fine">${latest === undefined ? 'The gateways’ books have not been compared yet.' : html`The gateway’s books (${GATEWAYS[latest.gateway]}) were compared until ${moment(latest.untilAt)}.`}</p>`
      return framed(call, { title: 'Home', part: 'home', main })
    },
  })
}

const DAYS = 30

/** The figures of the last days in the currency with the most subscribers, and the webhooks of the last hours. */
async function figures(call: PageCall, now: Date): Promise<Html | false> {
  const own = { merchantType: modeOf(call) === 'test' ? 'TEST_MERCHANT' : 'MERCHANT' } as const
  const span = await spanOf(DAYS, { db: call.db, own, now })
  const all = await readDailyRevenue(call, { ...own, ...span })
  const shown = largest(all)
  const others = all.filter(one => one !== shown).map(({ currency }) => currency)
  const attempts = await allAttemptsChart(call.db.sql, now)
  if (shown === undefined) return attempts && html`<h2>Webhooks</h2><div class="charts">${attempts}</div>`
  return html`<h2>${spanWords(`Last ${DAYS} days`, own, span.to)}, ${shown.currency}</h2>
${revenueStats(shown)}
<div class="charts">${movementsChart(shown)}${subscribersChart(shown)}${paymentsChart(shown)}${attempts}</div>
<p><a href="${OPERATOR_PATHS.reports}">All reports</a>${others.map(currency => html` · <a href="${addressOf(OPERATOR_PATHS.reports, { days: String(DAYS), currency })}">Reports in ${currency}</a>`)}</p>`
}

/** The home of an installation without developers. */
function firstSteps({ isJoinOpen, baseUrl }: Ports['settings']): Html {
  return html`<h2>First steps</h2>
<ol>
<li><a href="${`${OPERATOR_PATHS.organizations}/new`}">Create an organization</a> and invite its developers${isJoinOpen && html`, or send developers to <a href="/join">${baseUrl}/join</a>`}.</li>
<li>The developers create an app and submit a release with plans, which waits under <a href="${OPERATOR_PATHS.reviews}">Reviews</a>.</li>
<li><a href="${`${OPERATOR_PATHS.merchants}/new`}">Create a merchant</a> with its stores and terminals, here or through the <a href="/docs">API</a>.</li>
</ol>
<p><a href="/guides/operating">Operating Tillhook</a> describes backups, monitoring and upgrades.</p>`
}

function needTable(needs: readonly OperatorNeed[], now: Date): Html {
  return table<OperatorNeed>({
    caption: 'Needs you',
    rows: needs,
    columns: [
      { name: 'What', cell: ({ words }) => words },
      { name: 'Since', cell: ({ since }) => since && relativeTime(since, now) },
      { name: 'Next step', cell: ({ at }) => ADVICE[at] },
    ],
  })
}
