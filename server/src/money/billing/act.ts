import { decide } from '../../core/decide.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { ActTrigger, Change, Subscription } from '../../core/subscription.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { freshIds, loadState, nowOf } from './load.ts'
import { type ActInput, lockOwn, lockOwnAndBusiness } from './own.ts'
import { placeOf } from './place.ts'
import { type WritePorts, writeChanges } from './write.ts'

type ActPorts = WritePorts & Pick<Ports, 'db'>

/**
 * Cancels: at once, or at the end of the paid period, as the plan's cancelPolicy says. Already scheduled: unchanged.
 * Source: decisions 5, Cancel.
 */
export function cancel(ports: ActPorts, input: ActInput): Promise<Subscription | Rejection> {
  return act(ports, input, { kind: 'cancelled' })
}

/**
 * Undoes a scheduled cancellation before it comes. What is for a store or a device that was closed meanwhile ends: STORE_NOT_FOUND,
 * DEVICE_NOT_FOUND, as for who subscribes there. Source: decisions 5, Cancel.
 */
export function restore(ports: ActPorts, input: ActInput): Promise<Subscription | Rejection> {
  return act(ports, input, { kind: 'restored' })
}

/** The operator ends it now, whatever the plan says. Source: decisions 5, Cancel. */
export function endByOperator(ports: ActPorts, input: ActInput): Promise<Subscription | Rejection> {
  return act(ports, input, { kind: 'operatorEnded' })
}

async function act(ports: ActPorts, input: ActInput, trigger: ActTrigger): Promise<Subscription | Rejection> {
  return await ports.db.transaction(async tx => {
    // Who closes a store holds its business, too.
    const lock = trigger.kind === 'restored' ? lockOwnAndBusiness : lockOwn
    const subscription = await lock(tx.sql, input)
    if (isRejection(subscription)) return subscription
    const nothingToDo = trigger.kind === 'cancelled' && subscription.cancelAt !== undefined
    if (nothingToDo) return subscription
    const change = await considerAct(tx, ports, subscription, trigger)
    if (isRejection(change)) return change
    await writeChanges(tx, ports, [change])
    return change.subscription
  })
}

/** Decides about a subscription that is locked, with its business where it is to be restored. Writes nothing. */
export async function considerAct(
  { sql }: Tx,
  { clock, newId }: Pick<Ports, 'clock' | 'newId'>,
  subscription: Subscription,
  trigger: ActTrigger,
): Promise<Change | Rejection> {
  const now = await nowOf(sql, subscription, clock.now())
  const state = await loadState(sql, subscription)
  const change = decide(state, trigger, freshIds(newId), now)
  if (trigger.kind !== 'restored' || isRejection(change)) return change
  const place = await placeOf(sql, state.plan, subscription)
  return isRejection(place) ? place : change
}
