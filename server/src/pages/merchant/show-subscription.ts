import { Type } from 'typebox'
import { assert } from '../../core/assert.ts'
import { isRejection } from '../../core/rejection.ts'
import { listInvoices } from '../../money/invoices/store.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { appFace, badge } from '../../platform/web/components/card.ts'
import { facts } from '../../platform/web/components/facts.ts'
import { notice } from '../../platform/web/components/notice.ts'
import { price } from '../../platform/web/components/price.ts'
import { day } from '../../platform/web/dates.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { findOwnSubscription } from './find-own.ts'
import { framed, PATHS } from './frame.ts'
import { invoiceTable } from './invoice-table.ts'
import { ownPage, type Shop } from './own-page.ts'
import { type ShownSubscription, showSubscriptions } from './own-subscriptions.ts'
import { priceOf } from './standing.ts'
import { subscriptionActions } from './subscription-actions.ts'
import { sentencesOf } from './subscription-card.ts'

/** The last ones; the others are on the page of all invoices. */
const SHOWN_INVOICES = 12

/** What was just done, as the address after it says. */
export const DEEDS = ['cancelled', 'restored', 'changed', 'postponed', 'kept'] as const
export type Deed = (typeof DEEDS)[number]

/** One subscription: what it costs, how it stands, its invoices, and what can be done. */
export function showSubscriptionPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return ownPage(ports, {
    method: 'GET',
    path: `${PATHS.subscriptions}/:subscriptionId`,
    name: 'showOwnSubscription',
    operation: 'subscriptions.read',
    params: Type.Object({ subscriptionId: Uuid }),
    query: Type.Object({ done: Type.Optional(Type.Enum([...DEEDS])) }),
    async handle(call, shop) {
      const { sql } = call.db
      const subscription = await findOwnSubscription(sql, shop, call.params.subscriptionId)
      if (isRejection(subscription)) return subscription
      const { businessId } = shop
      const { subscriptionId } = subscription
      const [shown] = await showSubscriptions(sql, shop, [subscription])
      assert(shown, 'one subscription is shown as one')
      const { invoices, total } = await listInvoices(sql, {
        ...{ businessId, subscriptionId, first: 'newest', offset: 0, limit: SHOWN_INVOICES },
      })
      const main = html`${told(call.query.done, shown)}
${appFace(shown.app, 1)}
<div class="card">
<div class="card-head"><h2>${shown.foreseen.plan.name}</h2>${badge(shown.standing.word, shown.standing.tone)}</div>
${price(priceOf(subscription, shown.foreseen.plan))}
${sentencesOf(shown.standing)}
${subscriptionActions(call.csrf, shop, shown)}
</div>
${known(shown, shop)}
${invoices.length > 0 && invoiceTable(invoices, { caption: 'Invoices' })}
${total > invoices.length && html`<p><a href="${PATHS.invoices}">All invoices</a></p>`}`
      return framed(call, shop, { title: shown.foreseen.plan.name, part: 'subscriptions', main })
    },
  })
}

/** Only what is so: the address alone makes nothing true. */
function told(
  deed: Deed | undefined,
  { foreseen: { subscription, plan, pendingPlan } }: ShownSubscription,
): Html | false {
  const { status, cancelAt } = subscription
  const isOver = status === 'ENDED' || cancelAt !== undefined
  if (deed === 'cancelled' && isOver) return notice('good', 'Cancelled')
  if (deed === 'restored' && !isOver) return notice('good', 'It goes on. The cancellation was undone.')
  if (deed === 'kept' && !pendingPlan && !isOver) return notice('good', `You stay on ${plan.name}`)
  if (deed === 'postponed' && pendingPlan) return notice('good', `The change to ${pendingPlan.name} is arranged`)
  if (deed === 'changed' && !isOver) return notice('good', `You are on ${plan.name} now`)
  return false
}

function known({ foreseen: { subscription }, app, place }: ShownSubscription, { timezone }: Shop): Html {
  const { startedAt, status, currentPeriodStart, currentPeriodEnd, phase } = subscription
  const isPaid = status === 'ACTIVE' && phase === 'FULL'
  return facts([
    ['App', `${app.name} by ${app.developer}`],
    ...(place === undefined ? [] : [['For', place] as const]),
    ['Since', day(startedAt, timezone)],
    ...(isPaid
      ? [['This period', html`${day(currentPeriodStart, timezone)} to ${day(currentPeriodEnd, timezone)}`] as const]
      : []),
  ])
}
