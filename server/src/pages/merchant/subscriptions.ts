import { Type } from 'typebox'
import { findHeldApps } from '../../catalog/apps/store.ts'
import { assert } from '../../core/assert.ts'
import { monthlyAmount } from '../../core/recurring.ts'
import { isRejection, type RejectionCode } from '../../core/rejection.ts'
import { splitPrice } from '../../core/tax.ts'
import { restore } from '../../money/billing/act.ts'
import { listInvoices } from '../../money/invoices/store.ts'
import { listOfBusiness } from '../../money/subscriptions/store.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { breadcrumb } from '../../platform/web/components/breadcrumb.ts'
import {
  appFace,
  badge,
  cards,
  emptyState,
  facts,
  notice,
  price,
  toast,
} from '../../platform/web/components/content.ts'
import { button, linkButton, press } from '../../platform/web/components/form.ts'
import { stats } from '../../platform/web/components/stat.ts'
import { day, dayWords, moneyWords, priceWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { say, sayHtml } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { invoiceTable } from './invoices.ts'
import { findOwnSubscription, framed, ownPage, PATHS, type Shop } from './own-page.ts'
import { priceOf, type ShownSubscription, type Standing, showSubscriptions } from './standing.ts'

/** More than any business has; a runaway client must not make the page unusable. */
const MOST_LIVE = 200
/** The newest ended ones; the invoices show all. */
const MOST_ENDED = 20

/** The subscriptions and their next charges. */
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
      const main = html`<h1>${say`Subscriptions`}</h1>
${alarm(shown)}
${live.length > 1 && summary(shown.slice(0, live.length), shop)}
${live.length === 0 ? nothing() : cards(shown.slice(0, live.length).map(one => subscriptionCard(one, payingFor(call.csrf, shop, one))))}
${over.length > 0 && ended(shown.slice(live.length))}`
      return framed(call, shop, { title: say`Subscriptions`, part: 'subscriptions', main })
    },
  })
}

/** The prices per month, with tax, of all subscriptions that go on, and the earliest charge. */
function summary(shown: readonly ShownSubscription[], { timezone }: Shop): Html {
  const continuing = shown.filter(({ forecast }) => forecast.subscription.cancelAt === undefined)
  const perMonth = new Map<string, number>()
  for (const { forecast } of continuing) {
    const { amount, currency, tax, ...recurrence } = priceOf(forecast, forecast.plan)
    const { gross } = tax ? splitPrice(amount, tax, currency) : { gross: amount }
    perMonth.set(currency, (perMonth.get(currency) ?? 0) + monthlyAmount(gross, recurrence))
  }
  const charges = shown.flatMap(({ forecast: { nextCharge, subscription } }) =>
    nextCharge ? [{ ...nextCharge, currency: subscription.currency }] : [],
  )
  const [first] = charges.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  return stats([
    ...[...perMonth].map(([currency, amount]) => ({
      label: say`Price per month`,
      value: moneyWords({ amount, currency }),
      delta: { text: continuing.length === 1 ? say`1 subscription` : say`${continuing.length} subscriptions` },
    })),
    ...(first
      ? [{ label: say`Next charge`, value: moneyWords(first), delta: { text: dayWords(first.at, timezone) } }]
      : []),
  ])
}

/** Problems stand above all cards. */
function alarm(shown: readonly ShownSubscription[]): Html | false {
  const failed = shown.filter(({ standing }) => standing.tone === 'bad').length
  if (failed === 0) return false
  const what = failed === 1 ? say`A payment failed` : say`${failed} payments failed`
  const way = sayHtml`Pay now, or ${html`<a href="${PATHS.paymentMethods}">${say`change your payment method`}</a>`}, to keep what you use.`
  return notice('bad', what, way)
}

function nothing(): Html {
  return emptyState(
    say`No subscriptions`,
    say`Apps offer their plans on your terminal. What you subscribe to is shown here.`,
    linkButton(say`Find apps`, `${PATHS.apps}/find`, { kind: 'primary' }),
  )
}

function ended(shown: readonly ShownSubscription[]): Html {
  return html`<details class="section">
<summary>${say`Ended (${shown.length})`}</summary>
${cards(shown.map(one => subscriptionCard(one, false)))}
</details>`
}

