import { findPlan } from '../../catalog/plans/store.ts'
import type { PurchasePreview } from '../../core/preview.ts'
import { isRejection } from '../../core/rejection.ts'
import type { PaymentMethod } from '../../money/payment-methods/store.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { PageAnswer } from '../../platform/http/page.ts'
import { linkButton } from '../../platform/web/components/button.ts'
import { choices } from '../../platform/web/components/choice.ts'
import { form } from '../../platform/web/components/form.ts'
import { price, receipt } from '../../platform/web/components/price.ts'
import { dayWords } from '../../platform/web/dates.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { moneyWords } from '../../platform/web/money.ts'
import type { Ports } from '../../ports.ts'
import { buyBar } from './buy-bar.ts'
import { cannotBuy } from './cannot-buy.ts'
import { tillShownOf } from './frame.ts'
import { type Before, offerWords } from './offer-words.ts'
import type { Till, TillCall } from './till.ts'

/** An open purchase: what it brings and costs, what it is paid with, and the button. `said`: what happened when it was pressed. */
export async function offer({ db }: Pick<Ports, 'db'>, call: TillCall, till: Till, said?: Html): Promise<PageAnswer> {
  const { preview, plan } = till
  if (preview === undefined || isRejection(preview)) return cannotBuy(call, till, preview)
  const before = await findBefore(db, till)
  const main = html`${said}
<h1>${titleOf(till)}</h1>
${plan.description && html`<p>${plan.description}</p>`}
${price({ amount: preview.price, currency: preview.currency, interval: plan.interval, scope: plan.scope })}
${preview.lines.length > 1 && bill(till, preview)}
<ul class="points">${offerWords(till, preview, before).map(words => html`<li>${words}</li>`)}</ul>
${form({
  csrf: call.csrf,
  action: `${till.path}/buy`,
  hidden: {
    amount: String(preview.amount),
    price: String(preview.price),
    next: String(preview.next?.amount ?? 0),
  },
  body: html`${paying(till, preview)}
${buyBar(till, preview)}`,
})}
<form ${{ method: 'post', action: `${till.path}/cancel`, id: 'cancel' }}><input type="hidden" name="csrf" value="${call.csrf}"></form>`
  return tillShownOf(call, till, { title: titleOf(till), main })
}

function titleOf({ purchase: { kind }, plan }: Till): string {
  if (kind === 'RESTORE') return `Keep ${plan.name}`
  return kind === 'REPLACE' ? `Change to ${plan.name}` : plan.name
}

/** What there is before a change or a restoring. */
async function findBefore({ sql }: Ports['db'], { purchase }: Till): Promise<Before | undefined> {
  if (purchase.subscriptionId === undefined) return undefined
  const subscription = await findSubscription(sql, purchase.subscriptionId)
  const plan = subscription && (await findPlan(sql, subscription.planId))
  return subscription && plan ? { subscription, plan } : undefined
}

/** The lines of the invoice, as it will be. */
function bill({ business: { timezone } }: Till, { lines, amount, currency }: PurchasePreview): Html {
  return receipt({
    currency,
    lines: lines.map(line => ({
      text: line.description,
      detail: `${dayWords(line.periodStart, timezone)} to ${dayWords(line.periodEnd, timezone)}`,
      amount: line.amount,
    })),
    total: { text: 'Charged today', amount },
  })
}

/** What it is paid with: none is asked for where nothing is ever charged, nor where what is paid with already goes on. */
function paying(till: Till, preview: PurchasePreview): Html | false {
  const { purchase, paymentMethods, path } = till
  const isFree = preview.price === 0 && preview.amount === 0
  if (isFree || purchase.kind === 'RESTORE') return false
  const add = `${path}/card`
  const [first, ...others] = paymentMethods
  if (first === undefined) return noMethod(preview, add)
  const changes = others.length > 0 && 'What you choose pays for all your subscriptions from now on.'
  return html`${choices({
    name: 'paymentMethodId',
    legend: 'Pay with',
    ...(changes ? { hint: changes } : {}),
    options: [first, ...others].map(optionOf),
    value: first.paymentMethodId,
  })}
<p>${linkButton('Use another card', add, { size: 'small' })}</p>`
}

function optionOf({ paymentMethodId, label }: PaymentMethod, i: number) {
  return { value: paymentMethodId, text: label, ...(i === 0 ? { detail: 'Pays for your subscriptions now' } : {}) }
}

function noMethod({ amount, trialEndAt, next, currency }: PurchasePreview, add: string): Html {
  if (amount > 0) return html`<p>There is no card yet. Add one, then buy.</p>`
  const later = next === undefined ? '' : ` ${moneyWords({ amount: next.amount, currency })} is due then`
  return html`<p>${trialEndAt ? 'You need no card to start.' : 'You need no card today.'} Add one before the first charge:${later}, and without a card the payment fails.</p>
<p>${linkButton('Add a card', add, { size: 'small' })}</p>`
}
