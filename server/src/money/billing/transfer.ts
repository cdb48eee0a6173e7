import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import { decide } from '../../core/decide.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Place, Subscription } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findLive } from '../subscriptions/store.ts'
import { freshIds, loadState, nowOf } from './load.ts'
import { type ActInput, lockOwnAndBusiness } from './own.ts'
import { placeOf } from './place.ts'
import { type WritePorts, writeChanges } from './write.ts'

interface TransferInput extends ActInput {
  readonly to: Place
}

/**
 * Moves a subscription of scope DEVICE or STORE to another device or store of the same business, as when a terminal is
 * replaced: same plan, same periods. To where it is already: unchanged. Source: decisions 5, "Device moves".
 */
export async function transfer(
  ports: WritePorts & Pick<Ports, 'db'>,
  input: TransferInput,
): Promise<Subscription | Rejection> {
  return await ports.db.transaction(async tx => {
    const subscription = await lockOwnAndBusiness(tx.sql, input)
    if (isRejection(subscription)) return subscription
    const to = await newPlaceOf(tx.sql, subscription, input)
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

async function newPlaceOf(
  sql: Sql,
  subscription: Subscription,
  { to, seenFrom = {} }: Pick<TransferInput, 'to' | 'seenFrom'>,
): Promise<Place | Rejection> {
  const { subscriptionId: beside, businessId, planId, pendingPlanId } = subscription
  const plan = await findPlan(sql, planId)
  assert(plan, 'a plan with subscriptions is never deleted')
  if (plan.scope === 'BUSINESS') {
    return reject('PLAN_INCOMPATIBLE', 'The plan has scope BUSINESS: it is used everywhere, and does not move.')
  }
  const place = await placeOf(sql, plan, { businessId, ...to, seenFrom })
  if (isRejection(place)) return place
  for (const ofPlan of [planId, ...(pendingPlanId === undefined ? [] : [pendingPlanId])]) {
    const live = await findLive(sql, { planId: ofPlan, businessId, beside, ...place })
    if (live !== null) return reject('ALREADY_SUBSCRIBED', `Subscription ${live} to this plan is there already.`)
  }
  return place
}
