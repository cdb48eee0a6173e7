import { findApp } from '../../catalog/apps/store.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { cancel, previewCancel } from '../../money/billing/act.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { confirmation } from '../../platform/web/components/form.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { SubscriptionParams } from './one.ts'
import { pathOfSubscription, type Side } from './side.ts'

/** Cancels a subscription for the merchant: what happens, then the button. */
export function cancelPages(side: Side, ports: Parameters<typeof cancel>[0]): AnyPage[] {
  const definition = {
    params: SubscriptionParams,
    path: `${side.paths.apps}/:appId/subscriptions/:subscriptionId/cancel`,
    operation: 'subscriptions.cancel',
  } as const
  return [
    side.page({
      ...{ ...definition, method: 'GET', name: side.nameOf('askBeforeCancellingSubscriber') },
      async handle(call) {
        const subscription = await findOwn(call.db.sql, call.params)
        if (isRejection(subscription)) return subscription
        const back = pathOfSubscription(side, subscription)
        if (subscription.status === 'ENDED' || subscription.cancelAt !== undefined) return redirect(back)
        const preview = await previewCancel({ ...ports, db: call.db }, subscription)
        if (isRejection(preview)) return preview
        const { isAtOnce, endsAt, dropped } = preview
        const { currency } = subscription
        const main = confirmation({
          title: 'Cancel this subscription?',
          words: html`${await subscriberLead(call.db.sql, subscription)}<ul>
<li>${isAtOnce ? 'The subscription ends at once.' : html`The merchant can use the app until ${day(endsAt)}.`}</li>
<li>Nothing more is charged, and nothing is paid back. Refund an invoice separately.</li>
${dropped > 0 && html`<li>${moneyWords({ amount: dropped, currency })} of open invoices are no longer owed.</li>`}
<li>The merchant gets a mail.</li>
</ul>`,
          verb: 'Cancel the subscription',
          isDangerous: true,
          backHref: back,
          backText: 'Keep it',
          csrf: call.csrf,
        })
        return side.framed(call, { title: 'Cancel a subscription', part: 'subscriptions', main, width: 'narrow' })
      },
    }),
    side.page({
      ...{ ...definition, method: 'POST', name: side.nameOf('cancelSubscriber') },
      async handle(call) {
        const subscription = await findOwn(call.db.sql, call.params)
        if (isRejection(subscription)) return subscription
        const back = pathOfSubscription(side, subscription)
        // The button was pressed twice, or the subscription has ended.
        if (subscription.status === 'ENDED' || subscription.cancelAt !== undefined) return redirect(back)
        const cancelled = await cancel({ ...ports, db: call.db }, subscription)
        return isRejection(cancelled) ? cancelled : redirect(`${back}?done=cancelled`)
      },
    }),
  ]
}

/** Whose subscription a person is asked about. */
export async function subscriberLead(sql: Sql, { businessId, planId }: Subscription): Promise<Html> {
  const merchant = await findBusiness(sql, businessId)
  const plan = await findPlan(sql, planId)
  return html`<p class="lead">${plan?.name} of ${merchant?.doingBusinessAs}</p>`
}

/** The subscription of the address. The guard of the page has checked the app. */
export async function findOwn(
  sql: Sql,
  { appId, subscriptionId }: { readonly appId: string; readonly subscriptionId: string },
): Promise<Subscription | Rejection> {
  const app = await findApp(sql, appId)
  const found = await findSubscription(sql, subscriptionId)
  if (app !== null && found?.appId === app.appId) return found
  return reject('SUBSCRIPTION_NOT_FOUND', 'The app has no subscription with this id.')
}
