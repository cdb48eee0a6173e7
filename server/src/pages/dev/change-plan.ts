import { Type } from 'typebox'
import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { type Plan, priceIn } from '../../core/plan.ts'
import type { Preview } from '../../core/preview.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { ChangeTime, Subscription } from '../../core/subscription.ts'
import { changePlanAsAgreed, previewPlanChange } from '../../money/billing/change-plan.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { facts, notice, receipt } from '../../platform/web/components/content.ts'
import { button, buttons, choices, form, linkButton, question } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { day, dayWords, moneyWords, priceWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { plansToChangeTo } from '../merchant/change-plan.ts'
import { receiptLines } from '../purchase/offer.ts'
import { devPage, framed, type Own } from './dev-page.ts'
import { aboveOf, findOwn, pathOfMerchant } from './test-merchants.ts'

const Params = Type.Object({ businessId: Uuid, subscriptionId: Uuid })
const Time = Type.Enum(['NOW', 'PERIOD_END'])
const definition = {
  path: `${DEVELOPER_PATHS.testMerchants}/:businessId/subscriptions/:subscriptionId/plan`,
  params: Params,
  operation: 'subscriptions.change',
} as const

interface Ids {
  readonly businessId: string
  readonly subscriptionId: string
}

type Call = PageCall<Ids>

/** The subject of a change: a live subscription of an own test merchant. */
interface Changed {
  readonly business: BusinessRecord
  readonly subscription: Subscription
}

/** Changes the plan of a test merchant's subscription: the plan and the time, a preview of the invoice, the change. */
export function changePlanPages(ports: Ports): AnyPage[] {
  return [
    devPage({
      ...{ ...definition, method: 'GET', name: 'previewPlanOfTestMerchant' },
      query: Type.Object({ planId: Type.Optional(Uuid), when: Type.Optional(Time) }),
      async handle(call, own) {
        const found = await findChanged(call, own)
        if (isRejection(found)) return found
        const { planId, when } = call.query
        if (planId === undefined || when === undefined) return choose(call, found)
        return preview(ports, call, found, { planId, when })
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', name: 'changePlanOfTestMerchant' },
      form: Type.Object({ planId: Uuid, when: Time, amount: Type.String({ pattern: '^\\d{1,12}$' }) }),
      async handle(call, own) {
        const found = await findChanged(call, own)
        if (isRejection(found)) return found
        const { when, amount } = call.form
        const planId = call.form.planId
        const done = redirect(addressOf(pathOfMerchant(found.business), { done: 'changed' }))
        // Pressed twice: already done.
        if (found.subscription.planId === planId) return done
        const input = { ...idsOf(found.subscription), planId, when, most: Number(amount) }
        const changed = await changePlanAsAgreed({ ...ports, db: call.db }, input)
        if (isRejection(changed)) return choose(call, found, changed)
        return 'costs' in changed ? preview(ports, call, found, { planId, when }) : done
      },
    }),
  ]
}

const idsOf = ({ subscriptionId, appId, businessId }: Subscription) => ({ subscriptionId, appId, businessId })

async function findChanged(call: Call, own: Own): Promise<Changed | Rejection> {
  const { businessId, subscriptionId } = call.params
  const business = await findOwn({ db: call.db }, own, businessId)
  if (isRejection(business)) return business
  const subscription = await findSubscription(call.db.sql, subscriptionId)
  if (subscription?.businessId === business.businessId) return { business, subscription }
  return reject('SUBSCRIPTION_NOT_FOUND', 'The test merchant has no subscription with this id.')
}

/** The choice of plan and time. `rejection`: why the last choice changed nothing. */
async function choose(call: Call, { business, subscription }: Changed, rejection?: Rejection): Promise<PageAnswer> {
  const current = await findPlan(call.db.sql, subscription.planId)
  assert(current, 'a plan with subscriptions is never deleted')
  const plans = await plansToChangeTo(call.db.sql, subscription, current)
  const back = linkButton('Go back', pathOfMerchant(business))
  const main = html`${pageHead({
    title: 'Change the plan',
    above: aboveOf(business),
    lead: `${business.doingBusinessAs} is on ${current.name}.`,
  })}
${rejection && notice('bad', 'The plan was not changed', rejection.developerMessage)}
${
  plans.length === 0
    ? html`<p>The app has no other approved plan with this scope and currency.</p>${buttons(back)}`
    : question({
        action: pathOf(business, subscription),
        body: html`${choices({ name: 'planId', legend: 'Plan', value: plans[0]?.planId ?? '', options: plans.map(plan => ({ value: plan.planId, text: plan.name, detail: priceOf(plan, subscription) })) })}
${choices({ name: 'when', legend: 'From', value: 'NOW', options: timesOf(subscription, business) })}
${buttons(button('Show the effect', { kind: 'primary' }), back)}`,
      })
}`
  return framed(call, framedAs(main), { status: rejection === undefined ? 200 : 409 })
}

const framedAs = (main: Html) =>
  ({ title: 'Change the plan', part: 'testMerchants', main, width: 'narrow' }) satisfies Parameters<typeof framed>[1]

function timesOf({ phase, currentPeriodEnd }: Subscription, { timezone }: BusinessRecord) {
  const end = phase === 'TRIAL' ? 'The trial ends then.' : 'The paid period ends then. Nothing is charged before.'
  return [
    { value: 'NOW', text: 'Now', detail: phase === 'TRIAL' ? 'The trial goes on.' : 'Unused time becomes credit.' },
    { value: 'PERIOD_END', text: dayWords(currentPeriodEnd, timezone), detail: end },
  ]
}

function priceOf(plan: Plan, { country }: Subscription): string {
  const price = priceIn(plan, country)
  return price ? priceWords({ ...plan, amount: price.value, currency: price.currency }) : ''
}

async function preview(
  ports: Ports,
  call: Call,
  found: Changed,
  { planId, when }: { readonly planId: string; readonly when: ChangeTime },
): Promise<PageAnswer> {
  const { business, subscription } = found
  const preview = await previewPlanChange({ ...ports, db: call.db }, { ...idsOf(subscription), planId, when })
  if (isRejection(preview)) return choose(call, found, preview)
  const plan = await findPlan(call.db.sql, planId)
  assert(plan, 'a previewed plan exists')
  const due = when === 'NOW' ? preview.amount : 0
  const { currency, lines } = preview
  const money = moneyWords({ amount: due, currency })
  const main = html`${pageHead({ title: `Change to ${plan.name}?`, above: aboveOf(business) })}
${facts(factsOf(found, plan, preview))}
${lines.length > 0 && receipt({ currency, lines: receiptLines(preview, business.timezone), total: { text: when === 'NOW' ? 'Charged now' : `Charged on ${dayWords(preview.effectiveAt, business.timezone)}`, amount: preview.amount } })}
${form({
  csrf: call.csrf,
  action: pathOf(business, subscription),
  hidden: { planId, when, amount: String(due) },
  body: buttons(
    button(due > 0 ? `Charge ${money} and change` : 'Change the plan', { kind: 'primary' }),
    linkButton('Go back', pathOf(business, subscription)),
  ),
})}`
  return framed(call, framedAs(main))
}

function factsOf(
  { subscription }: Changed,
  plan: Plan,
  { creditGranted, creditBalance, effectiveAt, currency }: Preview,
): Fact[] {
  return [
    ['Price', priceOf(plan, subscription)],
    ['From', day(effectiveAt)],
    creditGranted > 0 && ['Credit for unused time', moneyWords({ amount: creditGranted, currency })],
    creditBalance > 0 && ['Credit left', moneyWords({ amount: creditBalance, currency })],
  ]
}

const pathOf = (business: BusinessRecord, { subscriptionId }: Pick<Subscription, 'subscriptionId'>) =>
  `${pathOfMerchant(business)}/subscriptions/${subscriptionId}/plan`
