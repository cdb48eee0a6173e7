import { isPayable } from '../../core/purchase.ts'
import type { PaymentMethod } from '../../money/payment-methods/store.ts'
import { button, linkButton } from '../../platform/web/components/button.ts'
import { choices } from '../../platform/web/components/choice.ts'
import { form } from '../../platform/web/components/form.ts'
import { dayWords, instantWords } from '../../platform/web/dates.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { moneyWords } from '../../platform/web/money.ts'
import type { Bought } from './bought.ts'
import type { Till, TillCall } from './till.ts'

/**
 * The bank refused. The purchase came true all the same: what is left to do is to pay for the subscription that there is, or,
 * where the rejection has ended it, to begin again.
 */
export function refusedResult(
  call: TillCall,
  { till, foreseen: { subscription }, invoice }: Bought,
  { reason, now }: { readonly reason: string | undefined; readonly now: Date },
): Html {
  const { app, plan, business } = till
  const money = invoice === null ? 'The payment' : moneyWords(invoice)
  const why =
    reason === 'insufficient_funds' ? 'There was not enough money on the account.' : 'The bank refused the payment.'
  if (subscription.status === 'ENDED') {
    return html`<h1>The payment was refused</h1>
<p class="lead">${why} ${money} was not charged, and ${plan.name} has ended.</p>
<p>Go back to ${app.name} and start again with another card.</p>`
  }
  const { graceEndAt, nextRetryAt } = subscription
  const { timezone } = business
  return html`<h1>The payment was refused</h1>
<p class="lead">${why} ${money} was not charged.</p>
<p>${graceEndAt && `You can use ${app.name} until ${dayWords(graceEndAt, timezone)}. If it is not paid by then, it ends.`}
${nextRetryAt && `We try again by ourselves on ${instantWords(nextRetryAt, timezone)}.`}</p>
${mayPay(till, now) ? payAgain(call, till, { isForGood: nextRetryAt === undefined }) : html`<p>To pay now, an owner or a manager can choose another payment method under <a href="/my/payment-methods">Payment methods</a>.</p>`}`
}

/** Whoever signed in; who only has the address of the screen, for a while, and while its user is signed in there. */
export function mayPay({ by, purchase, barred }: Pick<Till, 'by' | 'purchase' | 'barred'>, now: Date): boolean {
  return 'principal' in by || (barred === undefined && isPayable(purchase, now))
}

/** A payment method is changed for the whole business, and what is due is charged to it at once (decisions 6). */
function payAgain(call: TillCall, till: Till, { isForGood }: { readonly isForGood: boolean }): Html {
  const [refused, ...others] = till.paymentMethods
  // Decisions 6: what was refused for good is not tried again.
  const offered = refused && !isForGood ? [refused, ...others] : others
  return html`<h2>Pay now</h2>
<p>What you pay with now pays for all your subscriptions from then on.</p>
${others.length === 0 && html`<p>${anotherCard(till, 'primary')}</p>`}
${offered.length > 0 && form({ csrf: call.csrf, action: `${till.path}/pay`, ...payForm(till, offered, refused) })}`
}

function payForm(till: Till, offered: readonly PaymentMethod[], refused: PaymentMethod | undefined) {
  const first = offered.find(method => method !== refused)
  if (first === undefined) {
    const hidden = { paymentMethodId: refused?.paymentMethodId ?? '' }
    return { hidden, body: html`<p>${button('Try the same card again', { size: 'large' })}</p>` }
  }
  const options = offered.map(method => ({
    value: method.paymentMethodId,
    text: method.label,
    ...(method === refused ? { detail: 'Was refused' } : {}),
  }))
  const body = html`${choices({ name: 'paymentMethodId', legend: 'Pay with', options, value: first.paymentMethodId })}
<p>${anotherCard(till)}</p>
<p>${button('PAY NOW', { kind: 'primary', size: 'large' })}</p>`
  return { body }
}

function anotherCard({ path }: Till, kind?: 'primary'): Html {
  return linkButton('Use another card', `${path}/card`, kind ? { kind, size: 'large' } : { size: 'small' })
}
