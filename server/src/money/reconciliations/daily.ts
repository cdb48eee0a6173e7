import { LATE_PAYMENT_WINDOW_MS } from '../../core/charge.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { type ReconcileResult, reconcile } from '../billing/reconcile.ts'
import type { WritePorts } from '../billing/write.ts'
import { type Gateway, GatewayUnreachable } from '../gateway/gateway.ts'
import { compareAll } from './compare-all.ts'
import {
  claimReconciliation,
  extendLease,
  finishReconciliation,
  listOurs,
  type Reconciliation,
  recordDiscrepancies,
} from './store.ts'

type ReconcilePorts = WritePorts & Pick<Ports, 'db' | 'gateways' | 'log'>

const DAY_MS = 86_400_000
/** What was on its way when the last comparison was made is compared again. */
const OVERLAP_MS = DAY_MS
/** For about a month a refund that had succeeded may come back. */
const REFUND_RETURN_WINDOW_MS = 30 * DAY_MS
const LEASE_MS = 10 * 60_000
/**
 * Once a UTC day, for each gateway: all that was charged or refunded since the last time, by its books or by ours, is compared.
 * Outcomes that we missed are taken in; other discrepancies are kept for people. Returns how many charge objects were compared.
 * Stopped on its way it leaves the day to whoever comes next.
 */
export async function reconcileDaily(ports: ReconcilePorts, isStopped: () => boolean = () => false): Promise<number> {
  let compared = 0
  for (const gateway of Object.values(ports.gateways)) {
    if (!isStopped()) compared += await reconcileWith(ports, gateway, isStopped)
  }
  return compared
}

async function reconcileWith(ports: ReconcilePorts, gateway: Gateway, isStopped: () => boolean): Promise<number> {
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
  const touched = await touchedSince(ports, gateway, run)
  const lease = (ms: number) => {
    const leasedUntil = new Date(ports.clock.now().getTime() + ms)
    return extendLease(ports.db.sql, { gateway: gateway.name, untilAt, leasedUntil })
  }
  const found = await compareAll(touched, {
    compare: (gatewayChargeId, isLast) => compare(ports, gateway, { gatewayChargeId, isLast }),
    goOn: () => lease(LEASE_MS),
    isStopped,
  })
  if (found === null) {
    await lease(0)
    return 0
  }
  const done = { compared: touched.length, ...found }
  await finishReconciliation(ports.db.sql, { ...run, ...done, finishedAt: ports.clock.now() })
  const told = { gateway: gateway.name, ...done }
  if (done.repaired + done.discrepancies > 0) ports.log.warn(told, "a gateway's books did not agree with ours")
  return touched.length
}

async function touchedSince(
  { db }: Pick<Ports, 'db'>,
  gateway: Gateway,
  { fromAt }: Reconciliation,
): Promise<string[]> {
  const since = new Date(fromAt.getTime() - OVERLAP_MS)
  const refundedSince = new Date(fromAt.getTime() - REFUND_RETURN_WINDOW_MS)
  const givenUpSince = new Date(fromAt.getTime() - LATE_PAYMENT_WINDOW_MS)
  const ours = await listOurs(db.sql, { gateway: gateway.name, chargedSince: since, givenUpSince, refundedSince })
  return [...new Set([...ours, ...(await gateway.listTouched({ since }))])]
}

/** `isLast`: what the gateway says nothing of is shown, until it is compared the next day; else it is null. */
async function compare(
  ports: ReconcilePorts,
  gateway: Gateway,
  { gatewayChargeId, isLast }: { gatewayChargeId: string; isLast: boolean },
): Promise<ReconcileResult | null> {
  const agreement =
    (await reconcileOrReport(ports, gateway, gatewayChargeId)) ??
    (isLast ? notCompared('The gateway did not answer.') : null)
  if (agreement === null) return null
  const { invoiceId, discrepancies } = agreement
  const of = { gateway: gateway.name, gatewayChargeId, now: ports.clock.now(), discrepancies }
  await recordDiscrepancies(ports.db.sql, { ...of, ...(invoiceId === undefined ? {} : { invoiceId }) })
  return agreement
}

/** One that throws is shown, and holds nobody up. Where the database is away, the whole run waits. Null: the gateway did not answer. */
async function reconcileOrReport(
  ports: ReconcilePorts,
  gateway: Gateway,
  gatewayChargeId: string,
): Promise<ReconcileResult | null> {
  try {
    return await reconcile(ports, gateway, gatewayChargeId)
  } catch (error) {
    if (error instanceof GatewayUnreachable) return null
    if (isDatabaseUnavailable(error)) throw error
    ports.log.error({ err: error, gatewayChargeId }, 'a charge object could not be compared')
    return notCompared('Comparing it failed; the log says how.')
  }
}

function notCompared(detail: string): ReconcileResult {
  return { repaired: 0, discrepancies: [{ kind: 'NOT_COMPARED', detail }] }
}
