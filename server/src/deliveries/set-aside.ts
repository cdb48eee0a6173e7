import { expiryOf } from '../core/delivery.ts'
import { plannedTransaction } from '../db/planned.ts'
import type { Ports } from '../ports.ts'
import { recordFailures } from '../set-aside/store.ts'
import type { Claimed } from './claim.ts'
import { endLeased, lockLeased, postponeSetAside } from './store.ts'

export interface Unsendable {
  readonly delivery: Pick<Claimed, 'notificationId' | 'hookId' | 'leaseId' | 'recordedAt'>
  readonly error: unknown
}

/** What could not be handled waits apart and is shown in health; past its 72 h it ends as ERRORED. All of one lease. */
export async function setAside(
  { db, clock, log, watch }: Pick<Ports, 'db' | 'clock' | 'log' | 'watch'>,
  unsendable: readonly Unsendable[],
): Promise<void> {
  const leaseId = unsendable[0]?.delivery.leaseId
  if (leaseId === undefined) return
  const now = clock.now()
  for (const { delivery, error } of unsendable) {
    log.error({ err: error, notificationId: delivery.notificationId }, 'a delivery cannot be handled and is set aside')
  }
  const ended = await plannedTransaction(db, async ({ sql }) => {
    // What has ended since, or was taken by another process, is not ours to set aside: nothing would ever clear its row.
    const held = await lockLeased(sql, { ids: idsOf(unsendable), leaseId })
    const ours = unsendable.filter(({ delivery }) => held.has(delivery.notificationId))
    const [waiting, over] = partition(ours, ({ delivery }) => now < expiryOf(delivery))
    await recordFailures(sql, {
      kind: 'delivery',
      now,
      failures: waiting.map(({ delivery, error }) => ({ rowId: delivery.notificationId, error })),
    })
    await postponeSetAside(sql, { ids: idsOf(waiting), leaseId })
    return endLeased(sql, { ids: idsOf(over), leaseId, reason: 'unsendable', now })
  })
  watch?.gaveUp(ended)
}

function partition<T>(all: readonly T[], accepts: (one: T) => boolean): [T[], T[]] {
  return [all.filter(accepts), all.filter(one => !accepts(one))]
}

function idsOf(unsendable: readonly Unsendable[]): string[] {
  return unsendable.map(({ delivery }) => delivery.notificationId)
}
