import { expiryOf } from '../../core/delivery.ts'
import type { Sql } from '../../platform/db/db.ts'
import { plannedTransaction } from '../../platform/db/sql.ts'
import { recordFailures } from '../../platform/set-aside/store.ts'
import type { Ports } from '../../ports.ts'
import type { Claimed } from './claim.ts'
import type { Release } from './narrow.ts'
import { endLeased, lockLeased, postponeSetAside } from './store.ts'

export interface Unsendable {
  readonly delivery: Pick<Claimed, 'notificationId' | 'hookId' | 'leaseId' | 'recordedAt'>
  readonly error: unknown
}

export type SetAsidePorts = Pick<Ports, 'db' | 'clock' | 'log' | 'telemetry'> & {
  /** What these were the last to hold up: nothing waits for what stands aside, or has ended. */
  readonly onReleased?: (releases: readonly Release[]) => void
}

/** What could not be handled waits apart and is shown in health; past its 72 h it ends as ERRORED. All of one lease. */
export async function setAside(
  { db, clock, log, telemetry: watch, onReleased }: SetAsidePorts,
  unsendable: readonly Unsendable[],
): Promise<void> {
  const leaseId = unsendable[0]?.delivery.leaseId
  if (leaseId === undefined) return
  const now = clock.now()
  for (const { delivery, error } of unsendable) {
    log.error({ err: error, notificationId: delivery.notificationId }, 'a delivery cannot be handled and is set aside')
  }
  const { ended, releases } = await plannedTransaction(db, async ({ sql }) => {
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
    const releases = await findReleased(sql, idsOf(ours))
    return { ended: await endLeased(sql, { ids: idsOf(over), leaseId, reason: 'unsendable', now }), releases }
  })
  watch?.gaveUp(ended)
  onReleased?.(releases)
}

/** The next one of each that was never tried, in the order of the index, as in `save.ts`. Reads `set_aside`. */
export async function findReleased(sql: Sql, ids: readonly string[]): Promise<Release[]> {
  if (ids.length === 0) return []
  return [
    ...(await sql<Release[]>`
      select d.hook_id as "hookId", n.due_at as "dueAt"
      from deliveries as d
      cross join lateral (
        select e.due_at from deliveries as e
        where e.hook_id = d.hook_id and e.resource_id = d.resource_id and e.lane = 'FIRST'
          and e.resource_seq > d.resource_seq
          and not exists (select 1 from set_aside as s where s.kind = 'delivery' and s.row_id = e.notification_id)
        order by e.resource_seq
        limit 1) as n
      where d.notification_id = any(${ids as string[]}::uuid[]) and d.lane = 'FIRST'`),
  ]
}

function partition<T>(all: readonly T[], accepts: (one: T) => boolean): [T[], T[]] {
  return [all.filter(accepts), all.filter(one => !accepts(one))]
}

function idsOf(unsendable: readonly Unsendable[]): string[] {
  return unsendable.map(({ delivery }) => delivery.notificationId)
}
