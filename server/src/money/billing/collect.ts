import { CHARGE_LEASE_MS, RENEW_CHARGE_LEASES_MS } from '../../core/charge.ts'
import type { Tx } from '../../platform/db/db.ts'
import { gather, plannedTransaction } from '../../platform/db/sql.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Step } from '../../platform/loop.ts'
import type { Ports } from '../../ports.ts'
import { type ClaimedCharge, claimCharges, quarantineCharge, renewLeases } from '../charges/store.ts'
import { type AskPorts, openChargeSubmitter, type Submission } from './charge-submitter.ts'
import { type Outcome, settle } from './settle.ts'
import type { WritePorts } from './write.ts'

export type CollectPorts = WritePorts & AskPorts & Pick<Ports, 'log' | 'sleep' | 'vault'>

/** The limit of open charges in one process. */
const AT_ONCE = 512
/** Charges per claim. Preparing 128 charges blocks the process for about 10 ms. */
const CLAIM = 128
/** A run without `step` claims nothing more after this time, so that a test clock does not wait longer. */
const RUN_MS = 2_000

/**
 * Claims charges, submits them to their gateways and settles the outcomes. Returns the number of claimed charges; call again until 0. A
 * charge is claimed with a lease and committed before the network call, so no transaction waits for a gateway. New charges are claimed
 * while others are open, so a slow gateway does not delay other charges.
 */
export async function collectCharges(
  ports: CollectPorts,
  only: { testClockId?: string; step?: Step } = {},
): Promise<number> {
  const until = ports.clock.now().getTime() + RUN_MS
  const submitter = openChargeSubmitter(ports)
  const settleOne = gather(
    (outcomes: readonly Outcome[]) => settleAll(ports, outcomes),
    ({ charge }) => charge.chargeId,
  )
  const underWay = new Map<Promise<void>, string>()
  const failures: unknown[] = []
  let ended = Promise.withResolvers<void>()
  const start = (submission: Submission) => {
    const work = collect(ports, submission, { ask: submitter.ask, settleOne })
      .catch(error => void failures.push(error))
      .finally(() => {
        underWay.delete(work)
        ended.resolve()
        ended = Promise.withResolvers()
      })
    underWay.set(work, submission.charge.chargeId)
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
        return await submitter.prepare(sql, charges, now)
      }
      const claimed = await plannedTransaction(ports.db, takeUp, { plans: 'anew' })
      count += claimed.length
      for (const submission of claimed) start(submission)
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
  { db, clock, log, sleep }: CollectPorts,
  underWay: ReadonlyMap<unknown, string>,
): () => Promise<void> {
  // The simulation controls the order of all steps, and a timer would bypass the simulation.
  if (sleep !== undefined) return async () => {}
  let renewed = Promise.resolve()
  const timer = setInterval(() => {
    if (underWay.size === 0) return
    renewed = renewLeases(db.sql, [...underWay.values()], leaseEnd(clock.now())).catch(error =>
      log.warn({ err: error }, 'charge leases were not renewed; another process may look the charges up'),
    )
  }, RENEW_CHARGE_LEASES_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await renewed
  }
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + CHARGE_LEASE_MS)
}

interface Steps {
  ask(submission: Submission): Promise<Outcome['result'] | null>
  /** Returns the error of a charge that could not be settled. */
  settleOne(outcome: Outcome): Promise<unknown>
}

async function collect(ports: CollectPorts, submission: Submission, { ask, settleOne }: Steps): Promise<void> {
  const { charge } = submission
  try {
    const result = await ask(submission)
    if (result === null) return
    const failure = await settleOne({ charge, result })
    if (failure !== undefined) await quarantine(ports, charge, failure)
  } catch (error) {
    // After the lease another run looks the charge up before it repeats anything.
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

/** Settles outcomes in one transaction, or one by one if that fails. Returns the errors by charge. */
async function settleAll(ports: CollectPorts, outcomes: readonly Outcome[]): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>()
  for (let left = outcomes; left.length > 0; ) {
    // A given-up charge and its successor may belong to one subscription.
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
    ports.log.error({ err: error }, 'a batch of outcomes could not be settled; the outcomes are settled one by one')
    const failures = new Map<string, unknown>()
    for (const outcome of group) {
      for (const [chargeId, failure] of await settleGroup(ports, [outcome])) failures.set(chargeId, failure)
    }
    return failures
  }
}
