import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { considerAct } from './act.ts'
import { loadState } from './load.ts'
import { type ActInput, lockOwn } from './own.ts'

/** What cancelling would bring: an end at once, or one that can still be undone. */
export interface CancelPreview {
  readonly endsAt: Date
  readonly isAtOnce: boolean
  /** Minor units that were asked for and not paid, and that nobody would owe any more. */
  readonly dropped: number
}

/** Tells what `cancel` would do, by the same decision from the same facts. Nothing is stored. */
export async function previewCancel(
  ports: Pick<Ports, 'db' | 'clock' | 'newId'>,
  input: ActInput,
): Promise<CancelPreview | Rejection> {
  return await ports.db.transaction(async tx => {
    const subscription = await lockOwn(tx.sql, input)
    if (isRejection(subscription)) return subscription
    const { openInvoices } = await loadState(tx.sql, subscription)
    const change = await considerAct(tx, ports, subscription, { kind: 'cancelled' })
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