/** The last ones; older invoices are on the page of all invoices. */
const SHOWN_INVOICES = 12

/** The action just done, named in the address. */
const OUTCOMES = ['cancelled', 'restored', 'changed', 'postponed', 'kept', 'moved'] as const
type Outcome = (typeof OUTCOMES)[number]

/** One subscription: costs, state, invoices and actions. */
export function showSubscriptionPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return ownPage(ports, {
    method: 'GET',
    path: `${PATHS.subscriptions}/:subscriptionId`,
    name: 'showOwnSubscription',
    operation: 'subscriptions.read',
    params: Type.Object({ subscriptionId: Uuid }),
    query: Type.Object({ done: Type.Optional(Type.Enum([...OUTCOMES])) }),
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
      const isHeld = subscription.status !== 'ENDED' && (await findHeldApps(sql, [subscription.appId])).size > 0
      const main = html`${breadcrumb([{ href: PATHS.subscriptions, text: say`Subscriptions` }])}
${outcomeNotice(call.query.done, shown)}
${isHeld && notice('warn', say`The platform has switched this app off`, say`Nothing is charged until it is switched on again. The time until then is free.`)}
${appFace(shown.app, 1)}
<div class="card">
<div class="card-head"><h2>${shown.forecast.plan.name}</h2>${badge(shown.standing.word, shown.standing.tone)}</div>
${price(priceOf(shown.forecast, shown.forecast.plan))}
${sentencesOf(shown.standing)}
${subscriptionActions(call.csrf, shop, shown)}
</div>
${known(shown, shop)}
${invoices.length > 0 && invoiceTable(invoices, { caption: say`Invoices` })}
${total > invoices.length && html`<p><a href="${PATHS.invoices}">${say`All invoices`}</a></p>`}`
      return framed(call, shop, { title: shown.forecast.plan.name, part: 'subscriptions', main })
    },
  })
}

/** The notice about the last action, if the state of the subscription confirms the action: the address alone proves nothing. */
function outcomeNotice(
  outcome: Outcome | undefined,
  { forecast: { subscription, plan, pendingPlan }, location }: ShownSubscription,
): Html | false {
  const { status, cancelAt } = subscription
  const isOver = status === 'ENDED' || cancelAt !== undefined
  if (outcome === 'cancelled' && isOver) return toast(say`Cancelled`)
  if (outcome === 'restored' && !isOver) return toast(say`Your subscription continues. The cancellation was undone.`)
  if (outcome === 'kept' && !pendingPlan && !isOver) return toast(say`You stay on ${plan.name}`)
  if (outcome === 'postponed' && pendingPlan) return toast(say`The change to ${pendingPlan.name} is scheduled`)
  if (outcome === 'changed' && !isOver) return toast(say`You are on ${plan.name} now`)
  if (outcome === 'moved' && location !== undefined && status !== 'ENDED')
    return toast(say`The subscription is for ${location} now`)
  return false
}

function known({ forecast: { subscription }, app, location }: ShownSubscription, { timezone }: Shop): Html {
  const { startedAt, status, currentPeriodStart, currentPeriodEnd, phase } = subscription
  const isPaid = status === 'ACTIVE' && phase === 'FULL'
  return facts([
    [say`App`, say`${app.name} by ${app.developer}`],
    location !== undefined && [say`For`, location],
    [say`Since`, day(startedAt, timezone)],
    isPaid && [say`This period`, sayHtml`${day(currentPeriodStart, timezone)} to ${day(currentPeriodEnd, timezone)}`],
  ])
}

function payingFor(csrf: string, shop: Shop, { forecast }: ShownSubscription): Html | false {
  const isPastDue = forecast.subscription.paymentStatus === 'PAST_DUE'
  return isPastDue && shop.may('paymentMethods.manage') && payButton(csrf, forecast)
}

function subscriptionCard({ forecast, app, standing, location }: ShownSubscription, paying: Html | false): Html {
  const { subscription, plan } = forecast
  return html`<section class="card">
${appFace(app)}
<p><strong>${plan.name}</strong>${location && ` · ${location}`}<br>${priceWords(priceOf(forecast, plan))}</p>
<p>${badge(standing.word, standing.tone)}</p>
${sentencesOf(standing)}
<div class="buttons">${paying}${linkButton(say`Details`, `${PATHS.subscriptions}/${subscription.subscriptionId}`, { about: say`of ${plan.name}, ${app.name}` })}</div>
</section>`
}

