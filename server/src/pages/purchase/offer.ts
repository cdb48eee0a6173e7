import { findPlan } from '../../catalog/plans/store.ts'
import type { InvoiceLine } from '../../core/invoice.ts'
import type { Plan } from '../../core/plan.ts'
import type { PurchasePreview } from '../../core/preview.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { InvoiceTax } from '../../core/tax.ts'
import type { PaymentMethod } from '../../money/payment-methods/store.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { PageAnswer } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { notice, price, receipt } from '../../platform/web/components/content.ts'
import { button, choices, form, linkButton } from '../../platform/web/components/form.ts'
import { dayWords, everyWords, moneyWords, taxWords, withTaxWords } from '../../platform/web/format.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { declineWords } from './result.ts'
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
  const words = say`${declineWords(declined.reason)} Nothing was charged, and nothing has started. Choose another card, then buy again.`
  return notice('warn', say`The payment was declined`, words)
}

function titleOf({ purchase: { kind }, plan }: Till): string {
  if (kind === 'RESTORE') return say`Keep ${plan.name}`
  return kind === 'REPLACE' ? say`Change to ${plan.name}` : plan.name
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
    total: { text: say`Charged today`, amount },
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
  const changes = others.length > 0 && say`Your choice becomes the default for all your subscriptions.`
  return html`${choices({
    name: 'paymentMethodId',
    legend: say`Pay with`,
    ...(changes ? { hint: changes } : {}),
    options: [first, ...others].map(optionOf),
    value: first.paymentMethodId,
  })}
<p>${linkButton(say`Use another card`, add, { size: 'small' })}</p>`
}

function optionOf({ paymentMethodId, label }: PaymentMethod, i: number) {
  return { value: paymentMethodId, text: label, ...(i === 0 ? { detail: say`Default` } : {}) }
}

function noMethod({ amount, trialEndAt, next, currency }: PurchasePreview, add: string): Html {
  if (amount > 0) return html`<p>${say`There is no card yet. Add one, then buy.`}</p>`
  const later =
    next === undefined
      ? say`Add one before the first charge: without a card the payment fails.`
      : say`Add one before the first charge: ${moneyWords({ amount: next.amount, currency })} is due then, and without a card the payment fails.`
  return html`<p>${trialEndAt ? say`You need no card to start.` : say`You need no card today.`} ${later}</p>
<p>${linkButton(say`Add a card`, add, { size: 'small' })}</p>`
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
  const said = [say`It takes the place of ${before?.plan.name ?? say`your plan`} at once.`]
  if (trialEndAt !== undefined)
    said.push(say`Your free trial goes on until ${dayWords(trialEndAt, timezone)}. Nothing is charged today.`)
  if (creditGranted > 0)
    said.push(say`For the paid time that you do not use you get ${money(creditGranted)} as credit.`)
  if (trialEndAt === undefined)
    said.push(amount === 0 ? say`Nothing is charged today.` : say`${money(amount)} is charged today.`)
  if (creditBalance > 0) said.push(say`${money(creditBalance)} of credit is left for your next invoices.`)
  const then = say`Then ${money(price)}${withTaxWords(tax)} ${everyWords(plan)}: the next charge is ${nextWords(preview, timezone)}.`
  if (price > 0) said.push(preview.next === undefined ? creditedWords(preview) : then)
  return said
}

function keepWords({ business: { timezone } }: Till, preview: PurchasePreview, before: Before | undefined): string[] {
  const cancelAt = before?.subscription.cancelAt
  return [
    cancelAt === undefined
      ? say`You cancelled it.`
      : say`You cancelled it: it would end on ${dayWords(cancelAt, timezone)}.`,
    say`If you keep it, it goes on as before. Nothing is charged today.`,
    preview.next === undefined ? creditedWords(preview) : say`Next charge: ${nextWords(preview, timezone)}.`,
  ]
}

