import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import { decide } from '../../core/decide.ts'
import { isSeenFrom } from '../../core/location.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { ActTrigger, CancellationReason, Change, Location, Subscription } from '../../core/subscription.ts'
import { lockBusiness } from '../../merchants/businesses/store.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { saveCancellationReason } from '../subscriptions/cancellation-reasons.ts'
import { findLive, findOwner, findSubscription, lockSubscription } from '../subscriptions/store.ts'
import { freshIds, loadState, nowOf } from './load.ts'
import { locationOf } from './subscribe.ts'
import { type WritePorts, writeChanges } from './write.ts'

type ActPorts = WritePorts & Pick<Ports, 'db'>

/**
 * Cancels at once or at the end of the paid period, as the plan's cancelPolicy says. A scheduled cancellation stays
 * unchanged. Source: decisions 5, Cancel.
 */
export function cancel(
  ports: ActPorts,
  input: ActInput & { readonly why?: CancellationReason },
): Promise<Subscription | Rejection> {
  return act(ports, input, { kind: 'cancelled' }, input.why)
}

/**
 * Undoes a scheduled cancellation. A subscription of a closed store or device is not restored: STORE_NOT_FOUND,
 * DEVICE_NOT_FOUND. Source: decisions 5, Cancel.
 */
export function restore(ports: ActPorts, input: ActInput): Promise<Subscription | Rejection> {
  return act(ports, input, { kind: 'restored' })
}

/** The operator ends a subscription at once, regardless of the plan. Source: decisions 5, Cancel. */
export function endByOperator(ports: ActPorts, input: ActInput): Promise<Subscription | Rejection> {
  return act(ports, input, { kind: 'operatorEnded' })
}

async function act(
  ports: ActPorts,
  input: ActInput,
  trigger: ActTrigger,
  why?: CancellationReason,
): Promise<Subscription | Rejection> {
  return await ports.db.transaction(async tx => {
    // Closing a store locks its business as well.
    const lock = trigger.kind === 'restored' ? lockOwnAndBusiness : lockOwn
    const subscription = await lock(tx.sql, input)
    if (isRejection(subscription)) return subscription
    const nothingToDo = trigger.kind === 'cancelled' && subscription.cancelAt !== undefined
    if (nothingToDo) return subscription
    const change = await evaluateAct(tx, ports, subscription, trigger)
    if (isRejection(change)) return change
    await writeChanges(tx, ports, [change])
    if (why !== undefined) {
      await saveCancellationReason(tx.sql, {
        ...why,
        subscriptionId: subscription.subscriptionId,
        now: ports.clock.now(),
      })
    }
    return change.subscription
  })
}

/** Decides about a locked subscription. A restore also needs the lock of the business. Writes nothing. */
export async function evaluateAct(
  { sql }: Tx,
  { clock, newId }: Pick<Ports, 'clock' | 'newId'>,
  subscription: Subscription,
  trigger: ActTrigger,
): Promise<Change | Rejection> {
  const now = await nowOf(sql, subscription, clock.now())
  const state = await loadState(sql, subscription)
  const change = decide(state, trigger, freshIds(newId), now)
  if (trigger.kind !== 'restored' || isRejection(change)) return change
  const location = await locationOf(sql, state.plan, subscription)
  return isRejection(location) ? location : change
}

/** The effect of a cancellation: an end at once, or a scheduled end that can be undone. */
export interface CancelPreview {
  readonly endsAt: Date
  readonly isAtOnce: boolean
  /** The sum of the open invoices that would become void. Minor units. */
  readonly dropped: number
}

/** Previews `cancel` with the same decision and the same facts. Stores nothing. */
export async function previewCancel(
  ports: Pick<Ports, 'db' | 'clock' | 'newId'>,
  input: ActInput,
): Promise<CancelPreview | Rejection> {
  return await ports.db.transaction(async tx => {
    const subscription = await lockOwn(tx.sql, input)
    if (isRejection(subscription)) return subscription
    const { openInvoices } = await loadState(tx.sql, subscription)
    const change = await evaluateAct(tx, ports, subscription, { kind: 'cancelled' })
    if (isRejection(change)) return change
    const { endedAt, cancelAt, currentPeriodEnd } = change.subscription
    const voided = new Set(change.closed.map(({ invoiceId }) => invoiceId))
    const dropped = openInvoices.filter(({ invoiceId }) => voided.has(invoiceId))
    return {
      endsAt: endedAt ?? cancelAt ?? currentPeriodEnd,
      isAtOnce: endedAt !== undefined,
      dropped: dropped.reduce((sum, { amount }) => sum + amount, 0),
    }
  })
}

