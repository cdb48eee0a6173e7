import { assert } from '../../core/assert.ts'
import { effectiveNow } from '../../core/business.ts'
import { isPayable } from '../../core/purchase.ts'
import { forecastNext, type SubscriptionForecast } from '../../money/billing/forecast.ts'
import { findInvoice, type Invoice } from '../../money/invoices/store.ts'
import type { PaymentMethod } from '../../money/payment-methods/store.ts'
import { outcomeOf } from '../../money/purchases/purchases.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { PageAnswer } from '../../platform/http/page.ts'
import { facts } from '../../platform/web/components/content.ts'
import { button, choices, form, linkButton } from '../../platform/web/components/form.ts'
import { dayWords, instantWords, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { english, say, sayHtml, sayText } from '../../platform/web/say.ts'
import { type Till, type TillCall, type TillPorts, tillShownOf } from './till-page.ts'

/** Most gateways answer within a second, and the buyer waits for it. */
const CHARGING = { refreshSeconds: 1 }
/** A confirmation takes a person a minute, and a page without script must not reload under the link to the bank. */
const CONFIRMING = { refreshSeconds: 3 }

/** The result of a completed purchase so far. */
export async function result(ports: TillPorts, call: TillCall, till: Till): Promise<PageAnswer> {
  const { purchase, business } = till
  assert(purchase.subscriptionId, 'a completed purchase has a subscription')
  const { sql } = ports.db
  const subscription = await findSubscription(sql, purchase.subscriptionId)
  assert(subscription, 'a subscription is never deleted')
  const [forecast] = await forecastNext(sql, [subscription], effectiveNow(business, ports.clock.now()))
  const invoice = purchase.invoiceId === undefined ? null : await findInvoice(sql, purchase.invoiceId)
  assert(forecast, 'forecastNext returns one forecast per subscription')
  const bought = { till, forecast, invoice }
  const outcome = await outcomeOf(ports, purchase)
  switch (outcome.status) {
    case 'NOTHING_DUE':
    case 'PAID':
      return tillShownOf(call, till, { title: say`Done`, main: done(bought) })
    case 'PENDING':
      return tillShownOf(call, till, { title: say`Processing`, main: pending(bought) }, CHARGING)
    case 'ACTION_REQUIRED':
      return tillShownOf(
        call,
        till,
        { title: say`Confirm with your bank`, main: asked(bought, outcome.actionUrl) },
        CONFIRMING,
      )
    case 'DECLINED':
      return tillShownOf(call, till, {
        title: say`Payment declined`,
        main: declinedResult(call, bought, { reason: outcome.reason, now: ports.clock.now() }),
      })
  }
}

function done({ till, forecast, invoice }: Bought): Html {
  const { plan, app, business } = till
  const { subscription, nextCharge } = forecast
  const { currency, trialEndAt, phase } = subscription
  const { timezone } = business
  const next =
    nextCharge && say`${moneyWords({ amount: nextCharge.amount, currency })} on ${dayWords(nextCharge.at, timezone)}`
  return html`<div class="result good">${tick()}<h1>${doneTitle(till)}</h1></div>
<p class="lead">${say`${plan.name} is yours to use.`}</p>
${facts([
  [say`Charged`, invoice === null ? say`nothing` : moneyWords({ amount: invoice.amountPaid, currency })],
  phase === 'TRIAL' && trialEndAt && [say`Free until`, dayWords(trialEndAt, timezone)],
  next !== undefined && [say`Next charge`, next],
])}
<p>${say`Go back to ${app.name}: you can close this page.`}</p>`
}

function doneTitle({ purchase: { kind } }: Till): string {
  if (kind === 'RESTORE') return say`Done: it goes on`
  return kind === 'REPLACE' ? say`Done: plan changed` : say`Done`
}

function pending({ till: { app, path }, invoice, forecast: { subscription } }: Bought): Html {
  return html`<h1>${say`The payment is being confirmed`}</h1>
<p class="lead">${say`${money(invoice)} is on its way. The bank has not answered yet.`}</p>
<p>${say`This page updates by itself. Please do not pay again: nothing is charged twice.`}</p>
<p>${subscription.status === 'PENDING' ? say`It starts as soon as the bank confirms.` : say`You need not wait for it: you can use ${app.name} already.`}</p>
<p>${linkButton(say`Refresh now`, path, { size: 'small' })}</p>`
}

function asked({ invoice }: Bought, actionUrl: string | undefined): Html {
  return html`<h1>${say`Your bank needs you to confirm this payment`}</h1>
<p class="lead">${say`${money(invoice)} is paid once you have confirmed it with your bank.`}</p>
${actionUrl !== undefined && html`<p>${linkButton(say`Confirm with your bank`, actionUrl, { kind: 'primary', size: 'large' })}</p>`}
<p>${say`Then come back: this page updates by itself. Nothing is charged twice.`}</p>`
}

function money(invoice: Bought['invoice']): string {
  return invoice === null ? say`The payment` : moneyWords(invoice)
}

/** Decorative: the text says the same. */
function tick(): Html {
  return html`<svg viewBox="0 0 24 24" width="40" height="40" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="M7 12.5l3.4 3.4L17 9"/></svg>`
}

/** The result of a completed purchase. */
interface Bought {
  readonly till: Till
  readonly forecast: SubscriptionForecast
  readonly invoice: Pick<Invoice, 'amount' | 'amountPaid' | 'currency'> | null
}

/**
 * The bank declined. The purchase is complete all the same: the merchant pays for the subscription, or buys again if the decline ended it.
 */
function declinedResult(
  call: TillCall,
  { till, forecast: { subscription }, invoice }: Bought,
  { reason, now }: { readonly reason: string | undefined; readonly now: Date },
): Html {
  const { app, plan, business } = till
  const money = invoice === null ? say`The payment` : moneyWords(invoice)
  const why = declineWords(reason)
  if (subscription.status === 'ENDED') {
    return html`<h1>${say`The payment was declined`}</h1>
<p class="lead">${why} ${subscription.endReason === 'NOT_STARTED' ? say`${money} was not charged, and ${plan.name} has not started.` : say`${money} was not charged, and ${plan.name} has ended.`}</p>
<p>${say`Go back to ${app.name} and start again with another card.`}</p>`
  }
  const { graceEndAt, nextRetryAt } = subscription
  const { timezone } = business
  return html`<h1>${say`The payment was declined`}</h1>
<p class="lead">${why} ${say`${money} was not charged.`}</p>
<p>${graceEndAt && say`You can use ${app.name} until ${dayWords(graceEndAt, timezone)}. If it is not paid by then, it ends.`}
${nextRetryAt && say`We try again by ourselves on ${instantWords(nextRetryAt, timezone)}.`}</p>
${mayPay(till, now) ? payAgain(call, till, { isForGood: nextRetryAt === undefined }) : html`<p>${sayHtml`To pay now, an owner or a manager can choose another payment method under ${html`<a href="/my/payment-methods">${say`Payment methods`}</a>`}.`}</p>`}`
}

/** A decline, for the person who pays. */
export function declineWords(reason: string | undefined): string {
  return reason === 'insufficient_funds'
    ? say`There was not enough money on the account.`
    : say`The bank declined the payment.`
}

/** A signed-in person may pay. A person with only the address of the screen may pay for an hour, while the terminal's user is signed in. */
export function mayPay({ by, purchase, barred }: Pick<Till, 'by' | 'purchase' | 'barred'>, now: Date): boolean {
  return 'principal' in by || (barred === undefined && isPayable(purchase, now))
}

/** The new payment method applies to the whole business, and overdue invoices are charged at once (decisions 6). */
function payAgain(call: TillCall, till: Till, { isForGood }: { readonly isForGood: boolean }): Html {
  const [declined, ...others] = till.paymentMethods
  // Decisions 6: a hard decline is not retried.
  const offered = declined && !isForGood ? [declined, ...others] : others
  return html`<h2>${say`Pay now`}</h2>
<p>${say`This payment method becomes the default for all your subscriptions.`}</p>
${others.length === 0 && html`<p>${anotherCard(till, 'primary')}</p>`}
${offered.length > 0 && form({ csrf: call.csrf, action: `${till.path}/pay`, ...payForm(till, offered, declined) })}`
}

function payForm(till: Till, offered: readonly PaymentMethod[], declined: PaymentMethod | undefined) {
  const first = offered.find(method => method !== declined)
  if (first === undefined) {
    const hidden = { paymentMethodId: declined?.paymentMethodId ?? '' }
    return { hidden, body: html`<p>${button(say`Try the same card again`, { size: 'large' })}</p>` }
  }
  const options = offered.map(method => ({
    value: method.paymentMethodId,
    text: method.label,
    ...(method === declined ? { detail: say`Declined` } : {}),
  }))
  const body = html`${choices({ name: 'paymentMethodId', legend: say`Pay with`, options, value: first.paymentMethodId })}
<p>${anotherCard(till)}</p>
<p>${button(say`PAY NOW`, { kind: 'primary', size: 'large' })}</p>`
  return { body }
}

function anotherCard({ path }: Till, kind?: 'primary'): Html {
  return linkButton(say`Use another card`, `${path}/card`, kind ? { kind, size: 'large' } : { size: 'small' })
}

/** Expired or cancelled: 410. */
export function over(call: TillCall, till: Till): PageAnswer {
  const texts = till.purchase.status === 'CANCELLED' ? CANCELLED : EXPIRED
  const [title, words] = [sayText(texts.title), sayText(texts.words)]
  const main = html`<h1>${title}</h1>
<p class="lead">${words}</p>
<p>${say`Go back to ${till.app.name}. You can start again there at any time.`}</p>`
  return tillShownOf(call, till, { title, main }, { status: 410 })
}

const CANCELLED = { title: english('Cancelled'), words: english('Nothing was bought, and nothing was charged.') }

/** Decisions 9: "EXPIRED after 30 min". */
const EXPIRED = {
  title: english('This took too long'),
  words: english('A purchase is open for 30 minutes. Nothing was bought, and nothing was charged.'),
}
