import { listPlans } from '../../catalog/plans/store.ts'
import { type Plan, priceIn } from '../../core/plan.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { button, buttons, linkButton } from '../../platform/web/components/button.ts'
import { choices } from '../../platform/web/components/choice.ts'
import { question } from '../../platform/web/components/form.ts'
import { emptyState } from '../../platform/web/components/notice.ts'
import { dayWords } from '../../platform/web/dates.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { priceWords } from '../../platform/web/money.ts'
import { PATHS } from './frame.ts'
import type { Shop } from './own-page.ts'

export type When = 'NOW' | 'PERIOD_END'

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

/** What was chosen so far, and what was wrong with it. */
export interface Choice {
  readonly planId?: string | undefined
  readonly when?: When | undefined
  readonly isIncomplete?: boolean
}

/** Which plan, and from when on. It changes nothing, so it is asked for by GET. */
export function choiceOfPlan(
  shop: Shop,
  { subscription, plans }: { subscription: Subscription; plans: readonly Plan[] },
  { planId, when = 'NOW', isIncomplete = false }: Choice,
): Html {
  const back = `${PATHS.subscriptions}/${subscription.subscriptionId}`
  if (plans.length === 0) {
    const nothing = emptyState('No other plan', 'The app offers no other plan that you can change to.')
    return html`${nothing}${buttons(linkButton('Go back', back))}`
  }
  const problems = isIncomplete ? { planId: 'Choose one of the plans.' } : {}
  return question({
    action: `${back}/change/preview`,
    problems,
    body: html`${choices({
      name: 'planId',
      legend: 'Which plan?',
      options: plans.map(plan => optionOf(plan, subscription)),
      ...(planId === undefined ? {} : { value: planId }),
      problem: problems.planId,
    })}
${choices({ name: 'when', legend: 'From when?', options: times(subscription, shop), value: when })}
<p class="fine">Next, you see what it costs. Nothing changes before you agree.</p>
${buttons(button('See what it costs', { kind: 'primary' }), linkButton('Go back', back))}`,
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
      { value: 'NOW', text: 'Now', detail: 'Your free trial goes on as it is, with the new plan.' },
      { value: 'PERIOD_END', text: `On ${day}`, detail: 'When your free trial is over.' },
    ]
  }
  return [
    { value: 'NOW', text: 'Now', detail: 'What is left of the time you paid for is taken off the price.' },
    { value: 'PERIOD_END', text: `On ${day}`, detail: 'When the time you paid for is over. Nothing is charged today.' },
  ]
}
