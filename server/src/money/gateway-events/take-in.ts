import { LOOK_LEASE_MS, nextLookAt } from '../../core/charge.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { agree } from '../billing/agree.ts'
import type { WritePorts } from '../billing/write.ts'
import { recordDifferences } from '../reconciliations/store.ts'
import { claimEvents, deleteEvents, lookAgain, type StoredEvent } from './store.ts'

type TakeInPorts = WritePorts & Pick<Ports, 'db' | 'gateways' | 'log'>

const AT_ONCE = 8
/** Some two hours. After that the charge's own look-ups and the daily reconciliation find it. */
const MOST_LOOKS = 20
/** Ten times as long as any gateway repeats one. */
const KEPT_MS = 30 * 86_400_000
const PURGED_AT_ONCE = 10_000

/** Looks at what events are about, and takes in what it finds. Returns how many; call again until 0. */
export async function takeInEvents(ports: TakeInPorts): Promise<number> {
  const now = ports.clock.now()
  const leasedUntil = new Date(now.getTime() + LOOK_LEASE_MS)
  const events = await claimEvents(ports.db.sql, { now, leasedUntil, limit: AT_ONCE })
  await Promise.all(events.map(event => takeIn(ports, event)))
  return events.length
}

/** Deletes events that no gateway repeats any more. Returns how many. */
export function purgeEvents({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const receivedBefore = new Date(clock.now().getTime() - KEPT_MS)
  return deleteEvents(db.sql, { receivedBefore, limit: PURGED_AT_ONCE })
}

async function takeIn(ports: TakeInPorts, event: StoredEvent): Promise<void> {
  const { db, clock, log } = ports
  let isDone = false
  try {
    isDone = await look(ports, event)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    log.warn({ err: error, ...event }, 'what a gateway told of could not be looked at; it is tried again')
  }
  const isOver = isDone || event.looks >= MOST_LOOKS
  await lookAgain(db.sql, { ...event, lookAt: isOver ? null : nextLookAt(event.looks, clock.now()) })
}

/** Says whether it is done. Not yet: it is about a charge object whose id we have not committed, as its making is still under way. */
async function look(ports: TakeInPorts, { gateway: name, gatewayChargeId, kind }: StoredEvent): Promise<boolean> {
  const gateway = ports.gateways[name]
  if (gateway === undefined) return false
  const { invoiceId, differences } = await agree(ports, gateway, gatewayChargeId)
  if (differences.some(difference => difference.kind === 'CHARGE_OBJECT_UNKNOWN')) return false
  if (invoiceId === undefined) return true
  const now = ports.clock.now()
  if (differences.length > 0)
    ports.log.warn({ gatewayChargeId, invoiceId, kind, differences }, 'our books and the gateway’s differ')
  await recordDifferences(ports.db.sql, { gateway: name, gatewayChargeId, now, invoiceId, differences })
  return true
}
