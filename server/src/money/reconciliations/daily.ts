import { LATE_PAYMENT_WINDOW_MS } from '../../core/charge.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { type ReconcileResult, reconcile } from '../billing/reconcile.ts'
import type { WritePorts } from '../billing/write.ts'
import { type Gateway, GatewayUnreachable } from '../gateway/gateway.ts'
import {
  claimReconciliation,
  extendLease,
  finishReconciliation,
  listOurs,
  type Reconciliation,
  recordDiscrepancies,
} from './store.ts'

type DailyPorts = WritePorts & Pick<Ports, 'db' | 'gateways' | 'log' | 'vault'>

const DAY_MS = 86_400_000
/** Work under way during the last comparison is compared again. */
const OVERLAP_MS = DAY_MS
/** A refund may fail at the gateway up to about a month after its success. */
const REFUND_RETURN_WINDOW_MS = 30 * DAY_MS
const LEASE_MS = 10 * 60_000
/** Charge objects at a time. Each takes about three calls to the gateway. */
const AT_ONCE = 4

/**
 * Once a UTC day and gateway: compares everything charged or refunded since the last run, by the gateway's books or ours. Returns the number of
 * compared charge objects. A stopped run leaves the day to the next process.
 */
export async function reconcileDaily(ports: DailyPorts, isStopped: () => boolean = () => false): Promise<number> {
  let compared = 0
  for (const gateway of Object.values(ports.gateways)) {
    if (!isStopped()) compared += await reconcileWith(ports, gateway, isStopped)
  }
  return compared
}

async function reconcileWith(ports: DailyPorts, gateway: Gateway, isStopped: () => boolean): Promise<number> {
  const now = ports.clock.now()
  const untilAt = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)
  const run = await claimReconciliation(ports.db.sql, {
    gateway: gateway.name,
    untilAt,
    latestFromAt: new Date(untilAt.getTime() - DAY_MS),
    now,
    leasedUntil: new Date(now.getTime() + LEASE_MS),
  })
  if (run === null) return 0
  const touched = await listTouched(ports, gateway, run)
  const lease = (ms: number) => {
    const leasedUntil = new Date(ports.clock.now().getTime() + ms)
    return extendLease(ports.db.sql, { gateway: gateway.name, untilAt, leasedUntil })
  }
  const results = await compareAll(ports, gateway, { touched, goOn: () => lease(LEASE_MS), isStopped })
  if (results === null) {
    await lease(0)
    return 0
  }
  const done = {
    compared: touched.length,
    repaired: results.reduce((sum, { repaired }) => sum + repaired, 0),
    discrepancies: results.reduce((sum, { discrepancies }) => sum + discrepancies.length, 0),
  }
  await finishReconciliation(ports.db.sql, { ...run, ...done, finishedAt: ports.clock.now() })
  if (done.repaired + done.discrepancies > 0) {
    ports.log.warn({ gateway: gateway.name, ...done }, "a gateway's books differed from ours")
  }
  return touched.length
}

async function listTouched({ db }: Pick<Ports, 'db'>, gateway: Gateway, { fromAt }: Reconciliation): Promise<string[]> {
  const since = new Date(fromAt.getTime() - OVERLAP_MS)
  const refundedSince = new Date(fromAt.getTime() - REFUND_RETURN_WINDOW_MS)
  const givenUpSince = new Date(fromAt.getTime() - LATE_PAYMENT_WINDOW_MS)
  const ours = await listOurs(db.sql, { gateway: gateway.name, chargedSince: since, givenUpSince, refundedSince })
  return [...new Set([...ours, ...(await gateway.listTouched({ since }))])]
}

interface Run {
  readonly touched: readonly string[]
  /** Called after every few charge objects. */
  goOn(): Promise<void>
  isStopped(): boolean
}

/**
 * Compares the charge objects. An object without an answer is asked again at the end: among tens of thousands some always fail once. Four
 * objects in a row without an answer mean that the gateway is unavailable: throws GatewayUnreachable. Null: stopped.
 */
async function compareAll(
  ports: DailyPorts,
  gateway: Gateway,
  { touched, goOn, isStopped }: Run,
): Promise<readonly ReconcileResult[] | null> {
  const results: ReconcileResult[] = []
  const unanswered: string[] = []
  for (const isLast of [false, true]) {
    const ids = isLast ? unanswered : touched
    if (isLast && ids.length > 0 && ids.length === touched.length) throw unavailable()
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      if (isStopped()) return null
      const some = ids.slice(i, i + AT_ONCE)
      const answers = await Promise.all(some.map(id => compare(ports, gateway, { gatewayChargeId: id, isLast })))
      if (some.length === AT_ONCE && answers.every(answer => answer === null)) throw unavailable()
      for (const [n, answer] of answers.entries()) {
        if (answer !== null) results.push(answer)
        else unanswered.push(some[n] ?? '')
      }
      await goOn()
    }
  }
  return results
}

function unavailable(): GatewayUnreachable {
  return new GatewayUnreachable('the gateway does not answer')
}

/** Null: no answer. With `isLast`, a missing answer is recorded as a discrepancy until the next day's run. */
async function compare(
  ports: DailyPorts,
  gateway: Gateway,
  { gatewayChargeId, isLast }: { gatewayChargeId: string; isLast: boolean },
): Promise<ReconcileResult | null> {
  const result =
    (await reconcileOrReport(ports, gateway, gatewayChargeId)) ??
    (isLast ? notCompared('The gateway did not answer.') : null)
  if (result === null) return null
  const { invoiceId, discrepancies } = result
  const found = { gateway: gateway.name, gatewayChargeId, now: ports.clock.now(), discrepancies }
  await recordDiscrepancies(ports.db.sql, { ...found, ...(invoiceId === undefined ? {} : { invoiceId }) })
  return result
}

/** An error of one charge object is reported and does not stop the run; an unavailable database does. Null: no answer. */
async function reconcileOrReport(
  ports: DailyPorts,
  gateway: Gateway,
  gatewayChargeId: string,
): Promise<ReconcileResult | null> {
  try {
    return await reconcile(ports, gateway, gatewayChargeId)
  } catch (error) {
    if (error instanceof GatewayUnreachable) return null
    if (isDatabaseUnavailable(error)) throw error
    ports.log.error({ err: error, gatewayChargeId }, 'a charge object could not be compared')
    return notCompared('The comparison failed; the log has the error.')
  }
}

function notCompared(detail: string): ReconcileResult {
  return { repaired: 0, discrepancies: [{ kind: 'NOT_COMPARED', detail }] }
}
