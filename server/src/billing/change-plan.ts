import { valueLeft } from '../core/credit.ts'
import { decide } from '../core/decide.ts'
import { type Preview, preview } from '../core/preview.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import type { ChangeTime, FreshIds, PlanChanged, Subscription, SubscriptionState } from '../core/subscription.ts'
import type { Sql, Tx } from '../db/db.ts'
import { lockInvoiceOfPeriod } from '../invoices/store.ts'
import { listPaymentMethods } from '../payment-methods/store.ts'
import { findPlan } from '../plans/store.ts'
import type { Ports } from '../ports.ts'
import { sumPendingRefunds } from '../refunds/store.ts'
import { findLive } from '../subscriptions/store.ts'
import { freshIds, loadState, nowOf, openPurse } from './load.ts'
import { type ActInput, lockOwnAndBusiness } from './own.ts'
import { type WritePorts, writeChanges } from './write.ts'

export interface ChangePlanInput extends ActInput {
  readonly planId: string
  readonly when: ChangeTime
}

type ChangePorts = WritePorts & Pick<Ports, 'db'>

/**
 * Changes the plan: at once, with credit for the unused share of the paid period, or at the period's end. Subscription, credit,
 * invoice and notifications change together. Asked again for what is waiting already: unchanged. Source: decisions 5, Change plan; decisions 6, Change now.
 */
export async function changePlan(ports: ChangePorts, input: ChangePlanInput): Promise<Subscription | Refusal> {
  return await ports.db.transaction(async tx => {
    const considered = await consider(tx, ports, input, decide)
    if (isRefusal(considered)) return considered
    const { subscription, decided: change } = considered
    if (input.when === 'PERIOD_END' && subscription.pendingPlanId === change.subscription.pendingPlanId)
      return subscription
    await writeChanges(tx, ports, [change])
    return change.subscription
  })
}

/** Tells what `changePlan` would do, by the same decision from the same facts. Nothing is stored. */
export async function previewPlanChange(ports: ChangePorts, input: ChangePlanInput): Promise<Preview | Refusal> {
  const considered = await ports.db.transaction(tx => consider(tx, ports, input, preview))
  return isRefusal(considered) ? considered : considered.decided
}

/** Gathers what a change of plan is decided by, each thing locked against changing meanwhile, and decides. */
async function consider<Decided extends object>(
  tx: Tx,
  ports: ChangePorts,
  input: ChangePlanInput,
  decideBy: (state: SubscriptionState, trigger: PlanChanged, ids: FreshIds, now: Date) => Decided | Refusal,
): Promise<{ readonly subscription: Subscription; readonly decided: Decided } | Refusal> {
  const subscription = await lockOwnAndBusiness(tx.sql, input)
  if (isRefusal(subscription)) return subscription
  const plan = await findPlan(tx.sql, input.planId)
  if (plan === null || plan.appId !== subscription.appId || plan.approvedAt === undefined) {
    return refuse('PLAN_NOT_FOUND', 'The app has no approved plan with this planId.')
  }
  const { businessId, subscriptionId: beside, storeId, deviceId } = subscription
  const credit = (await openPurse(tx.sql, [subscription])).of(subscription)
  const state = { ...(await loadState(tx.sql, subscription)), credit }
  const current = await paidInvoice(tx.sql, subscription)
  const hasPaymentMethod = (await listPaymentMethods(tx.sql, businessId)).length > 0
  const trigger: PlanChanged = { kind: 'planChanged', plan, when: input.when, hasPaymentMethod, ...current }
  const now = await nowOf(tx.sql, subscription, ports.clock.now())
  const decided = decideBy(state, trigger, freshIds(ports.newId), now)
  if (isRefusal(decided)) return decided
  const place = { ...(storeId === undefined ? {} : { storeId }), ...(deviceId === undefined ? {} : { deviceId }) }
  const live = await findLive(tx.sql, { planId: plan.planId, businessId, beside, ...place })
  if (live === null) return { subscription, decided }
  return refuse('ALREADY_SUBSCRIBED', `Subscription ${live} has this plan at the same place, or is about to have it.`)
}

/** What the current period was paid with, as far as it is not given back or on its way back. */
async function paidInvoice(
  sql: Sql,
  { subscriptionId, term, periodIndex }: Subscription,
): Promise<Pick<PlanChanged, 'current'>> {
  if (periodIndex === undefined) return {}
  const invoice = await lockInvoiceOfPeriod(sql, { subscriptionId, term, periodIndex })
  if (invoice?.status !== 'PAID') return {}
  const pendingRefunds = await sumPendingRefunds(sql, invoice.invoiceId)
  return { current: { invoiceId: invoice.invoiceId, value: valueLeft({ ...invoice, pendingRefunds }) } }
}
