import { pageOfOrganizations } from '../../catalog/organizations/list.ts'
import { pageOfAllReleases } from '../../catalog/releases/list.ts'
import { isUndecided } from '../../core/catch-up.ts'
import { isRejection } from '../../core/rejection.ts'
import { findBillingProgress } from '../../money/catch-up/store.ts'
import { listDiscrepancies, listReconciliations } from '../../money/reconciliations/store.ts'
import { findOwed } from '../../money/refunds/store.ts'
import { listQuarantined, listUnsettledCharges, listUnsettledRefunds } from '../../money/reports/unsettled.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { CATCH_UP_PATH } from './catch-up.ts'
import { framed, opsPage } from './ops-page.ts'
import { healthLights, type SystemReadings } from './system.ts'

/** Enough to say "50 or more". */
const MOST = 50

interface Need {
  readonly what: Part
  readonly advice: Part
  readonly since?: Date | undefined
}

/** Everything that waits for a person of the operator. */
export function homePage(ports: Pick<Ports, 'clock' | 'settings'> & { readonly system: SystemReadings }): AnyPage {
  return opsPage({
    ...{ method: 'GET', path: OPERATOR_PATHS.home, name: 'showOperatorHome', operation: 'operations.read' },
    async handle(call) {
      const { sql } = call.db
      const page = { now: ports.clock.now(), limit: MOST }
      const reviews = (await pageOfAllReleases({ db: call.db }, { status: 'SUBMITTED' }, { limit: MOST })).items
      const charges = await listUnsettledCharges(sql, { ...page, state: 'STUCK' })
      const refunds = await listUnsettledRefunds(sql, { ...page, state: 'STUCK' })
      const quarantined = await listQuarantined(sql, MOST)
      const discrepancies = await listDiscrepancies(sql, MOST)
      const owed = await findOwed(sql, MOST)
      const [latest] = await listReconciliations(sql, 1)
      const organizations = await pageOfOrganizations({ db: call.db }, {}, { limit: 1 })
      const isNew = !isRejection(organizations) && organizations.items.length === 0
      const money = html`<a href="${OPERATOR_PATHS.money}">See Money</a>`
      const catchUp = (await findBillingProgress(sql))?.catchUp ?? null
      const isWaiting = catchUp !== null && isUndecided(catchUp, page.now)
      const needs: readonly Need[] = [
        ...need(isWaiting ? 1 : 0, 'decision about missed charges', 'decisions about missed charges', {
          advice: html`<a href="${CATCH_UP_PATH}">Charge, spread or waive</a>`,
          since: catchUp?.outageUntil,
        }),
        ...need(reviews.length, 'release waits for review', 'releases wait for review', {
          advice: html`<a href="${OPERATOR_PATHS.reviews}">Approve or reject</a>`,
          since: reviews.at(-1)?.createdAt,
        }),
        ...need(charges.length, 'charge is stuck', 'charges are stuck', {
          advice: money,
          since: charges[0]?.startedAt,
        }),
        ...need(refunds.length, 'refund is stuck', 'refunds are stuck', {
          advice: money,
          since: refunds[0]?.startedAt,
        }),
        ...need(owed.length, 'refund failed and is owed', 'refunds failed and are owed', { advice: money }),
        ...need(discrepancies.length, 'difference from the gateway’s books', 'differences from the gateways’ books', {
          advice: money,
          since: discrepancies[0]?.firstSeenAt,
        }),
        ...need(quarantined.length, 'row is quarantined', 'rows are quarantined', { advice: money }),
      ]
      const main = html`<h1>Home</h1>
${needs.length > 0 ? needTable(needs) : isNew ? firstSteps(ports.settings) : emptyState('Nothing needs you', 'Reviews, stuck payments and differences from the gateways’ books appear here.')}
<h2>Health</h2>
${healthLights(await ports.system.health())}
<p class="fine">${latest === undefined ? 'The gateways’ books were not compared yet.' : html`The books of ${latest.gateway} were compared until ${moment(latest.untilAt)}.`}</p>`
      return framed(call, { title: 'Home', part: 'home', main })
    },
  })
}

/** The home of an installation without developers. */
function firstSteps({ isJoinOpen, baseUrl }: Ports['settings']): Html {
  return html`<h2>First steps</h2>
<ol>
<li><a href="${`${OPERATOR_PATHS.organizations}/new`}">Create an organization</a> and invite its developers${isJoinOpen && html`, or send developers to <a href="/join">${baseUrl}/join</a>`}.</li>
<li>The developers create an app and submit a release with plans, which waits under <a href="${OPERATOR_PATHS.reviews}">Reviews</a>.</li>
<li>Create merchants and their terminals through the <a href="/docs">API</a>; each appears under <a href="${OPERATOR_PATHS.merchants}">Merchants</a>.</li>
</ol>
<p><a href="/guides/operating">Operating Tillhook</a> describes backups, monitoring and upgrades.</p>`
}

function need(count: number, one: string, many: string, rest: Omit<Need, 'what'>): Need[] {
  if (count === 0) return []
  return [{ what: count === 1 ? `1 ${one}` : `${count === MOST ? `${MOST} or more` : count} ${many}`, ...rest }]
}

function needTable(needs: readonly Need[]): Html {
  return table<Need>({
    caption: 'Needs you',
    rows: needs,
    columns: [
      { name: 'What', cell: ({ what }) => what },
      { name: 'Since', cell: ({ since }) => since && moment(since) },
      { name: 'Next step', cell: ({ advice }) => advice },
    ],
  })
}
