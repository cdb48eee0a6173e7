import { isRejection } from '../../core/rejection.ts'
import { endByOperator } from '../../money/billing/act.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { confirmation } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import { findOwn, subscriberLead } from '../subscriptions/cancel.ts'
import { SubscriptionParams } from '../subscriptions/one.ts'
import { pathOfSubscription } from '../subscriptions/side.ts'
import { framed, opsPage } from './ops-page.ts'
import { OPS_SIDE } from './ops-side.ts'

const definition = {
  params: SubscriptionParams,
  path: `${OPERATOR_PATHS.apps}/:appId/subscriptions/:subscriptionId/end`,
  operation: 'subscriptions.end',
} as const

/** Ends a subscription at once, whatever its plan says. Decisions 5, Cancel. */
export function endSubscriptionPages(ports: Parameters<typeof endByOperator>[0]): AnyPage[] {
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeEndingSubscription' },
      async handle(call) {
        const subscription = await findOwn(call.db.sql, call.params)
        if (isRejection(subscription)) return subscription
        const back = pathOfSubscription(OPS_SIDE, subscription)
        if (subscription.status === 'ENDED') return redirect(back)
        const main = confirmation({
          title: 'End this subscription now?',
          words: html`${await subscriberLead(call.db.sql, subscription)}<ul>
<li>The merchant cannot use the app from now on.</li>
<li>Nothing more is charged, and open invoices are no longer owed.</li>
<li>Nothing is paid back. Refund an invoice separately.</li>
<li>The merchant gets a mail, and the app gets a webhook.</li>
</ul>`,
          verb: 'End the subscription',
          isDangerous: true,
          backHref: back,
          backText: 'Keep it',
          csrf: call.csrf,
        })
        return framed(call, { title: 'End a subscription', part: 'subscriptions', main, width: 'narrow' })
      },
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'endSubscriptionNow' },
      async handle(call) {
        const subscription = await findOwn(call.db.sql, call.params)
        if (isRejection(subscription)) return subscription
        const back = pathOfSubscription(OPS_SIDE, subscription)
        // The button was pressed twice, or the subscription has ended.
        if (subscription.status === 'ENDED') return redirect(back)
        const ended = await endByOperator({ ...ports, db: call.db }, subscription)
        return isRejection(ended) && ended.rejected !== 'ALREADY_ENDED' ? ended : redirect(`${back}?done=ended`)
      },
    }),
  ]
}
