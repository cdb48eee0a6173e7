import { findHeldApps } from '../../catalog/apps/store.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import { valueLeft } from '../../core/credit.ts'
import { decide } from '../../core/decide.ts'
import { given } from '../../core/given.ts'
import { type Preview, previewOfPlanChange } from '../../core/preview.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Change, ChangeTime, PlanChanged, Subscription } from '../../core/subscription.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { lockInvoiceOfPeriod } from '../invoices/store.ts'
import { sumPendingRefunds } from '../refunds/store.ts'
import { findLive, lockUnpaidOfBusiness } from '../subscriptions/store.ts'
import { type ActInput, lockOwnAndBusiness } from './act.ts'
import { freshIds, loadState, nowOf, openCreditBalances } from './load.ts'
import { canPay, type Payer } from './payment-method.ts'
import { type WritePorts, writeChanges } from './write.ts'

type ChangePorts = WritePorts & Pick<Ports, 'db'>

/**
 * Changes the plan at once, with credit for the unused share of the paid period, or at the end of the period. A plan that is already pending
 * stays unchanged. Source: decisions 5, Change plan; decisions 6, Change now.
 */
export async function changePlan(ports: ChangePorts, input: ChangePlanInput): Promise<Subscription | Rejection> {
  const changed = await changePlanAsAgreed(ports, { ...input, most: Number.POSITIVE_INFINITY })
  assert(!('costs' in changed), 'nothing costs more than anything')
  return changed
}

/**
 * Changes the plan for a person who agreed to pay at most `most` at once. If the change costs more by now, nothing
 * happens and the answer is the new cost. Minor units.
 */
export async function changePlanAsAgreed(
  ports: ChangePorts,
  { most, ...input }: ChangePlanInput & { readonly most: number },
): Promise<Subscription | { readonly costs: number } | Rejection> {
  return await ports.db.transaction(async tx => {
    const change = await evaluatePlanChange(tx, ports, input)
    if (isRejection(change)) return change
    const costs = change.charges.reduce((sum, { amount }) => sum + amount, 0)
    if (costs > most) return { costs }
    const { subscription, before } = change
    const isWaiting = input.when === 'PERIOD_END' && before.pendingPlanId === subscription.pendingPlanId
    if (isWaiting) return before
    await writeChanges(tx, ports, [change])
    return subscription
  })
}

/** Previews `changePlan`: the same decision, not written. */
export async function previewPlanChange(ports: ChangePorts, input: ChangePlanInput): Promise<Preview | Rejection> {
  return ports.db.transaction(async tx => {
    const change = await evaluatePlanChange(tx, ports, input)
    if (isRejection(change)) return change
    const now = await nowOf(tx.sql, change.before, ports.clock.now())
    return previewOfPlanChange(change, input.when, freshIds(ports.newId), now)
  })
}

interface ChangePlanInput extends ActInput, Omit<Payer, 'businessId'> {
  readonly planId: string
  readonly when: ChangeTime
}

/** Locks and reads the facts of a plan change, and decides. Writes nothing. `before`: the subscription as it is. */
export async function evaluatePlanChange(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId'>,
  input: ChangePlanInput,
): Promise<(Change & { readonly before: Subscription }) | Rejection> {
  const subscription = await lockOwnAndBusiness(tx.sql, input)
  if (isRejection(subscription)) return subscription
  const plan = await findPlan(tx.sql, input.planId)
  if (plan === null || plan.appId !== subscription.appId || plan.approvedAt === undefined) {
    return reject('PLAN_NOT_FOUND', 'The app has no approved plan with this planId.')
  }
  if (input.when === 'NOW' && (await findHeldApps(tx.sql, [subscription.appId])).size > 0) {
    return reject(
      'APPLICATION_DISABLED',
      'The operator has disabled the app, so no change can be charged now. Use PERIOD_END.',
    )
  }
  const { businessId, subscriptionId: beside, storeId, deviceId } = subscription
  const hasPaymentMethod = await canPay(tx.sql, { ...input, businessId })
  if (isRejection(hasPaymentMethod)) return hasPaymentMethod
  // `prefer` locks these subscriptions. In the order of locks they precede the credit balance.
  if (input.paymentMethodId !== undefined) await lockUnpaidOfBusiness(tx.sql, businessId)
  const credit = (await openCreditBalances(tx.sql, [subscription])).of(subscription)
  const state = { ...(await loadState(tx.sql, subscription)), credit }
  const current = await paidInvoice(tx.sql, subscription)
  const trigger: PlanChanged = { kind: 'planChanged', plan, when: input.when, hasPaymentMethod, ...current }
  const now = await nowOf(tx.sql, subscription, ports.clock.now())
  const change = decide(state, trigger, freshIds(ports.newId), now)
  if (isRejection(change)) return change
  const location = given({ storeId, deviceId })
  const live = await findLive(tx.sql, { planId: plan.planId, businessId, beside, ...location })
  if (live === null) return { ...change, before: subscription }
  return reject(
    'ALREADY_SUBSCRIBED',
    `Subscription ${live} has this plan at the same location, or will change to this plan.`,
  )
}

/** The value of the current period: cash and credit paid, without refunds that are done or on their way. */
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
