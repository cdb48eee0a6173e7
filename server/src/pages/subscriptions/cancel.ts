import { findApp } from '../../catalog/apps/store.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import type { Subscription } from '../../core/subscription.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { cancel, endByOperator, previewCancel } from '../../money/billing/act.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { confirmation } from '../../platform/web/components/form.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { SubscriptionParams } from './one.ts'
import { pathOfSubscription, type Side } from './side.ts'

type EndingPorts = Parameters<typeof cancel>[0] & Parameters<typeof endByOperator>[0]

interface Ending {
  /** The last segment of the address. */
  readonly word: string
  readonly operation: Operation
  readonly names: readonly [ask: string, act: string]
  readonly title: string
  readonly question: string
  readonly verb: string
  /** As the page of the subscription says what was done. */
  readonly done: string
  /** Done by an earlier press, or nothing is left to end. */
  isOver(subscription: Subscription): boolean
  consequences(db: Db, subscription: Subscription): Promise<Html | Rejection>
  act(db: Db, subscription: Subscription): Promise<Subscription | Rejection | null>
}

/** Cancels a subscription for the merchant: what happens, then the button. */
export function cancelPages(side: Side, ports: EndingPorts): AnyPage[] {
  return endingPages(side, {
    ...{ word: 'cancel', operation: 'subscriptions.cancel', done: 'cancelled' },
    names: [side.nameOf('askBeforeCancellingSubscriber'), side.nameOf('cancelSubscriber')],
    ...{ title: 'Cancel a subscription', question: 'Cancel this subscription?', verb: 'Cancel the subscription' },
    isOver: ({ status, cancelAt }) => status === 'ENDED' || cancelAt !== undefined,
    async consequences(db, subscription) {
      const preview = await previewCancel({ ...ports, db }, subscription)
      if (isRejection(preview)) return preview
      const { isAtOnce, endsAt, dropped } = preview
      const { currency } = subscription
      return html`
<li>${isAtOnce ? 'The subscription ends at once.' : html`The merchant can use the app until ${day(endsAt)}.`}</li>
<li>Nothing more is charged, and nothing is paid back. Refund an invoice separately.</li>
${dropped > 0 && html`<li>${moneyWords({ amount: dropped, currency })} of open invoices are no longer owed.</li>`}
<li>The merchant gets a mail.</li>`
    },
    act: (db, subscription) => cancel({ ...ports, db }, subscription),
  })
}

/** Ends a subscription at once for the operator, whatever its plan says. Decisions 5, Cancel. */
export function endPages(side: Side, ports: EndingPorts): AnyPage[] {
  return endingPages(side, {
    ...{ word: 'end', operation: 'subscriptions.end', done: 'ended' },
    names: ['askBeforeEndingSubscription', 'endSubscriptionNow'],
    ...{ title: 'End a subscription', question: 'End this subscription now?', verb: 'End the subscription' },
    isOver: ({ status }) => status === 'ENDED',
    consequences: async () => html`
<li>The merchant cannot use the app from now on.</li>
<li>Nothing more is charged, and open invoices are no longer owed.</li>
<li>Nothing is paid back. Refund an invoice separately.</li>
<li>The merchant gets a mail, and the app gets a webhook.</li>`,
    async act(db, subscription) {
      const ended = await endByOperator({ ...ports, db }, subscription)
      return isRejection(ended) && ended.rejected === 'ALREADY_ENDED' ? null : ended
    },
  })
}

function endingPages(side: Side, ending: Ending): AnyPage[] {
  const { word, operation, names, title, done } = ending
  const path = `${side.paths.apps}/:appId/subscriptions/:subscriptionId/${word}`
  const definition = { params: SubscriptionParams, path, operation }
  return [
    side.page({
      ...{ ...definition, method: 'GET', name: names[0] },
      async handle(call) {
        const subscription = await findOwn(call.db.sql, call.params)
        if (isRejection(subscription)) return subscription
        const backHref = pathOfSubscription(side, subscription)
        if (ending.isOver(subscription)) return redirect(backHref)
        const consequences = await ending.consequences(call.db, subscription)
        if (isRejection(consequences)) return consequences
        const main = confirmation(call, {
          ...{ title: ending.question, verb: ending.verb, isDangerous: true },
          ...{ backHref, backText: 'Keep it' },
          words: html`${await subscriberLead(call.db.sql, subscription)}<ul>${consequences}
</ul>`,
        })
        return side.framed(call, { title, part: 'subscriptions', main, width: 'narrow' })
      },
    }),
    side.page({
      ...{ ...definition, method: 'POST', name: names[1] },
      async handle(call) {
        const subscription = await findOwn(call.db.sql, call.params)
        if (isRejection(subscription)) return subscription
        const back = pathOfSubscription(side, subscription)
        // The button was pressed twice, or the subscription has ended.
        if (ending.isOver(subscription)) return redirect(back)
        const ended = await ending.act(call.db, subscription)
        return isRejection(ended) ? ended : redirect(`${back}?done=${done}`)
      },
    }),
  ]
}

/** Whose subscription a person is asked about. */
async function subscriberLead(sql: Sql, { businessId, planId }: Subscription): Promise<Html> {
  const merchant = await findBusiness(sql, businessId)
  const plan = await findPlan(sql, planId)
  return html`<p class="lead">${plan?.name} of ${merchant?.doingBusinessAs}</p>`
}

/** The subscription of the address. The guard of the page has checked the app. */
async function findOwn(
  sql: Sql,
  { appId, subscriptionId }: { readonly appId: string; readonly subscriptionId: string },
): Promise<Subscription | Rejection> {
  const app = await findApp(sql, appId)
  const found = await findSubscription(sql, subscriptionId)
  if (app !== null && found?.appId === app.appId) return found
  return reject('SUBSCRIPTION_NOT_FOUND', 'The app has no subscription with this id.')
}
