import { isPayable } from '../../core/purchase.ts'
import { button, linkButton } from '../../web/components/button.ts'
import { choices } from '../../web/components/choice.ts'
import { form } from '../../web/components/form.ts'
import { dayWords, instantWords } from '../../web/dates.ts'
import { type Html, html } from '../../web/html.ts'
import { moneyWords } from '../../web/money.ts'
import type { Bought } from './result.ts'
import type { Till, TillCall } from './till.ts'

/**
 * The bank refused. The purchase came true all the same: what is left to do is to pay for the subscription that there is, or,
 * where the refusal has ended it, to begin again.
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
${mayPay(till, now) ? payAgain(call, till) : html`<p>To pay now, an owner or a manager can choose another payment method under <a href="/my/payment-methods">Payment methods</a>.</p>`}`
}

/** Whoever signed in; who only has the address of the screen, for a while. */
export function mayPay({ by, purchase }: Pick<Till, 'by' | 'purchase'>, now: Date): boolean {
  return 'principal' in by || isPayable(purchase, now)
}

/** A payment method is changed for the whole business, and what is due is charged to it at once (decisions 6). */
function payAgain(call: TillCall, { paymentMethods, path }: Till): Html {
  return html`<h2>Pay now</h2>
${form({
  csrf: call.csrf,
  action: `${path}/pay`,
  body: html`${choices({
    name: 'paymentMethodId',
    legend: 'Pay with',
    hint: 'What you choose is charged at once, and pays for all your subscriptions from now on.',
    options: paymentMethods.map(({ paymentMethodId, label }, i) => ({
      value: paymentMethodId,
      text: label,
      ...(i === 0 ? { detail: 'Was refused just now' } : {}),
    })),
    ...(paymentMethods[1] ? { value: paymentMethods[1].paymentMethodId } : {}),
  })}
<p>${linkButton('Use another card', `${path}/card`, { size: 'small' })}</p>
${button('PAY NOW', { kind: 'primary', size: 'large' })}`,
})}`
}
