import { Type } from 'typebox'
import { findApp } from '../../catalog/apps/store.ts'
import { findPlans } from '../../catalog/plans/store.ts'
import { effectiveNow } from '../../core/business.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import type { Plan } from '../../core/plan.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { CancellationReason, Subscription } from '../../core/subscription.ts'
import { findBusinesses } from '../../merchants/businesses/store.ts'
import { forecastNext } from '../../money/billing/forecast.ts'
import { type Invoice, listInvoices } from '../../money/invoices/store.ts'
import { findCancellationReason } from '../../money/subscriptions/cancellation-reasons.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { copyable, facts, notice, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { confirmLink, linkButton } from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { day, everyWords, moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, MERCHANT_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { listDeliveries } from '../../webhooks/notifications/history.ts'
import { countryName } from '../countries.ts'
import { REASON_WORDS } from '../merchant/cancel-subscription.ts'
import { stateBadge } from '../state-badges.ts'
import { DATE_TO_STATE, fileCell } from './invoices.ts'
import { pathOfSubscription, type Side } from './side.ts'
import { subscriptionTimeline, words } from './timeline.ts'

const MOST = 50
export const SubscriptionParams = Type.Object({ appId: Uuid, subscriptionId: Uuid })

/** One subscription with its invoices and everything that happened. */
export function subscriptionPage(side: Side, { clock, settings }: Pick<Ports, 'clock' | 'settings'>): AnyPage {
  const { paths } = side
  return side.page({
    ...{ method: 'GET', path: `${paths.apps}/:appId/subscriptions/:subscriptionId`, params: SubscriptionParams },
    ...{ name: side.nameOf('showSubscriber'), operation: 'apps.read' },
    query: Type.Object({ done: Type.Optional(Type.Enum(['refunded', 'no-refund', 'cancelled', 'ended'])) }),
    async handle(call, viewer) {
      const { sql } = call.db
      const app = await findApp(sql, call.params.appId)
      if (app === null) return noApp()
      const { appId } = app
      const subscription = await findSubscription(sql, call.params.subscriptionId)
      if (subscription?.appId !== appId) {
        return reject('SUBSCRIPTION_NOT_FOUND', 'The app has no subscription with this id.')
      }
      const { subscriptionId, businessId } = subscription
      const names = await namesOf(sql, [subscription])
      const merchant = names.merchants.get(businessId)
      const of = { businessId, appId, subscriptionId, first: 'newest', offset: 0, limit: MOST } as const
      const { invoices } = await listInvoices(sql, of)
      const sent = await listDeliveries(
        { db: call.db, clock },
        { of: { appId }, principal: call.principal, query: { resourceId: subscriptionId, limit: String(MOST) } },
      )
      if (isRejection(sent)) return sent
      const why = await findCancellationReason(sql, subscriptionId)
      const happened = await subscriptionTimeline(
        { db: call.db, developer: side.developer },
        { subscription, invoices, deliveries: sent.entries },
      )
      if (isRejection(happened)) return happened
      const [forecast] = merchant ? await forecastNext(sql, [subscription], effectiveNow(merchant, clock.now())) : []
      const next = forecast?.nextCharge
      const here = pathOfSubscription(side, subscription)
      const isLive = subscription.status === 'ACTIVE' && subscription.cancelAt === undefined
      const isOwnTest = merchant?.type === 'TEST_MERCHANT' && merchant.organizationId === viewer.organizationId
      // The right to end is the operator's alone.
      const mayEnd = viewer.organizationId === undefined && subscription.status !== 'ENDED'
      const actions = [
        isLive &&
          isOwnTest &&
          viewer.may('subscriptions.change') &&
          linkButton('Change plan', pathOfPlan(subscription)),
        isLive && viewer.may('subscriptions.cancel') && confirmLink('Cancel', `${here}/cancel`),
        mayEnd && viewer.may('subscriptions.end') && confirmLink('End now', `${here}/end`),
      ].filter(Boolean)
      const details = [
        ...factsOf(side, subscription, merchant, names.plans.get(subscription.planId), why),
        next &&
          ([
            'Next charge',
            html`${moneyWords({ ...next, currency: subscription.currency })} on ${day(next.at)}`,
          ] as const),
      ]
      const content = html`${invoices.length === 0 ? html`<h2>Invoices</h2><p>No invoice was issued.</p>` : invoiceTable(side, invoices, viewer.may('invoices.refund'))}
${isLive && viewer.organizationId !== undefined && !isOwnTest && planChangeWords(`${settings.baseUrl}${MERCHANT_PATHS.subscriptions}/${subscriptionId}/change`)}
${happened}`
      const main = html`${pageHead({
        title: merchant?.doingBusinessAs ?? 'A merchant',
        above: [
          { href: paths.subscriptions, text: 'Subscriptions' },
          { href: addressOf(paths.subscriptions, { appId }), text: app.name },
        ],
        badge: stateBadge(subscription),
        lead: names.plans.get(subscription.planId)?.name,
        actions: actions.length > 0 && actions,
      })}
${call.query.done === 'refunded' && toast('Refund ordered', 'The merchant receives the money when the gateway has confirmed the refund.')}
${call.query.done === 'no-refund' && notice('warn', 'Nothing is left to refund', 'The rest of the payment was refunded, waits for its refund, or became credit for the merchant.')}
${call.query.done === 'cancelled' && toast('Subscription cancelled')}
${call.query.done === 'ended' && toast('Subscription ended')}
${withDetails(content, facts(details))}`
      return side.framed(call, { title: merchant?.doingBusinessAs ?? 'Subscription', part: 'subscriptions', main })
    },
  })
}

