import { Type } from 'typebox'
import { findPlan, listPlans } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import { type Plan, priceIn } from '../../core/plan.ts'
import type { Preview } from '../../core/preview.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import { changePlan, changePlanAsAgreed, previewPlanChange } from '../../money/billing/change-plan.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Uuid } from '../../platform/http/wire.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { emptyState, facts, notice, receipt } from '../../platform/web/components/content.ts'
import { button, buttons, choices, form, linkButton, question } from '../../platform/web/components/form.ts'
import { dayWords, moneyWords, priceWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import { receiptLines } from '../purchase/offer.ts'
import { findOwnSubscription, framed, ownPage, PATHS, type Shop } from './own-page.ts'

type ChangePorts = Parameters<typeof changePlan>[0]
type Call = PageCall<{ readonly subscriptionId: string }>

const path = `${PATHS.subscriptions}/:subscriptionId/change`
const params = Type.Object({ subscriptionId: Uuid })
const operation = 'subscriptions.change'
const Time = Type.Enum(['NOW', 'PERIOD_END'])
/** The form as the browser sent it. */
const Chosen = Type.Object({ planId: Type.Optional(Uuid), when: Type.Optional(Time) })
/** The amount shown as charged now, in minor units. */
const Agreed = Type.Object({ planId: Uuid, when: Time, amount: Type.String({ pattern: '^\\d{1,12}$' }) })

/** Choose a plan, see the costs, confirm. */
export function changePlanPages(ports: ChangePorts): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path, params, operation, name: 'choosePlan', query: Chosen },
      handle: (call, shop) => withOwn(call, shop, subscription => choose(call, shop, subscription, call.query)),
    }),
    ownPage(ports, {
      ...{ method: 'GET', path: `${path}/preview`, params, operation, name: 'previewOwnPlanChange', query: Chosen },
      handle: (call, shop) =>
        withOwn(call, shop, subscription => {
          const { planId, when } = call.query
          if (planId === undefined) return choose(call, shop, subscription, { when, isIncomplete: true })
          return preview(ports, call, shop, { subscription, planId, when: when ?? 'NOW' })
        }),
    }),
    ownPage(ports, {
      ...{ method: 'POST', path, params, operation, name: 'changeOwnPlan', form: Agreed },
      handle: (call, shop) => withOwn(call, shop, subscription => agree(ports, call, shop, subscription, call.form)),
    }),
    ownPage(ports, {
      ...{
        method: 'POST',
        path: `${PATHS.subscriptions}/:subscriptionId/keep`,
        params,
        operation,
        name: 'keepOwnPlan',
      },
      handle: (call, shop) =>
        withOwn(call, shop, async ({ subscriptionId, appId, businessId, planId }) => {
          const own = { subscriptionId, appId, businessId }
          // A change to the current plan at the period's end removes the pending plan.
          const kept = await changePlan({ ...ports, db: call.db }, { ...own, planId, when: 'PERIOD_END' })
          const back = `${PATHS.subscriptions}/${subscriptionId}`
          return redirect(isRejection(kept) ? back : `${back}?done=kept`)
        }),
    }),
  ]
}

async function withOwn(
  call: Call,
  shop: Shop,
  work: (subscription: Subscription) => Promise<PageAnswer | Rejection>,
): Promise<PageAnswer | Rejection> {
  const subscription = await findOwnSubscription(call.db.sql, shop, call.params.subscriptionId)
  return isRejection(subscription) ? subscription : work(subscription)
}

async function choose(
  call: Call,
  shop: Shop,
  subscription: Subscription,
  choice: Parameters<typeof choiceOfPlan>[2],
): Promise<PageAnswer> {
  const current = await findPlan(call.db.sql, subscription.planId)
  assert(current, 'a plan with subscriptions is never deleted')
  const plans = await plansToChangeTo(call.db.sql, subscription, current)
  const main = html`<h1>${say`Change plan`}</h1>
<p class="lead">${say`You are on ${current.name}.`}</p>
${choiceOfPlan(shop, { subscription, plans }, choice)}`
  const status = choice.isIncomplete ? { status: 400 } : {}
  return framed(call, shop, { title: say`Change plan`, part: 'subscriptions', width: 'narrow', main }, status)
}

