import { listOfBusiness } from '../../money/subscriptions/store.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { cards } from '../../platform/web/components/card.ts'
import { emptyState, notice } from '../../platform/web/components/notice.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { framed, PATHS } from './frame.ts'
import { ownPage } from './own-page.ts'
import { type ShownSubscription, showSubscriptions } from './own-subscriptions.ts'
import { subscriptionCard } from './subscription-card.ts'

/** More than any business has; those of a runaway client would make a page that nobody can use. */
const MOST_LIVE = 200
/** Of those that are over, the newest are of interest; invoices tell of all. */
const MOST_ENDED = 20

/** What the merchant pays for, and what comes next. */
export function listSubscriptionsPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return ownPage(ports, {
    method: 'GET',
    path: PATHS.subscriptions,
    name: 'showOwnSubscriptions',
    operation: 'subscriptions.read',
    async handle(call, shop) {
      const { sql } = call.db
      const { businessId } = shop
      const live = await listOfBusiness(sql, { businessId, status: 'ACTIVE', limit: MOST_LIVE })
      const over = await listOfBusiness(sql, { businessId, status: 'ENDED', limit: MOST_ENDED })
      const shown = await showSubscriptions(sql, shop, [...live, ...over])
      const main = html`<h1>Subscriptions</h1>
${alarm(shown)}
${live.length === 0 ? nothing() : cards(shown.slice(0, live.length).map(subscriptionCard))}
${over.length > 0 && ended(shown.slice(live.length))}`
      return framed(call, shop, { title: 'Subscriptions', part: 'subscriptions', main })
    },
  })
}

/** What must not be overlooked stands before all cards. */
function alarm(shown: readonly ShownSubscription[]): Html | false {
  const failed = shown.filter(({ standing }) => standing.tone === 'bad').length
  if (failed === 0) return false
  const what = failed === 1 ? 'A payment failed' : `${failed} payments failed`
  const way = html`<a href="${PATHS.paymentMethods}">Change your payment method</a> to pay now and keep what you use.`
  return notice('bad', what, way)
}

function nothing(): Html {
  return emptyState('No subscriptions', 'Apps offer their plans on your terminal. What you subscribe to is shown here.')
}

function ended(shown: readonly ShownSubscription[]): Html {
  return html`<details class="section">
<summary>Ended (${shown.length})</summary>
${cards(shown.map(subscriptionCard))}
</details>`
}
