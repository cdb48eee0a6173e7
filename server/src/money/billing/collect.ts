import { CHARGE_LEASE_MS, RENEW_CHARGE_LEASES_MS } from '../../core/charge.ts'
import type { Tx } from '../../platform/db/db.ts'
import { gather, plannedTransaction } from '../../platform/db/sql.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Step } from '../../platform/loop.ts'
import type { Ports } from '../../ports.ts'
import { type ClaimedCharge, claimCharges, quarantineCharge, renewLeases } from '../charges/store.ts'
import { type AskPorts, openDesk, type Paying } from './charge-submitter.ts'
import { type Outcome, settle } from './settle.ts'
import type { WritePorts } from './write.ts'

export type CollectPorts = WritePorts & AskPorts & Pick<Ports, 'log'>

/** Charges under way at one time in one process. */
const AT_ONCE = 512
/** Claimed by one statement: what is done for all of them at once holds the process for some 10 ms. */
const CLAIM = 128
/** After that a run that nobody paces takes up nothing more: a test clock is not waited for longer. */
const RUN_MS = 2_000

/**
 * Takes up charges that wait for the gateway, and settles what it answers. Returns how many; call again until 0.
 * No transaction is open while the network is spoken to: claimed with a lease, committed, called, settled. More are taken up
 * while the first are under way, in the step of a pace also those that have come since: a gateway that takes its time holds nobody up.
 */
export async function collectCharges(
  ports: CollectPorts,
  only: { testClockId?: string; step?: Step } = {},
): Promise<number> {
  const until = ports.clock.now().getTime() + RUN_MS
  const desk = openDesk(ports)
  const settleOne = gather(
    (outcomes: readonly Outcome[]) => settleAll(ports, outcomes),
    ({ charge }) => charge.chargeId,
  )
  const underWay = new Map<Promise<void>, string>()
  const failures: unknown[] = []
  let ended = Promise.withResolvers<void>()
  const start = (paying: Paying) => {
    const work = collect(ports, paying, { ask: desk.ask, settleOne })
      .catch(error => void failures.push(error))
      .finally(() => {
        underWay.delete(work)
        ended.resolve()
        ended = Promise.withResolvers()
      })
    underWay.set(work, paying.charge.chargeId)
  }
  const { testClockId, step } = only
  const mayGoOn = () => failures.length === 0 && (step ? step.mayContinue() : ports.clock.now().getTime() <= until)
  const ofClock = testClockId === undefined ? {} : { testClockId }
  let count = 0
  const stopRenewing = renewWhileUnderWay(ports, underWay)
  try {
    for (let isFirst = true; isFirst || mayGoOn(); isFirst = false) {
      const now = ports.clock.now()
      const leasedUntil = leaseEnd(now)
      const takeUp = async ({ sql }: Tx) => {
        const charges = await claimCharges(sql, { ...ofClock, now, leasedUntil, limit: CLAIM })
        return await desk.prepare(sql, charges, now)
      }
      const claimed = await plannedTransaction(ports.db, takeUp, { plans: 'anew' })
      count += claimed.length
      for (const paying of claimed) start(paying)
      while (underWay.size > AT_ONCE - CLAIM) await ended.promise
      if (claimed.length === CLAIM) continue
      if (step === undefined || underWay.size === 0) break
      await Promise.race([step.pause(), Promise.all(underWay.keys())])
    }
  } finally {
    await Promise.all(underWay.keys())
    await stopRenewing()
  }
  if (failures.length > 0) throw failures[0]
  return count
}

/** Returns a function that stops the renewals and waits for the last one. */
function renewWhileUnderWay(
  { db, clock, log }: CollectPorts,
  underWay: ReadonlyMap<unknown, string>,
): () => Promise<void> {
  let renewed = Promise.resolve()
  const timer = setInterval(() => {
    if (underWay.size === 0) return
    renewed = renewLeases(db.sql, [...underWay.values()], leaseEnd(clock.now())).catch(error =>
      log.warn({ err: error }, 'charge leases were not renewed; another process may look the charges up'),
    )
  }, RENEW_CHARGE_LEASES_MS)
  return async () => {
    clearInterval(timer)
    await renewed
  }
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + CHARGE_LEASE_MS)
}

interface Steps {
  ask(paying: Paying): Promise<Outcome['result'] | null>
  /** Gives why it could not be. */
  settleOne(outcome: Outcome): Promise<unknown>
}

async function collect(ports: CollectPorts, paying: Paying, { ask, settleOne }: Steps): Promise<void> {
  const { charge } = paying
  try {
    const result = await ask(paying)
    if (result === null) return
    const failure = await settleOne({ charge, result })
    if (failure !== undefined) await quarantine(ports, charge, failure)
  } catch (error) {
    // The lease runs out, and the charge is looked up before anything is repeated.
    if (isDatabaseUnavailable(error)) throw error
    await quarantine(ports, charge, error)
  }
}

async function quarantine(
  { db, log, clock }: Pick<CollectPorts, 'db' | 'log' | 'clock'>,
  { chargeId }: ClaimedCharge,
  error: unknown,
): Promise<void> {
  log.error({ err: error, chargeId }, 'a charge could not be settled and is quarantined')
  await quarantineCharge(db.sql, { chargeId, error, now: clock.now() })
}

/** Settles them together; where that fails, one by one. Returns the errors of those that could not be, by their charges. */
async function settleAll(ports: CollectPorts, outcomes: readonly Outcome[]): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>()
  for (let left = outcomes; left.length > 0; ) {
    // Two charges of one subscription may be known at once: one that was given up, and the next.
    const first = new Map(left.map(outcome => [outcome.charge.subscriptionId, outcome]))
    const group = [...first.values()]
    left = left.filter(outcome => first.get(outcome.charge.subscriptionId) !== outcome)
    for (const [chargeId, error] of await settleGroup(ports, group)) failures.set(chargeId, error)
  }
  return failures
}

async function settleGroup(ports: CollectPorts, group: readonly Outcome[]): Promise<Map<string, unknown>> {
  try {
    await settle(ports, group)
    return new Map()
  } catch (error) {
    const [first, ...others] = group
    if (first === undefined || isDatabaseUnavailable(error)) throw error
    if (others.length === 0) return new Map([[first.charge.chargeId, error]])
    ports.log.error({ err: error }, 'charges could not be settled together; taking them one by one')
    const failures = new Map<string, unknown>()
    for (const outcome of group) {
      for (const [chargeId, failure] of await settleGroup(ports, [outcome])) failures.set(chargeId, failure)
    }
    return failures
  }
}