const pathOfPlan = ({ businessId, subscriptionId }: Pick<Subscription, 'businessId' | 'subscriptionId'>) =>
  `${DEVELOPER_PATHS.testMerchants}/${businessId}/subscriptions/${subscriptionId}/plan`

/** Decisions 3: a developer changes the plan only for the organization's own test merchants. */
function planChangeWords(link: string): Html {
  return html`<section class="section"><h2>Change of plan</h2>
<p>Only the merchant can change the plan. Offer the change in your app (<a href="/guides/recipes#plan-changes">Plan changes</a>), or send the merchant this link:</p>
${copyable('plan-link', link, 'the merchant’s link')}</section>`
}

const noApp = () => reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')

async function namesOf(sql: Sql, list: readonly { readonly businessId: string; readonly planId: string }[]) {
  const merchants = await findBusinesses(sql, [...new Set(list.map(({ businessId }) => businessId))])
  const plans = await findPlans(sql, [...new Set(list.map(({ planId }) => planId))])
  return {
    merchants: new Map(merchants.map(one => [one.businessId, one])),
    plans: new Map(plans.map(one => [one.planId, one])),
  }
}

function factsOf(
  { paths }: Side,
  subscription: Subscription,
  merchant: BusinessRecord | undefined,
  plan: Plan | undefined,
  why: CancellationReason | null,
): Fact[] {
  const { cancelAt, endedAt, endReason, trialEndAt } = subscription
  const { businessId } = subscription
  return [
    merchant && ['Merchant', html`<a href="${`${paths.merchants}/${businessId}`}">${merchant.doingBusinessAs}</a>`],
    ['Plan', plan?.name],
    ['Price', priceOf(subscription, plan)],
    ['Country', merchant && countryName(merchant.country)],
    ['E-mail', merchant?.emailAddress],
    ['Created', moment(subscription.createdAt)],
    trialEndAt && ['Trial ends', moment(trialEndAt)],
    !endedAt && ['Period ends', moment(subscription.currentPeriodEnd)],
    cancelAt && !endedAt && ['Ends', moment(cancelAt)],
    endedAt && ['Ended', html`${moment(endedAt)} (${words(endReason ?? '')})`],
    why !== null && ['Why', html`${REASON_WORDS[why.reason]}${why.comment !== '' && `: “${why.comment}”`}`],
    ['ID', copyId('subscription-id', subscription.subscriptionId, 'the subscription id')],
  ]
}

function priceOf(subscription: Subscription, plan: Plan | undefined): string {
  if (subscription.amount === 0) return 'Free'
  return plan ? `${moneyWords(subscription)} ${everyWords(plan)}` : moneyWords(subscription)
}

function invoiceTable(side: Side, invoices: readonly Invoice[], mayRefund: boolean): Html {
  return table<Invoice>({
    caption: 'Invoices, newest first',
    rows: invoices,
    columns: [
      {
        name: 'Number',
        cell: invoice =>
          html`<span class="stack"><span class="amount">${invoice.number}</span><span class="fine">${fileCell(side, invoice)}</span></span>`,
      },
      ...DATE_TO_STATE,
      {
        name: 'Action',
        cell: invoice => mayRefund && refundLink(side, invoice),
      },
    ],
  })
}

function refundLink(side: Side, invoice: Invoice) {
  const { invoiceId, number, status, amountPaid, amountRefunded } = invoice
  if (status !== 'PAID' || amountRefunded === amountPaid) return false
  const at = `${pathOfSubscription(side, invoice)}/invoices/${invoiceId}/refund`
  return linkButton('Refund', at, { size: 'small', about: `invoice ${number}` })
}
