import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import { valueLeft } from '../../core/credit.ts'
import { decide } from '../../core/decide.ts'
import { type Preview, preview } from '../../core/preview.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { ChangeTime, FreshIds, PlanChanged, Subscription, SubscriptionState } from '../../core/subscription.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { lockInvoiceOfPeriod } from '../invoices/store.ts'
import { sumPendingRefunds } from '../refunds/store.ts'
import { findLive, lockUnpaidOfBusiness } from '../subscriptions/store.ts'
import { type ActInput, lockOwnAndBusiness } from './act.ts'
import { freshIds, loadState, nowOf, openPurse } from './load.ts'
import { canPay, type Payer } from './payment-method.ts'
import { type WritePorts, writeChanges } from './write.ts'

type ChangePorts = WritePorts & Pick<Ports, 'db'>

/**
 * Changes the plan: at once, with credit for the unused share of the paid period, or at the period's end. Subscription, credit,
 * invoice and notifications change together. Asked again for what is waiting already: unchanged. Source: decisions 5, Change plan; decisions 6, Change now.
 */
export async function changePlan(ports: ChangePorts, input: ChangePlanInput): Promise<Subscription | Rejection> {
  const changed = await changePlanAsShown(ports, { ...input, most: Number.POSITIVE_INFINITY })
  assert(!('costs' in changed), 'nothing costs more than anything')
  return changed
}

/**
 * The same, where a person was shown what is charged at once and agreed to it. Were it more by now, since less of the paid
 * period is left or the credit was used elsewhere, nothing happens, and what it costs is told. Minor units.
 */
export async function changePlanAsShown(
  ports: ChangePorts,
  { most, ...input }: ChangePlanInput & { readonly most: number },
): Promise<Subscription | { readonly costs: number } | Rejection> {
  return await ports.db.transaction(async tx => {
    const considered = await considerChange(tx, ports, input, decide)
    if (isRejection(considered)) return considered
    const { subscription, decided: change } = considered
    const costs = change.charges.reduce((sum, { amount }) => sum + amount, 0)
    if (costs > most) return { costs }
    if (input.when === 'PERIOD_END' && subscription.pendingPlanId === change.subscription.pendingPlanId)
      return subscription
    await writeChanges(tx, ports, [change])
    return change.subscription
  })
}

/** Tells what `changePlan` would do, by the same decision from the same facts. Nothing is stored. */
export async function previewPlanChange(ports: ChangePorts, input: ChangePlanInput): Promise<Preview | Rejection> {
  const considered = await ports.db.transaction(tx => considerChange(tx, ports, input, preview))
  return isRejection(considered) ? considered : considered.decided
}

interface ChangePlanInput extends ActInput, Omit<Payer, 'businessId'> {
  readonly planId: string
  readonly when: ChangeTime
}

/** Gathers what a change of plan is decided by, each thing locked against changing meanwhile, and decides. */
export async function considerChange<Decided extends object>(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId'>,
  input: ChangePlanInput,
  decideBy: (state: SubscriptionState, trigger: PlanChanged, ids: FreshIds, now: Date) => Decided | Rejection,
): Promise<{ readonly subscription: Subscription; readonly decided: Decided } | Rejection> {
  const subscription = await lockOwnAndBusiness(tx.sql, input)
  if (isRejection(subscription)) return subscription
  const plan = await findPlan(tx.sql, input.planId)
  if (plan === null || plan.appId !== subscription.appId || plan.approvedAt === undefined) {
    return reject('PLAN_NOT_FOUND', 'The app has no approved plan with this planId.')
  }
  const { businessId, subscriptionId: beside, storeId, deviceId } = subscription
  const hasPaymentMethod = await canPay(tx.sql, { ...input, businessId })
  if (isRejection(hasPaymentMethod)) return hasPaymentMethod
  // Those that `prefer` will lock: in the order of locks they come before the credit.
  if (input.paymentMethodId !== undefined) await lockUnpaidOfBusiness(tx.sql, businessId)
  const credit = (await openPurse(tx.sql, [subscription])).of(subscription)
  const state = { ...(await loadState(tx.sql, subscription)), credit }
  const current = await paidInvoice(tx.sql, subscription)
  const trigger: PlanChanged = { kind: 'planChanged', plan, when: input.when, hasPaymentMethod, ...current }
  const now = await nowOf(tx.sql, subscription, ports.clock.now())
  const decided = decideBy(state, trigger, freshIds(ports.newId), now)
  if (isRejection(decided)) return decided
  const place = { ...(storeId === undefined ? {} : { storeId }), ...(deviceId === undefined ? {} : { deviceId }) }
  const live = await findLive(tx.sql, { planId: plan.planId, businessId, beside, ...place })
  if (live === null) return { subscription, decided }
  return reject('ALREADY_SUBSCRIBED', `Subscription ${live} has this plan at the same place, or is about to have it.`)
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