interface Asked {
  readonly subscription: Subscription
  readonly planId: string
  readonly when: When
}

async function preview(
  ports: ChangePorts,
  call: Call,
  shop: Shop,
  { subscription, planId, when }: Asked,
  said?: Html,
): Promise<PageAnswer | Rejection> {
  const { subscriptionId, appId, businessId } = subscription
  const plan = await findPlan(call.db.sql, planId)
  const current = await findPlan(call.db.sql, subscription.planId)
  const preview = await previewPlanChange(ports, {
    ...{ subscriptionId, appId, businessId, when },
    planId,
  })
  if (isRejection(preview)) return rejectedPage(call, shop, subscription, preview)
  assert(plan && current, 'a previewed plan exists')
  const main = html`${said}${changePreview(call.csrf, shop, { subscription, current, plan, when, preview })}`
  return framed(call, shop, { title: say`Change to ${plan.name}`, part: 'subscriptions', width: 'narrow', main })
}

/** Charges at most the amount that the page showed. If the price has risen, the page shows the new amount and nothing is charged. */
async function agree(
  ports: ChangePorts,
  call: Call,
  shop: Shop,
  subscription: Subscription,
  form: { readonly planId: string; readonly when: When; readonly amount: string },
): Promise<PageAnswer | Rejection> {
  const { subscriptionId, appId, businessId } = subscription
  const { when } = form
  const planId = form.planId
  const back = `${PATHS.subscriptions}/${subscriptionId}`
  // Pressed twice, or from the browser history: already done.
  if (subscription.planId === planId) return redirect(`${back}?done=changed`)
  const most = Number(form.amount)
  const changed = await changePlanAsAgreed(
    { ...ports, db: call.db },
    { subscriptionId, appId, businessId, planId, when, most },
  )
  if (isRejection(changed)) {
    // Two concurrent submissions: the other one came first.
    const now = await findOwnSubscription(call.db.sql, shop, subscriptionId)
    if (!isRejection(now) && now.planId === planId) return redirect(`${back}?done=changed`)
    return rejectedPage(call, shop, subscription, changed)
  }
  if ('costs' in changed) {
    const money = moneyWords({ amount: changed.costs, currency: subscription.currency })
    const words = say`It is ${money} now, since time has passed or your credit was used. Nothing was charged yet.`
    const said = notice('warn', say`The price has changed a little`, words)
    return preview(ports, call, shop, { subscription, planId, when }, said)
  }
  return redirect(`${back}?done=${when === 'NOW' ? 'changed' : 'postponed'}`)
}

/** The reason, and what to do. */
async function rejectedPage(
  call: Call,
  shop: Shop,
  { subscriptionId }: Subscription,
  rejection: Rejection,
): Promise<PageAnswer | Rejection> {
  const { status, message } = PROBLEMS[rejection.rejected]
  if (status !== 409) return rejection
  const back = `${PATHS.subscriptions}/${subscriptionId}`
  const needsCard = rejection.rejected === 'PAYMENT_METHOD_REQUIRED' || rejection.rejected === 'PAYMENT_DUE'
  const main = html`<h1>${say`The plan was not changed`}</h1>
${notice('warn', sayText(message), sayText(ADVICE[rejection.rejected] ?? NOTHING))}
<div class="buttons">${needsCard && linkButton(say`Payment methods`, PATHS.paymentMethods, { kind: 'primary' })}${linkButton(say`Back to the subscription`, back)}</div>`
  return framed(call, shop, { title: say`Change plan`, part: 'subscriptions', width: 'narrow', main }, { status })
}

const NOTHING = english('Nothing was changed, and nothing was charged.')

const ADVICE: Partial<Record<Rejection['rejected'], string>> = {
  PAYMENT_METHOD_REQUIRED: english('Add a payment method first, then change the plan.'),
  PAYMENT_DUE: english('A payment has failed. Once it is paid, you can change the plan.'),
  CHARGE_IN_PROGRESS: english('A payment is being confirmed. Try again in a few minutes.'),
  CANCEL_SCHEDULED: english('The subscription is about to end. Keep it first, then change the plan.'),
  ALREADY_SUBSCRIBED: english('You have another subscription to this plan already.'),
}

