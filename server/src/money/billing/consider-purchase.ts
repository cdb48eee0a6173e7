import { decide } from '../../core/decide.ts'
import type { Purchase } from '../../core/purchase.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Change } from '../../core/subscription.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { considerAct } from './act.ts'
import { considerChange } from './consider-change.ts'
import { type ActInput, lockOwnAndBusiness } from './own.ts'
import type { Payer } from './pay-with.ts'
import { prefer } from './pay-with.ts'
import { considerPlan, writeStart } from './take-plan.ts'
import { type WritePorts, writeChanges } from './write.ts'

/** What is to be bought, whether or not it is a purchase yet. */
export type ToBuy = Pick<
  Purchase,
  'purchaseId' | 'appId' | 'businessId' | 'storeId' | 'deviceId' | 'kind' | 'planId' | 'subscriptionId'
>

/**
 * Decides what a purchase brings, by what the same act of a merchant is decided by: subscribing, changing the plan at once,
 * undoing a cancellation. Locks what those lock, and writes nothing.
 */
export async function considerPurchase(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId'>,
  toBuy: ToBuy,
  paying: Omit<Payer, 'businessId'>,
): Promise<Change | Rejection> {
  const { purchaseId: bundleId, kind, planId } = toBuy
  if (kind === 'SUBSCRIBE') return considerPlan(tx, ports, { ...toBuy, ...paying, bundleId })
  if (kind === 'REPLACE') {
    const considered = await considerChange(tx, ports, { ...ownOf(toBuy), ...paying, planId, when: 'NOW' }, decide)
    return isRejection(considered) ? considered : considered.decided
  }
  const subscription = await lockOwnAndBusiness(tx.sql, ownOf(toBuy))
  return isRejection(subscription) ? subscription : considerAct(tx, ports, subscription, { kind: 'restored' })
}

/** Writes what `considerPurchase` decided, in the same transaction. */
export async function writePurchase(
  tx: Tx,
  ports: WritePorts,
  change: Change,
  { kind, businessId, paymentMethodId }: Pick<Purchase, 'kind' | 'businessId'> & Payer,
): Promise<void> {
  const payer = { businessId, ...(paymentMethodId === undefined ? {} : { paymentMethodId }) }
  if (kind === 'SUBSCRIBE') return writeStart(tx, ports, change, payer)
  // Nothing is charged when a cancellation is undone, so nothing is paid with.
  if (kind === 'REPLACE' && paymentMethodId !== undefined) await prefer(tx, ports, { businessId, paymentMethodId })
  await writeChanges(tx, ports, [change])
}

function ownOf({ appId, businessId, storeId, deviceId, subscriptionId = '' }: ToBuy): ActInput {
  const seenFrom = {
    ...(storeId === undefined ? {} : { storeId }),
    ...(deviceId === undefined ? {} : { deviceId }),
  }
  return { appId, businessId, subscriptionId, seenFrom }
}
