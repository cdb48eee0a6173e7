import { decide } from '../core/decide.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import type { ActTrigger, Subscription } from '../core/subscription.ts'
import type { Ports } from '../ports.ts'
import { lockSubscription } from '../subscriptions/store.ts'
import { freshIds, loadState, nowOf } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

export interface ActInput {
  readonly appId: string
  readonly subscriptionId: string
  /** Only a subscription of this business. */
  readonly businessId?: string
}

type ActPorts = WritePorts & Pick<Ports, 'db'>

/**
 * Cancels: at once, or at the end of the paid period, as the plan's cancelPolicy says. Already scheduled: unchanged.
 * Source: decisions 5, Cancel.
 */
export function cancel(ports: ActPorts, input: ActInput): Promise<Subscription | Refusal> {
  return act(ports, input, { kind: 'cancelled' })
}

/** Undoes a scheduled cancellation before it comes. Source: decisions 5, Cancel. */
export function restore(ports: ActPorts, input: ActInput): Promise<Subscription | Refusal> {
  return act(ports, input, { kind: 'restored' })
}

/** The operator ends it now, whatever the plan says. Source: decisions 5, Cancel. */
export function endByOperator(ports: ActPorts, input: ActInput): Promise<Subscription | Refusal> {
  return act(ports, input, { kind: 'operatorEnded' })
}

async function act(ports: ActPorts, input: ActInput, trigger: ActTrigger): Promise<Subscription | Refusal> {
  return await ports.db.transaction(async tx => {
    const subscription = await lockSubscription(tx.sql, input.subscriptionId)
    if (subscription === null || !isOf(subscription, input)) {
      return refuse('SUBSCRIPTION_NOT_FOUND', 'The app has no subscription with this id.')
    }
    const nothingToDo = trigger.kind === 'cancelled' && subscription.cancelAt !== undefined
    if (nothingToDo) return subscription
    const now = await nowOf(tx.sql, subscription, ports.clock.now())
    const change = decide(await loadState(tx.sql, subscription), trigger, freshIds(ports.newId), now)
    if (isRefusal(change)) return change
    await writeChanges(tx, ports, [change])
    return change.subscription
  })
}

function isOf(subscription: Subscription, { appId, businessId }: ActInput): boolean {
  return subscription.appId === appId && (businessId === undefined || subscription.businessId === businessId)
}