/** The amount due now and the two buttons, always visible. */
function buyBar({ purchase: { kind }, paymentMethods, path }: Till, { amount, currency }: PurchasePreview): Html {
  const needsCard = amount > 0 && paymentMethods.length === 0
  const today = amount === 0 ? say`Nothing` : moneyWords({ amount, currency })
  const buy = button(kind === 'RESTORE' ? say`KEEP IT` : say`BUY NOW`, { kind: 'primary', size: 'large' })
  return html`<div class="buy-bar">
<p><span>${say`Charged today`}</span> <strong>${today}</strong></p>
${needsCard ? linkButton(say`ADD A CARD`, `${path}/card`, { kind: 'primary', size: 'large' }) : buy}
<button class="button quiet" type="submit" form="cancel">${say`Cancel`}</button>
</div>`
}

/** The page for a purchase that is no longer possible: the reason and the next step. Nothing was charged. */
export function cannotBuy(
  call: TillCall,
  till: Till,
  rejection: Rejection = reject('PURCHASE_CLOSED', ''),
): PageAnswer {
  const { rejected } = rejection
  const { message } = PROBLEMS[rejected]
  const advice = ADVICE[rejected]
  // 401 is for tokens; browsers have none here.
  const status = rejected === 'INVALID_USER_SESSION' ? 403 : PROBLEMS[rejected].status
  const main = html`<h1>${say`This cannot be bought now`}</h1>
<p class="lead">${sayText(SAID[rejected] ?? message)}</p>
<p>${say`Nothing was bought, and nothing was charged.`} ${advice === undefined ? say`Go back to ${till.app.name} and look again.` : sayText(advice)}</p>
<form method="post" action="${till.path}/cancel"><input type="hidden" name="csrf" value="${call.csrf}"><button class="button large" type="submit">${say`Close`}</button></form>`
  // In progress: may be possible in a moment.
  const waits = rejected === 'CHARGE_IN_PROGRESS' ? { refreshSeconds: 5 } : {}
  return tillShownOf(call, till, { title: say`Not possible now`, main }, { status, ...waits })
}

const SAID: Partial<Record<Rejection['rejected'], string>> = {
  INVALID_USER_SESSION: english('The user who started this purchase is no longer signed in on the terminal.'),
  FORBIDDEN: english('The user who started this purchase may no longer buy here. Ask a manager.'),
  ALREADY_SUBSCRIBED: english('You have this plan already. Perhaps it was bought on another screen.'),
  SAME_PLAN: english('You are on this plan already.'),
  NOT_SCHEDULED_TO_CANCEL: english('The subscription is not cancelled: it goes on.'),
  ALREADY_ENDED: english('The subscription has ended meanwhile.'),
  PAYMENT_DUE: english('A payment of your subscription has failed, and comes first.'),
  CHARGE_IN_PROGRESS: english('A payment of your subscription is under way.'),
  CANCEL_SCHEDULED: english('The subscription was cancelled, and is about to end.'),
  PLAN_RETIRED: english('This plan is no longer sold.'),
  APPLICATION_DISABLED: english('This app takes no new subscribers at the moment.'),
}

const ADVICE: Partial<Record<Rejection['rejected'], string>> = {
  INVALID_USER_SESSION: english('Sign in on the terminal, then start again in the app.'),
  FORBIDDEN: english('Ask a manager to sign in on the terminal and to start again in the app.'),
  PAYMENT_DUE: english('Change the payment method of the subscription, then try again.'),
  CHARGE_IN_PROGRESS: english('This page updates by itself.'),
  CANCEL_SCHEDULED: english('Keep it first, then change the plan.'),
  ALREADY_ENDED: english('Subscribe again to go on.'),
  PLAN_RETIRED: english('Choose another plan in the app.'),
}

interface Shown {
  readonly title: Html
  readonly bill?: Part
  readonly points: readonly string[]
}

