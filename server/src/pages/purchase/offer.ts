import { findPlan } from '../../catalog/plans/store.ts'
import type { Plan } from '../../core/plan.ts'
import type { PurchasePreview } from '../../core/preview.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { PaymentMethod } from '../../money/payment-methods/store.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { PageAnswer } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { notice, receipt } from '../../platform/web/components/content.ts'
import { button, choices, form, linkButton } from '../../platform/web/components/form.ts'
import { dayWords, everyWords, moneyWords, withTaxWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { receiptLines } from '../receipt-lines.ts'
import { declineWords } from './result.ts'
import { creditedWords, firstWords, nextWords, planTerms } from './terms.ts'
import { type Till, type TillCall, tillShownOf } from './till-page.ts'

/** An open purchase: content, price, payment method and button. `said`: the result of pressing it. */
export async function offer({ db }: Pick<Ports, 'db'>, call: TillCall, till: Till, said?: Html): Promise<PageAnswer> {
  const { preview, plan } = till
  if (preview === undefined || isRejection(preview)) return cannotBuy(call, till, preview)
  const before = await findBefore(db, till)
  const main = html`${said ?? declinedNotice(till)}
${planTerms(plan, preview, {
  title: html`<h1>${titleOf(till)}</h1>`,
  bill: (preview.lines.length > 1 || preview.tax) && preview.lines.length > 0 && bill(till, preview),
  points: offerWords(till, preview, before),
})}
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

/** Decisions 5: the decline is shown, and another card can be chosen. */
function declinedNotice({ declined }: Till): Html | undefined {
  if (declined === undefined) return undefined
  const words = `${declineWords(declined.reason)} Nothing was charged, and nothing has started. Choose another card, then buy again.`
  return notice('warn', 'The payment was declined', words)
}

function titleOf({ purchase: { kind }, plan }: Till): string {
  if (kind === 'RESTORE') return `Keep ${plan.name}`
  return kind === 'REPLACE' ? `Change to ${plan.name}` : plan.name
}

/** The subscription before a change or restore. */
async function findBefore({ sql }: Ports['db'], { purchase }: Till): Promise<Before | undefined> {
  if (purchase.subscriptionId === undefined) return undefined
  const subscription = await findSubscription(sql, purchase.subscriptionId)
  const plan = subscription && (await findPlan(sql, subscription.planId))
  return subscription && plan ? { subscription, plan } : undefined
}

/** The lines of the future invoice. */
function bill({ business: { timezone } }: Till, preview: PurchasePreview): Html {
  const { amount, currency } = preview
  return receipt({
    currency,
    lines: receiptLines(preview, timezone),
    total: { text: 'Charged today', amount },
  })
}

/** The payment method. Omitted for free plans and for restores that keep the current one. */
function paying(till: Till, preview: PurchasePreview): Html | false {
  const { purchase, paymentMethods, path } = till
  const isFree = preview.price === 0 && preview.amount === 0
  if (isFree || purchase.kind === 'RESTORE') return false
  const add = `${path}/card`
  const [first, ...others] = paymentMethods
  if (first === undefined) return noMethod(preview, add)
  const changes = others.length > 0 && 'Your choice becomes the default for all your subscriptions.'
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
  return { value: paymentMethodId, text: label, ...(i === 0 ? { detail: 'Default' } : {}) }
}

function noMethod({ amount, trialEndAt, next, currency }: PurchasePreview, add: string): Html {
  if (amount > 0) return html`<p>There is no card yet. Add one, then buy.</p>`
  const later = next === undefined ? '' : ` ${moneyWords({ amount: next.amount, currency })} is due then`
  return html`<p>${trialEndAt ? 'You need no card to start.' : 'You need no card today.'} Add one before the first charge:${later}, and without a card the payment fails.</p>
<p>${linkButton('Add a card', add, { size: 'small' })}</p>`
}

/** The subscription that changes or continues, and its plan. */
interface Before {
  readonly subscription: Subscription
  readonly plan: Plan
}

/** The consequences in short sentences, for a payer who reads once. */
function offerWords(till: Till, preview: PurchasePreview, before: Before | undefined): string[] {
  if (till.purchase.kind === 'RESTORE') return keepWords(till, preview, before)
  if (till.purchase.kind === 'REPLACE') return changeWords(till, preview, before)
  return firstWords(till.plan, preview, till.business.timezone)
}

function changeWords({ plan, business: { timezone } }: Till, preview: PurchasePreview, before: Before | undefined) {
  const { price, amount, currency, trialEndAt, creditGranted, creditBalance, tax } = preview
  const money = (value: number) => moneyWords({ amount: value, currency })
  const said = [`It takes the place of ${before?.plan.name ?? 'your plan'} at once.`]
  if (trialEndAt !== undefined)
    said.push(`Your free trial goes on until ${dayWords(trialEndAt, timezone)}. Nothing is charged today.`)
  if (creditGranted > 0) said.push(`For the paid time that you do not use you get ${money(creditGranted)} as credit.`)
  if (trialEndAt === undefined)
    said.push(amount === 0 ? 'Nothing is charged today.' : `${money(amount)} is charged today.`)
  if (creditBalance > 0) said.push(`${money(creditBalance)} of credit is left for your next invoices.`)
  const then = `Then ${money(price)}${withTaxWords(tax)} ${everyWords(plan)}: the next charge is ${nextWords(preview, timezone)}.`
  if (price > 0) said.push(preview.next === undefined ? creditedWords(preview) : then)
  return said
}

function keepWords({ business: { timezone } }: Till, preview: PurchasePreview, before: Before | undefined): string[] {
  const cancelAt = before?.subscription.cancelAt
  return [
    cancelAt === undefined ? 'You cancelled it.' : `You cancelled it: it would end on ${dayWords(cancelAt, timezone)}.`,
    'If you keep it, it goes on as before. Nothing is charged today.',
    preview.next === undefined ? creditedWords(preview) : `Next charge: ${nextWords(preview, timezone)}.`,
  ]
}

/** The amount due now and the two buttons, always visible. */
function buyBar({ purchase: { kind }, paymentMethods, path }: Till, { amount, currency }: PurchasePreview): Html {
  const needsCard = amount > 0 && paymentMethods.length === 0
  const today = amount === 0 ? 'Nothing' : moneyWords({ amount, currency })
  const buy = button(kind === 'RESTORE' ? 'KEEP IT' : 'BUY NOW', { kind: 'primary', size: 'large' })
  return html`<div class="buy-bar">
<p><span>Charged today</span> <strong>${today}</strong></p>
${needsCard ? linkButton('ADD A CARD', `${path}/card`, { kind: 'primary', size: 'large' }) : buy}
<button class="button quiet" type="submit" form="cancel">Cancel</button>
</div>`
}

/** Things are no longer as they were when the purchase was opened: why, and what to do. Nothing was charged. */
export function cannotBuy(
  call: TillCall,
  till: Till,
  rejection: Rejection = reject('PURCHASE_CLOSED', ''),
): PageAnswer {
  const { rejected } = rejection
  const { message } = PROBLEMS[rejected]
  // 401 is for tokens; browsers have none here.
  const status = rejected === 'INVALID_USER_SESSION' ? 403 : PROBLEMS[rejected].status
  const main = html`<h1>This cannot be bought now</h1>
<p class="lead">${SAID[rejected] ?? message}</p>
<p>Nothing was bought, and nothing was charged. ${ADVICE[rejected] ?? `Go back to ${till.app.name} and look again.`}</p>
<form method="post" action="${till.path}/cancel"><input type="hidden" name="csrf" value="${call.csrf}"><button class="button large" type="submit">Close</button></form>`
  // In progress: may be possible in a moment.
  const waits = rejected === 'CHARGE_IN_PROGRESS' ? { refreshSeconds: 5 } : {}
  return tillShownOf(call, till, { title: 'Not possible now', main }, { status, ...waits })
}

const SAID: Partial<Record<Rejection['rejected'], string>> = {
  INVALID_USER_SESSION: 'Whoever started this is not signed in on the terminal any more.',
  FORBIDDEN: 'Whoever started this may not buy here any more: that is for a manager to do.',
  ALREADY_SUBSCRIBED: 'You have this plan already. Perhaps it was bought on another screen.',
  SAME_PLAN: 'You are on this plan already.',
  NOT_SCHEDULED_TO_CANCEL: 'The subscription is not cancelled: it goes on.',
  ALREADY_ENDED: 'The subscription has ended meanwhile.',
  PAYMENT_DUE: 'A payment of your subscription has failed, and comes first.',
  CHARGE_IN_PROGRESS: 'A payment of your subscription is under way.',
  CANCEL_SCHEDULED: 'The subscription was cancelled, and is about to end.',
  PLAN_RETIRED: 'This plan is no longer sold.',
  APPLICATION_DISABLED: 'This app takes no new subscribers at the moment.',
}

const ADVICE: Partial<Record<Rejection['rejected'], string>> = {
  INVALID_USER_SESSION: 'Sign in on the terminal, then start again in the app.',
  FORBIDDEN: 'Ask a manager to sign in on the terminal and to start again in the app.',
  PAYMENT_DUE: 'Change the payment method of the subscription, then try again.',
  CHARGE_IN_PROGRESS: 'This page updates by itself.',
  CANCEL_SCHEDULED: 'Keep it first, then change the plan.',
  ALREADY_ENDED: 'Subscribe again to go on.',
  PLAN_RETIRED: 'Choose another plan in the app.',
}
