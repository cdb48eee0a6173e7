import { hasResumingApp, lockResumingApp, saveResumed } from '../../catalog/apps/store.ts'
import { wholeSeconds } from '../../core/calendar.ts'
import { type CatchUp, heldBacklog } from '../../core/catch-up.ts'
import { catchUp } from '../../core/forecast.ts'
import { afterHold } from '../../core/hold.ts'
import type { Change, Subscription } from '../../core/subscription.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import { pipeline, plannedTransaction } from '../../platform/db/sql.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { guardCatchUp } from '../catch-up/guard.ts'
import { lockDue, lockLiveOfApp, quarantineSubscription } from '../subscriptions/store.ts'
import { freshIds, loadStates, openCreditBalances } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

export type AdvancePorts = WritePorts & Pick<Ports, 'db' | 'log' | 'vault'>

/**
 * One transaction for 200 renewals is about ten times as fast as 200 transactions. Larger batches gain little and hold
 * locks longer.
 */
const BATCH = 200

/**
 * Advances subscriptions in real time: trials end, periods begin, retries fall due, grace ends, and scheduled
 * cancellations take effect. Returns the number of subscriptions read; call again until 0. Any number of processes may
 * call it at once. A subscription that fails is quarantined, and the other subscriptions continue. After an outage of
 * more than a day the backlog waits for the operator (`money/catch-up`).
 */
export async function advanceDue(ports: AdvancePorts): Promise<number> {
  const now = wholeSeconds(ports.clock.now())
  const catchUp = await guardCatchUp(ports, now)
  const resumed = (await hasResumingApp(ports.db.sql)) ? await resumeHeld(ports, now) : 0
  try {
    return resumed + (await advanceBatch(ports, { now, catchUp }))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    ports.log.error({ err: error }, 'a batch of subscriptions failed; the subscriptions are advanced one by one')
    return resumed + (await advanceOneByOne(ports, { now, catchUp }))
  }
}

/**
 * Resumes the subscriptions of an app after the operator enabled the app again, one batch at a time. A batch and the cursor are written in one
 * transaction, so a crash repeats nothing.
 */
async function resumeHeld(ports: AdvancePorts, now: Date): Promise<number> {
  return ports.db.transaction(async tx => {
    const app = await lockResumingApp(tx.sql)
    if (app === null) return 0
    const { appId, heldSince: since, resumedTo: after } = app
    const held = await lockLiveOfApp(tx.sql, { appId, after, limit: BATCH })
    const last = held.length < BATCH ? undefined : held.at(-1)
    await advance(
      tx,
      ports,
      held.map(subscription => afterHold(subscription, { since, until: now })),
      now,
    )
    await saveResumed(tx.sql, appId, last?.subscriptionId ?? null)
    return held.length
  })
}

interface Pass {
  readonly now: Date
  readonly catchUp: CatchUp | null
}

async function advanceBatch(ports: AdvancePorts, pass: Pass): Promise<number> {
  return await plannedTransaction(ports.db, async tx => {
    const due = await lockNextDue(tx.sql, pass, BATCH)
    await advance(tx, ports, due, pass.now)
    return due.length
  })
}

/** The due subscriptions, without the part of a backlog that waits. After a waiver the missed periods are free. */
async function lockNextDue(sql: Sql, { now, catchUp }: Pass, limit: number): Promise<readonly Subscription[]> {
  const held = heldBacklog(catchUp, now)
  if (held !== null) {
    // Two ranges, so that no pass reads the rows that wait.
    const before = await lockDue(sql, { now, limit, until: held.after })
    return before.length > 0 ? before : await lockDue(sql, { now, limit, after: held.until })
  }
  const due = await lockDue(sql, { now, limit })
  if (catchUp?.state !== 'WAIVED') return due
  const { outageFrom: since, outageUntil } = catchUp
  const isMissed = ({ nextActionAt }: Subscription) => nextActionAt !== undefined && nextActionAt <= outageUntil
  return due.map(one => (isMissed(one) ? afterHold(one, { since, until: now }) : one))
}

async function advanceOneByOne(ports: AdvancePorts, pass: Pass): Promise<number> {
  for (let done = 0; done < BATCH; done++) {
    let taken: Subscription | undefined
    try {
      const found = await ports.db.transaction(async tx => {
        const due = await lockNextDue(tx.sql, pass, 1)
        taken = due[0]
        await advance(tx, ports, due, pass.now)
        return due.length
      })
      if (found === 0) return done
    } catch (error) {
      if (isDatabaseUnavailable(error) || taken === undefined) throw error
      await quarantine(ports.db, ports, taken, error)
    }
  }
  return BATCH
}

/** Decides and writes, in the caller's transaction, everything that is due at `now` for these locked subscriptions. */
export async function advance(tx: Tx, ports: AdvancePorts, due: readonly Subscription[], now: Date): Promise<void> {
  const changes: Change[] = []
  const [balances, states] = await pipeline([openCreditBalances(tx.sql, due), loadStates(tx.sql, due)])
  for (const state of states) {
    try {
      const change = catchUp({ ...state, credit: balances.of(state.subscription) }, () => freshIds(ports.newId), now)
      // Subscriptions of one business share one credit balance.
      balances.carryOver(change)
      changes.push(change)
    } catch (error) {
      await quarantine(tx, ports, state.subscription, error)
    }
  }
  if (changes.length > 0) await writeChanges(tx, ports, changes)
}

/** Logs the failure, lists the subscription for the operator, and schedules a retry. */
export async function quarantine(
  db: Pick<Tx, 'sql'>,
  { log, clock }: Pick<Ports, 'log' | 'clock'>,
  { subscriptionId }: Subscription,
  error: unknown,
): Promise<void> {
  log.error({ err: error, subscriptionId }, 'a subscription could not be advanced and is quarantined')
  await quarantineSubscription(db.sql, { subscriptionId, error, now: clock.now() })
}
