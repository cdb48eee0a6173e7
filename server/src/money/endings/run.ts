import { lockHeldSince } from '../../catalog/apps/store.ts'
import { wholeSeconds } from '../../core/calendar.ts'
import { stepOf, unusedShare } from '../../core/credit.ts'
import { decide } from '../../core/decide.ts'
import { pendingRefund, type Refund } from '../../core/refund.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Change, Subscription } from '../../core/subscription.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { freshIds, loadStates, openCreditBalances } from '../billing/load.ts'
import { refundableOf } from '../billing/refund.ts'
import { type WritePorts, writeChanges } from '../billing/write.ts'
import { lockInvoiceOfPeriod } from '../invoices/store.ts'
import { insertRefunds } from '../refunds/store.ts'
import { lockLiveOfApp, quarantineSubscription } from '../subscriptions/store.ts'
import type { Ending } from './ending.ts'
import { lockRunningEnding, saveEnding } from './store.ts'

type RunPorts = WritePorts & Pick<Ports, 'db' | 'log'>

/** A batch holds its locks for well under a second, and a merchant's request waits for a batch at most. */
const BATCH = 100

/**
 * Ends the next subscriptions of one job. The batch and the cursor are one commit, so a crash repeats and skips nothing.
 * A batch that fails is repeated with one subscription, and a subscription that fails alone is quarantined and counted.
 * Returns 0 when no job runs. Any number of processes may run it.
 */
export async function runEndings(ports: RunPorts): Promise<number> {
  try {
    return await runBatch(ports, BATCH)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    ports.log.error({ err: error }, 'a batch of an ending failed; its subscriptions are ended one by one')
  }
  let taken: Subscription | undefined
  try {
    return await runBatch(ports, 1, subscription => {
      taken = subscription
    })
  } catch (error) {
    if (isDatabaseUnavailable(error) || taken === undefined) throw error
    return await skip(ports, taken, error)
  }
}

async function runBatch(
  ports: RunPorts,
  limit: number,
  onTaken: (first: Subscription | undefined) => void = () => {},
): Promise<number> {
  return await ports.db.transaction(async tx => {
    const found = await lockNext(tx.sql, ports, limit)
    if (found === null) return 0
    const { job, heldSince, live, now } = found
    onTaken(live[0])
    const [balances, states] = [await openCreditBalances(tx.sql, live), await loadStates(tx.sql, live)]
    const changes: Change[] = []
    for (const state of states) {
      const credit = balances.of(state.subscription)
      const change = decide({ ...state, credit }, { kind: 'operatorEnded' }, freshIds(ports.newId), now)
      if (isRejection(change)) continue
      balances.carryOver(change)
      changes.push(change)
    }
    if (changes.length > 0) await writeChanges(tx, ports, changes)
    const refunds = job.refundUnused ? await refundUnused(tx, ports, live, { heldSince, now }) : 0
    await saveEnding(tx.sql, {
      ...reached(job, live, limit),
      ...{ ended: job.ended + changes.length, refunds: job.refunds + refunds, updatedAt: now },
    })
    return 1
  })
}

interface Next {
  readonly job: Ending
  readonly heldSince: Date
  readonly live: readonly Subscription[]
  readonly now: Date
}

/** Locks the app before its subscriptions, as enabling the app does. */
async function lockNext(sql: Sql, { clock }: Pick<Ports, 'clock'>, limit: number): Promise<Next | null> {
  const job = await lockRunningEnding(sql)
  if (job === null) return null
  const now = wholeSeconds(clock.now())
  const heldSince = await lockHeldSince(sql, job.appId)
  if (heldSince === null) {
    await saveEnding(sql, { ...job, state: 'STOPPED', updatedAt: now })
    return null
  }
  const live = await lockLiveOfApp(sql, { appId: job.appId, after: job.reachedId ?? null, limit })
  return { job, heldSince, live, now }
}

function reached(job: Ending, live: readonly Subscription[], limit: number): Ending {
  const last = live.at(-1)
  return {
    ...job,
    state: live.length < limit ? 'DONE' : 'RUNNING',
    ...(last === undefined ? {} : { reachedId: last.subscriptionId }),
  }
}

async function refundUnused(
  tx: Tx,
  ports: RunPorts,
  live: readonly Subscription[],
  { heldSince, now }: Pick<Next, 'heldSince' | 'now'>,
): Promise<number> {
  const refunds: Refund[] = []
  for (const subscription of live) {
    const due = await unusedOf(tx.sql, subscription, heldSince)
    if (due === null) continue
    const { businessId, currency } = subscription
    const ordered = { refundId: ports.newId(), ...due, businessId, currency, origin: 'API' } as const
    refunds.push(pendingRefund({ ...ordered, reason: 'The platform ended the subscription.' }, now))
  }
  const nextPollAt = ports.clock.now()
  await insertRefunds(
    tx.sql,
    refunds.map(refund => ({ ...refund, nextPollAt })),
  )
  if (refunds.length > 0) tx.afterCommit(() => ports.wake.refunds())
  return refunds.length
}

/** The unused share of the cash that is left of the current period's invoice. Null: nothing was paid, or nothing is left. */
async function unusedOf(
  sql: Sql,
  { subscriptionId, term, periodIndex, currency, currentPeriodStart, currentPeriodEnd }: Subscription,
  heldSince: Date,
): Promise<{ readonly invoiceId: string; readonly amount: number } | null> {
  if (periodIndex === undefined) return null
  const invoice = await lockInvoiceOfPeriod(sql, { subscriptionId, term, periodIndex })
  if (invoice?.status !== 'PAID') return null
  const left = await refundableOf(sql, invoice, undefined)
  if (isRejection(left)) return null
  const unused = unusedShare(left, { start: currentPeriodStart, end: currentPeriodEnd }, heldSince)
  const amount = unused - (unused % stepOf(currency))
  return amount === 0 ? null : { invoiceId: invoice.invoiceId, amount }
}

/** Skips the subscription that failed alone, unless another process has ended it. */
async function skip({ db, log, clock }: RunPorts, { subscriptionId }: Subscription, error: unknown): Promise<number> {
  return await db.transaction(async ({ sql }) => {
    const found = await lockNext(sql, { clock }, 1)
    if (found === null || found.live[0]?.subscriptionId !== subscriptionId) return 1
    log.error({ err: error, subscriptionId }, 'a subscription could not be ended and is quarantined')
    await quarantineSubscription(sql, { subscriptionId, error, now: clock.now() })
    await saveEnding(sql, {
      ...found.job,
      reachedId: subscriptionId,
      failed: found.job.failed + 1,
      updatedAt: found.now,
    })
    return 1
  })
}