/** A plan as the purchase screen shows it: name, description, price, and the consequences in short sentences. */
export function planTerms(plan: Plan, preview: PurchasePreview, { title, bill, points }: Shown): Html {
  return html`${title}
${plan.description && html`<p>${plan.description}</p>`}
${price({ ...plan, amount: preview.price, currency: preview.currency, ...(preview.tax && { tax: preview.tax }) })}
${bill}
<ul class="points">${points.map(words => html`<li>${words}</li>`)}</ul>`
}

/** The consequences of a first purchase, for a payer who reads once. */
export function firstWords(plan: Plan, preview: PurchasePreview, timezone?: string): string[] {
  return [...startWords(plan, preview, timezone), ...endWords(plan, preview)]
}

function startWords(plan: Plan, preview: PurchasePreview, timezone: string | undefined): string[] {
  const { price, amount, currency, trialEndAt, next, tax } = preview
  const each = `${moneyWords({ amount: price, currency })}${withTaxWords(tax)} ${everyWords(plan)}`
  if (trialEndAt !== undefined) {
    const days = plan.trialPeriodDays
    const free = days === 1 ? say`1 day` : say`${days} days`
    if (price === 0) return [say`Free for ${free}, and free afterwards.`]
    const first = say`First charge: ${nextWords(preview, timezone)}.`
    return [say`Free for ${free}, then ${each}.`, next === undefined ? creditedWords(preview) : first]
  }
  if (price === 0) return [say`Nothing is charged.`]
  const then =
    next === undefined ? creditedWords(preview) : say`Then ${each}: the next charge is ${nextWords(preview, timezone)}.`
  if (amount === 0) return [say`Your credit pays for it today.`, then]
  return [say`${moneyWords({ amount, currency })} is charged today.`, then]
}

/** The effect of a later cancellation, shown before the purchase. */
function endWords(plan: Plan, { price, trialEndAt }: PurchasePreview): string[] {
  if (price === 0) return [say`You can cancel at any time.`]
  const after =
    plan.cancelPolicy === 'BILLING'
      ? say`You can cancel at any time and use it until the end of the paid period.`
      : say`You can cancel at any time. It then ends at once, without a refund.`
  return trialEndAt === undefined ? [after] : [say`If you cancel before the first charge, you pay nothing.`, after]
}

/** "$5.00 on 12 March 2026", with a note if credit reduces the amount. */
function nextWords({ next, price, tax, currency }: PurchasePreview, timezone?: string): string {
  if (next === undefined) return say`nothing`
  const money = moneyWords({ amount: next.amount, currency })
  const day = dayWords(next.at, timezone)
  return next.amount < (tax?.gross ?? price) ? say`${money} on ${day}, after your credit` : say`${money} on ${day}`
}

function creditedWords({ price }: PurchasePreview): string {
  return price === 0 ? say`Nothing is charged later, either.` : say`Your credit pays for the next charge, too.`
}

/**
 * The lines of a future invoice for a receipt. An added tax has its own line; a tax that the price contains
 * stands below the price.
 */
export function receiptLines(
  { lines, tax, currency }: { lines: readonly InvoiceLine[]; tax?: InvoiceTax; currency: string },
  timezone: string,
) {
  return lines.flatMap(line => {
    const { kind, description, periodStart, periodEnd, amount, net, tax: taxAmount } = line
    const text = kind === 'CREDIT' ? say`Credit` : description
    const period = say`${dayWords(periodStart, timezone)} to ${dayWords(periodEnd, timezone)}`
    if (tax === undefined || net === undefined || taxAmount === undefined) return [{ text, detail: period, amount }]
    if (tax.isReverseCharge) return [{ text, detail: `${period} · ${say`${tax.name} (reverse charge)`}`, amount }]
    if (tax.behavior === 'EXCLUSIVE')
      return [
        { text, detail: period, amount: net },
        { text: taxWords(tax), amount: taxAmount },
      ]
    const included = say`includes ${moneyWords({ amount: taxAmount, currency })} of tax (${taxWords(tax)})`
    return [{ text, detail: `${period} · ${included}`, amount }]
  })
}
