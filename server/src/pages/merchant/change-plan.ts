import { Type } from 'typebox'
import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import { changePlan, changePlanAsAgreed, previewPlanChange } from '../../money/billing/change-plan.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { linkButton } from '../../platform/web/components/button.ts'
import { notice } from '../../platform/web/components/notice.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { moneyWords } from '../../platform/web/money.ts'
import { choiceOfPlan, plansToChangeTo, type When } from './change-plan-choice.ts'
import { changePreview } from './change-plan-preview.ts'
import { findOwnSubscription } from './find-own.ts'
import { framed, PATHS } from './frame.ts'
import { ownPage, type Shop } from './own-page.ts'

type ChangePorts = Parameters<typeof changePlan>[0]
type Call = PageCall<{ readonly subscriptionId: string }, unknown, unknown>

const path = `${PATHS.subscriptions}/:subscriptionId/change`
const params = Type.Object({ subscriptionId: Uuid })
const operation = 'subscriptions.change'
const Time = Type.Enum(['NOW', 'PERIOD_END'])
/** Whatever a browser left of the form. */
const Chosen = Type.Object({ planId: Type.Optional(Uuid), when: Type.Optional(Time) })
/** What was shown as charged at once, in minor units. */
const Agreed = Type.Object({ planId: Uuid, when: Time, amount: Type.String({ pattern: '^\\d{1,12}$' }) })

/** Choose a plan → see what it costs → agree. */
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
          // The plan that it has, from the period's end on: that takes back the one that waits.
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
  const main = html`<h1>Change plan</h1>
<p class="lead">You are on ${current.name}.</p>
${choiceOfPlan(shop, { subscription, plans }, choice)}`
  const status = choice.isIncomplete ? { status: 400 } : {}
  return framed(call, shop, { title: 'Change plan', part: 'subscriptions', width: 'narrow', main }, status)
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
  const plan = await findPlan(call.db.sql, planId.toLowerCase())
  const current = await findPlan(call.db.sql, subscription.planId)
  const told = await previewPlanChange(ports, {
    ...{ subscriptionId, appId, businessId, when },
    planId: planId.toLowerCase(),
  })
  if (isRejection(told)) return refusedPage(call, shop, subscription, told)
  assert(plan && current, 'what can be previewed is there')
  const main = html`${said}${changePreview(call.csrf, shop, { subscription, current, plan, when, preview: told })}`
  return framed(call, shop, { title: `Change to ${plan.name}`, part: 'subscriptions', width: 'narrow', main })
}

/**
 * What was shown is what is agreed to: where the change would charge more by now, it is shown anew, and nothing is charged.
 * Less is never objected to.
 */
async function agree(
  ports: ChangePorts,
  call: Call,
  shop: Shop,
  subscription: Subscription,
  form: { readonly planId: string; readonly when: When; readonly amount: string },
): Promise<PageAnswer | Rejection> {
  const { subscriptionId, appId, businessId } = subscription
  const { when } = form
  const planId = form.planId.toLowerCase()
  const back = `${PATHS.subscriptions}/${subscriptionId}`
  // Pressed twice, or on a page that the back button brought: it is done.
  if (subscription.planId === planId) return redirect(`${back}?done=changed`)
  const most = Number(form.amount)
  const changed = await changePlanAsAgreed(
    { ...ports, db: call.db },
    { subscriptionId, appId, businessId, planId, when, most },
  )
  if (isRejection(changed)) {
    // Pressed twice at once: the other one came first.
    const now = await findOwnSubscription(call.db.sql, shop, subscriptionId)
    if (!isRejection(now) && now.planId === planId) return redirect(`${back}?done=changed`)
    return refusedPage(call, shop, subscription, changed)
  }
  if ('costs' in changed) {
    const money = moneyWords({ amount: changed.costs, currency: subscription.currency })
    const words = `It is ${money} now, since time has passed or your credit was used. Nothing was charged yet.`
    const said = notice('warn', 'The price has changed a little', words)
    return preview(ports, call, shop, { subscription, planId, when }, said)
  }
  return redirect(`${back}?done=${when === 'NOW' ? 'changed' : 'postponed'}`)
}

/** Why not, and what to do about it. */
async function refusedPage(
  call: Call,
  shop: Shop,
  { subscriptionId }: Subscription,
  rejection: Rejection,
): Promise<PageAnswer | Rejection> {
  const { status, message } = PROBLEMS[rejection.rejected]
  if (status !== 409) return rejection
  const back = `${PATHS.subscriptions}/${subscriptionId}`
  const needsCard = rejection.rejected === 'PAYMENT_METHOD_REQUIRED' || rejection.rejected === 'PAYMENT_DUE'
  const main = html`<h1>The plan was not changed</h1>
${notice('warn', message, ADVICE[rejection.rejected] ?? 'Nothing was changed, and nothing was charged.')}
<div class="buttons">${needsCard && linkButton('Payment methods', PATHS.paymentMethods, { kind: 'primary' })}${linkButton('Back to the subscription', back)}</div>`
  return framed(call, shop, { title: 'Change plan', part: 'subscriptions', width: 'narrow', main }, { status })
}

const ADVICE: Partial<Record<Rejection['rejected'], string>> = {
  PAYMENT_METHOD_REQUIRED: 'Add a payment method first, then change the plan.',
  PAYMENT_DUE: 'A payment has failed. Once it is paid, you can change the plan.',
  CHARGE_IN_PROGRESS: 'A payment is being confirmed. Try again in a few minutes.',
  CANCEL_SCHEDULED: 'The subscription is about to end. Keep it first, then change the plan.',
  ALREADY_SUBSCRIBED: 'You have another subscription to this plan already.',
}