type When = 'NOW' | 'PERIOD_END'

/** The choice so far and its problems. */
interface Choice {
  readonly planId?: string | undefined
  readonly when?: When | undefined
  readonly isIncomplete?: boolean
}

/** Plan and time of the change. Changes nothing, so the form uses GET. */
function choiceOfPlan(
  shop: Shop,
  { subscription, plans }: { subscription: Subscription; plans: readonly Plan[] },
  { planId, when = 'NOW', isIncomplete = false }: Choice,
): Html {
  const back = `${PATHS.subscriptions}/${subscription.subscriptionId}`
  if (plans.length === 0) {
    const nothing = emptyState(say`No other plan`, say`The app offers no other plan that you can change to.`)
    return html`${nothing}${buttons(linkButton(say`Go back`, back))}`
  }
  const problems = isIncomplete ? { planId: say`Choose one of the plans.` } : {}
  // The only other plan needs no choice.
  const chosen = planId ?? (plans.length === 1 ? plans[0]?.planId : undefined)
  return question({
    action: `${back}/change/preview`,
    problems,
    body: html`${choices({
      name: 'planId',
      legend: say`Which plan?`,
      options: plans.map(plan => optionOf(plan, subscription)),
      ...(chosen === undefined ? {} : { value: chosen }),
      problem: problems.planId,
    })}
${choices({ name: 'when', legend: say`From when?`, options: times(subscription, shop), value: when })}
<p class="fine">${say`Next, you see what it costs. Nothing changes before you agree.`}</p>
${buttons(button(say`See what it costs`, { kind: 'primary' }), linkButton(say`Go back`, back))}`,
  })
}

function optionOf(plan: Plan, { country }: Subscription) {
  const price = priceIn(plan, country)
  const words = price ? priceWords({ amount: price.value, currency: price.currency, ...plan }) : ''
  const detail = plan.description === '' ? words : `${words} · ${plan.description}`
  return { value: plan.planId, text: plan.name, detail }
}

function times({ phase, currentPeriodEnd }: Subscription, { timezone }: Shop) {
  const day = dayWords(currentPeriodEnd, timezone)
  if (phase === 'TRIAL') {
    return [
      { value: 'NOW', text: say`Now`, detail: say`Your free trial goes on as it is, with the new plan.` },
      { value: 'PERIOD_END', text: say`On ${day}`, detail: say`When your free trial is over.` },
    ]
  }
  return [
    { value: 'NOW', text: say`Now`, detail: say`What is left of the time you paid for is taken off the price.` },
    {
      value: 'PERIOD_END',
      text: say`On ${day}`,
      detail: say`When the time you paid for is over. Nothing is charged today.`,
    },
  ]
}

interface ShownPreview {
  readonly subscription: Subscription
  readonly current: Pick<Plan, 'name'>
  readonly plan: Plan
  readonly when: When
  readonly preview: Preview
}

/** The lines of the change and the button that confirms it. */
function changePreview(csrf: string, shop: Shop, shown: ShownPreview): Html {
  const { subscription, plan, when, preview, current } = shown
  const path = `${PATHS.subscriptions}/${subscription.subscriptionId}/change`
  const chargedNow = when === 'NOW' ? preview.amount : 0
  return html`<h1>${say`Change to ${plan.name}?`}</h1>
${facts(knownOf(shop, shown))}
${preview.lines.length > 0 && bill(shop, shown)}
${words(shop, shown).map(sentence => html`<p>${sentence}</p>`)}
${form({
  csrf,
  action: path,
  hidden: { planId: plan.planId, when, amount: String(chargedNow) },
  body: buttons(
    button(verbOf(shown, chargedNow), { kind: 'primary' }),
    linkButton(say`Choose again`, `${path}?planId=${plan.planId}&when=${when}`),
    linkButton(say`Stay on ${current.name}`, `${PATHS.subscriptions}/${subscription.subscriptionId}`, {
      kind: 'quiet',
    }),
  ),
})}`
}