interface TransferInput extends ActInput {
  readonly to: Location
}

/**
 * Moves a subscription of scope DEVICE or STORE to another device or store of the same business. Plan and periods
 * stay, and a move to the current location changes nothing. Source: decisions 5, "Device moves".
 */
export async function transfer(
  ports: WritePorts & Pick<Ports, 'db'>,
  input: TransferInput,
): Promise<Subscription | Rejection> {
  return await ports.db.transaction(async tx => {
    const subscription = await lockOwnAndBusiness(tx.sql, input)
    if (isRejection(subscription)) return subscription
    const to = await newLocationOf(tx.sql, subscription, input)
    if (isRejection(to)) return to
    const now = await nowOf(tx.sql, subscription, ports.clock.now())
    const state = await loadState(tx.sql, subscription)
    const change = decide(state, { kind: 'transferred', to }, freshIds(ports.newId), now)
    if (isRejection(change)) return change
    if (change.events.length === 0) return subscription
    await writeChanges(tx, ports, [change])
    return change.subscription
  })
}

async function newLocationOf(
  sql: Sql,
  subscription: Subscription,
  { to, seenFrom = {} }: Pick<TransferInput, 'to' | 'seenFrom'>,
): Promise<Location | Rejection> {
  const { subscriptionId: beside, businessId, planId, pendingPlanId } = subscription
  const plan = await findPlan(sql, planId)
  assert(plan, 'a plan with subscriptions is never deleted')
  if (plan.scope === 'BUSINESS') {
    return reject(
      'PLAN_INCOMPATIBLE',
      'The plan has scope BUSINESS, so the subscription has no location and cannot move.',
    )
  }
  const location = await locationOf(sql, plan, { businessId, ...to, seenFrom })
  if (isRejection(location)) return location
  for (const ofPlan of [planId, ...(pendingPlanId === undefined ? [] : [pendingPlanId])]) {
    const live = await findLive(sql, { planId: ofPlan, businessId, beside, ...location })
    if (live !== null) return reject('ALREADY_SUBSCRIBED', `Subscription ${live} to this plan exists already.`)
  }
  return location
}

/** A subscription, and the limits of the caller's view. */
export interface ActInput {
  readonly appId: string
  readonly subscriptionId: string
  /** The caller is bound to this business. */
  readonly businessId?: string
  /** The caller is bound to this store or device. */
  readonly seenFrom?: Location
}

/** Finds a subscription that the caller may see. */
export async function findOwn(sql: Sql, input: ActInput): Promise<Subscription | Rejection> {
  const subscription = await findSubscription(sql, input.subscriptionId)
  return subscription !== null && isOf(subscription, input) ? subscription : notFound()
}

async function lockOwn(sql: Sql, input: ActInput): Promise<Subscription | Rejection> {
  const subscription = await lockSubscription(sql, input.subscriptionId)
  return subscription !== null && isOf(subscription, input) ? subscription : notFound()
}

/** Locks the business, then the subscription. Other subscriptions of the business do not change. */
export async function lockOwnAndBusiness(sql: Sql, input: ActInput): Promise<Subscription | Rejection> {
  const owner = await findOwner(sql, input.subscriptionId)
  if (owner === null || !isOf(owner, input)) return notFound()
  await lockBusiness(sql, owner.businessId)
  return await lockOwn(sql, input)
}

function isOf(
  owner: { appId: string; businessId: string } & Location,
  { appId, businessId, seenFrom = {} }: ActInput,
): boolean {
  if (owner.appId !== appId || (businessId !== undefined && owner.businessId !== businessId)) return false
  return isSeenFrom(seenFrom, owner)
}

function notFound(): Rejection {
  return reject('SUBSCRIPTION_NOT_FOUND', 'The app has no subscription with this id.')
}
