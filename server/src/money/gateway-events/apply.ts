import { POLL_LEASE_MS, pollAfter } from '../../core/charge.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { reconcile } from '../billing/reconcile.ts'
import type { WritePorts } from '../billing/write.ts'
import { recordDiscrepancies } from '../reconciliations/store.ts'
import { claimEvents, deleteEvents, type StoredEvent, scheduleNextPoll } from './store.ts'

type ApplyPorts = WritePorts & Pick<Ports, 'db' | 'gateways' | 'log' | 'vault'>

const AT_ONCE = 8
/** About two hours. After that, polls of the charge and the daily reconciliation find the outcome. */
const MAX_POLLS = 20
/** Ten times longer than any gateway repeats an event. */
const KEPT_MS = 30 * 86_400_000
const PURGED_AT_ONCE = 10_000

/** Applies due events. Returns the number of events; call again until 0. */
export async function applyEvents(ports: ApplyPorts): Promise<number> {
  const now = ports.clock.now()
  const leasedUntil = new Date(now.getTime() + POLL_LEASE_MS)
  const events = await claimEvents(ports.db.sql, { now, leasedUntil, limit: AT_ONCE })
  await Promise.all(events.map(event => applyEvent(ports, event)))
  return events.length
}

/** Deletes events too old to be repeated. Returns how many. */
export function purgeEvents({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const receivedBefore = new Date(clock.now().getTime() - KEPT_MS)
  return deleteEvents(db.sql, { receivedBefore, limit: PURGED_AT_ONCE })
}

async function applyEvent(ports: ApplyPorts, event: StoredEvent): Promise<void> {
  const { db, clock, log } = ports
  let isDone = false
  try {
    isDone = await reconcileObject(ports, event)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    log.warn({ err: error, ...event }, 'a gateway event could not be applied and is retried')
  }
  const isOver = isDone || event.pollCount >= MAX_POLLS
  await scheduleNextPoll(db.sql, { ...event, nextPollAt: isOver ? null : pollAfter(event.pollCount, clock.now()) })
}

/** True: applied. False: retry later, because the id of the charge object is not committed yet. */
async function reconcileObject(
  ports: ApplyPorts,
  { gateway: name, gatewayChargeId, kind }: StoredEvent,
): Promise<boolean> {
  const gateway = ports.gateways[name]
  if (gateway === undefined) return false
  const { invoiceId, discrepancies } = await reconcile(ports, gateway, gatewayChargeId)
  if (discrepancies.some(discrepancy => discrepancy.kind === 'CHARGE_OBJECT_UNKNOWN')) return false
  if (invoiceId === undefined) return true
  const now = ports.clock.now()
  if (discrepancies.length > 0)
    ports.log.warn({ gatewayChargeId, invoiceId, kind, discrepancies }, 'the gateway’s books differ from ours')
  await recordDiscrepancies(ports.db.sql, { gateway: name, gatewayChargeId, now, invoiceId, discrepancies })
  return true
}