function knownOf({ timezone }: Shop, { subscription, current, plan, when, preview }: ShownPreview): Fact[] {
  const price = priceIn(plan, subscription.country)
  const { amount, currency } = { amount: price?.value ?? 0, currency: subscription.currency }
  return [
    [say`Now`, current.name],
    [say`Then`, html`<strong>${plan.name}</strong>`],
    [say`Price`, priceWords({ ...plan, amount, currency, ...(preview.tax && { tax: preview.tax }) })],
    [say`From`, when === 'NOW' ? say`now` : dayWords(preview.effectiveAt, timezone)],
  ]
}

/** The lines of the future invoice. */
function bill({ timezone }: Shop, { when, preview }: ShownPreview): Html {
  const { amount, currency } = preview
  return receipt({
    currency,
    lines: receiptLines(preview, timezone),
    total: {
      text: when === 'NOW' ? say`Charged today` : say`Charged on ${dayWords(preview.effectiveAt, timezone)}`,
      amount,
    },
  })
}

function words(shop: Shop, shown: ShownPreview): Html[] {
  const { timezone } = shop
  const { subscription, plan, when, preview } = shown
  const { creditGranted, creditBalance, currency, lines } = preview
  const money = (amount: number) => moneyWords({ amount, currency })
  const isTrial = subscription.phase === 'TRIAL' && when === 'NOW'
  const price = priceIn(plan, subscription.country)?.value ?? 0
  const day = dayWords(subscription.currentPeriodEnd, timezone)
  return [
    isTrial &&
      (price > 0
        ? html`${say`Nothing is charged today. Your free trial goes on until ${day}; then ${money(preview.tax?.gross ?? price)} is charged.`}`
        : html`${say`Nothing is charged today. Your free trial goes on until ${day}.`}`),
    when === 'NOW' &&
      creditGranted > 0 &&
      (creditBalance > 0
        ? html`${say`For the time that you paid for and do not use you get ${money(creditGranted)} as credit.`}`
        : html`${say`For the time that you paid for and do not use, ${money(creditGranted)} is taken off.`}`),
    creditBalance > 0 &&
      html`${say`After this, ${money(creditBalance)} of credit is left. It is taken off your next invoices.`}`,
    when === 'PERIOD_END' && html`${say`Nothing is charged today.`}`,
    when === 'NOW' && nextWords(shop, shown, price),
    when === 'NOW' && !isTrial && lines.length === 0 && html`${say`Nothing is charged.`}`,
  ].filter(sentence => sentence instanceof Object)
}

/** The amount after the new plan's first period, less the remaining credit. */
function nextWords({ timezone }: Shop, { preview }: ShownPreview, price: number): Html | false {
  const { currency, creditBalance, lines, tax } = preview
  const end = lines.find(({ kind }) => kind === 'PLAN')?.periodEnd
  if (end === undefined) return false
  const amount = Math.max(0, (tax?.gross ?? price) - creditBalance)
  return html`${say`Next charge: ${moneyWords({ amount, currency })} on ${dayWords(end, timezone)}.`}`
}

function verbOf({ preview: { currency }, when }: ShownPreview, chargedNow: number): string {
  if (when === 'PERIOD_END') return say`Schedule the change`
  return chargedNow > 0 ? say`Pay ${moneyWords({ amount: chargedNow, currency })} and change now` : say`Change now`
}

/** The plans that this subscription can change to, cheapest first. */
export async function plansToChangeTo(sql: Sql, subscription: Subscription, current: Plan): Promise<Plan[]> {
  const plans = await listPlans(sql, { appId: subscription.appId, status: 'ACTIVE' })
  const priced = plans.flatMap(plan => {
    const price = priceIn(plan, subscription.country)
    const isOther = plan.planId !== current.planId && plan.planId !== subscription.pendingPlanId
    const fits = isOther && plan.scope === current.scope && price?.currency === subscription.currency
    return fits && price ? [{ plan, value: price.value }] : []
  })
  return priced.toSorted((a, b) => a.value - b.value).map(({ plan }) => plan)
}