/** One sentence per line. */
function sentencesOf({ sentences, bankUrl }: Standing): Html {
  return html`<p>${sentences.map((sentence, i) => html`${i > 0 && html`<br>`}${sentence}`)}</p>
${bankUrl !== undefined && html`<p>${linkButton(say`Confirm with your bank`, bankUrl, { kind: 'primary' })}</p>`}`
}

/** The actions that this person may take. Each leads to a confirmation or undoes a change. */
function subscriptionActions(csrf: string, shop: Shop, { forecast }: ShownSubscription): Html | false {
  const { subscription, plan, pendingPlan } = forecast
  if (subscription.status === 'ENDED') return false
  const path = `${PATHS.subscriptions}/${subscription.subscriptionId}`
  const ends = subscription.cancelAt !== undefined
  const isPastDue = subscription.paymentStatus === 'PAST_DUE'
  const mayChange = shop.may('subscriptions.change')
  const actions = [
    isPastDue && shop.may('paymentMethods.manage') && payButton(csrf, forecast),
    isPastDue && shop.may('paymentMethods.manage') && linkButton(say`Change payment method`, PATHS.paymentMethods),
    ends &&
      shop.may('subscriptions.restore') &&
      press(`${path}/restore`, csrf, button(say`Keep it after all`, { kind: 'primary' })),
    pendingPlan && mayChange && press(`${path}/keep`, csrf, button(say`Stay on ${plan.name}`)),
    !ends && !isPastDue && mayChange && linkButton(say`Change plan`, `${path}/change`),
    plan.scope !== 'BUSINESS' &&
      mayChange &&
      linkButton(plan.scope === 'STORE' ? say`Move to another store` : say`Move to another terminal`, `${path}/move`),
    !ends &&
      shop.may('subscriptions.cancel') &&
      linkButton(say`Cancel subscription`, `${path}/cancel`, { kind: 'quiet' }),
  ].filter(action => action !== false && action !== undefined)
  return actions.length > 0 && html`<div class="buttons">${actions}</div>`
}

/** Charges everything that is open, from the oldest invoice on. Absent while a payment is under way. */
function payButton(csrf: string, { subscription, openInvoices }: ShownSubscription['forecast']): Html | false {
  const [oldest] = openInvoices
  if (oldest === undefined || subscription.awaitedChargeId !== undefined) return false
  const amount = openInvoices.reduce((sum, invoice) => sum + invoice.amount, 0)
  const text = say`Pay ${moneyWords({ amount, currency: subscription.currency })} now`
  return press(`${PATHS.invoices}/${oldest.invoiceId}/pay`, csrf, button(text, { kind: 'primary' }))
}

const CLOSED = new Set<RejectionCode>(['STORE_NOT_FOUND', 'DEVICE_NOT_FOUND'])

type RestorePorts = Parameters<typeof restore>[0]

/** Undoes a scheduled cancellation. The page shows the future costs beside the button. */
export function restoreSubscriptionPage(ports: RestorePorts): AnyPage {
  return ownPage(ports, {
    method: 'POST',
    path: `${PATHS.subscriptions}/:subscriptionId/restore`,
    name: 'restoreOwnSubscription',
    operation: 'subscriptions.restore',
    params: Type.Object({ subscriptionId: Uuid }),
    async handle(call, shop) {
      const subscription = await findOwnSubscription(call.db.sql, shop, call.params.subscriptionId)
      if (isRejection(subscription)) return subscription
      const { subscriptionId, appId, businessId } = subscription
      const back = `${PATHS.subscriptions}/${subscriptionId}`
      const restored = await restore({ ...ports, db: call.db }, { subscriptionId, appId, businessId })
      if (!isRejection(restored)) return redirect(`${back}?done=restored`)
      // The store or terminal is closed permanently: pressing again cannot help.
      if (CLOSED.has(restored.rejected)) return restored
      // Pressed twice, or too late: the page shows the state.
      return redirect(back)
    },
  })
}
