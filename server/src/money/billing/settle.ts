import { assert } from '../../core/assert.ts'
import { followedBy, stateAfter } from '../../core/change.ts'
import {
  ABANDONED,
  type Charge,
  type ChargeResult,
  GIVEN_UP,
  isSettled,
  MAY_COME_LATE,
  nextLatePollAt,
  pollAfter,
  triggerOf,
} from '../../core/charge.ts'
import { decide } from '../../core/decide.ts'
import { OUTCOME_WAIT_MS } from '../../core/dunning.ts'
import { bookCharge } from '../../core/ledger.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Change, Subscription, SubscriptionState, Trigger } from '../../core/subscription.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import { plannedTransaction } from '../../platform/db/planned.ts'
import { together } from '../../platform/db/together.ts'
import type { Ports } from '../../ports.ts'
import { findVeryFirst, hasOtherAlive, lockCharges, type PolledCharge, saveCharges } from '../charges/store.ts'
import { insertLedgerTransactions } from '../ledger/store.ts'
import { findDefaultPaymentMethods } from '../payment-methods/store.ts'
import { lockSubscriptions } from '../subscriptions/store.ts'
import { freshIds, loadStates, openClocks } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

/** What a look at the gateway brought. */
export interface Outcome {
  readonly charge: Pick<Charge, 'chargeId' | 'subscriptionId'>
  readonly result: ChargeResult
}

/** The same, of a charge and its subscription that are both locked. */
interface Told {
  readonly charge: Charge
  readonly subscription: Subscription
  readonly result: ChargeResult
  /** The subscription's time. */
  readonly now: Date
}

/** What becomes of the charge; and, where it means something to the subscription, of what kind it is for it. */
interface Seen {
  readonly looked: PolledCharge
  readonly takesIn?: Told
}

/**
 * Takes in what became of charges, by few statements however many: the charges, the ledger, the subscriptions, their invoices and
 * notifications change together, all of them or none. Each must be of another subscription.
 * Told twice, or by two processes at once, it happens once. Money that was taken always counts, however late we learn of it.
 */
export async function settle(ports: WritePorts & Pick<Ports, 'db'>, outcomes: readonly Outcome[]): Promise<void> {
  await plannedTransaction(ports.db, async tx => {
    const tolds = await lock(tx.sql, ports, outcomes)
    const instead = await findDefaults(tx.sql, tolds.filter(isAsked))
    const seen: Seen[] = []
    for (const told of tolds) seen.push(await see(tx.sql, ports, told, instead))
    const taken = seen.flatMap(({ takesIn }) => takesIn ?? [])
    const [states] = await together([
      loadStates(
        tx.sql,
        taken.map(({ subscription }) => subscription),
      ),
      saveCharges(
        tx.sql,
        seen.map(({ looked }) => looked),
      ),
      book(tx.sql, ports, taken),
    ])
    const veryFirst = await findVeryFirst(
      tx.sql,
      taken.filter(({ result }) => result.status === 'DECLINED_HARD').map(({ charge }) => charge),
    )
    const defaults = await findDefaults(tx.sql, taken.filter(isDeclined))
    const changes = states.flatMap((state, n) => {
      const told = taken[n]
      return told === undefined
        ? []
        : (takeIn(ports, state, { ...told, isVeryFirst: veryFirst.has(told.charge.chargeId) }, defaults) ?? [])
    })
    if (changes.length > 0) await writeChanges(tx, ports, changes)
    tellOf(tx, ports, taken)
  })
}

function tellOf(tx: Tx, { watch }: Pick<Ports, 'watch'>, taken: readonly Told[]): void {
  if (watch === undefined) return
  tx.afterCommit(() => {
    for (const { charge, result } of taken) {
      const { chargeId, invoiceId, subscriptionId } = charge
      watch.charged({ chargeId, invoiceId, subscriptionId, ...result })
    }
  })
}

/** The subscriptions first, as everywhere: one order of locks. */
async function lock(sql: Sql, { clock }: Pick<Ports, 'clock'>, outcomes: readonly Outcome[]): Promise<Told[]> {
  const [subscriptions, charges] = await together([
    lockSubscriptions(
      sql,
      outcomes.map(({ charge }) => charge.subscriptionId),
    ),
    lockCharges(
      sql,
      outcomes.map(({ charge }) => charge.chargeId),
    ),
  ])
  const timeOf = await openClocks(sql, [...subscriptions.values()], clock.now())
  return outcomes.map(({ charge: { subscriptionId, chargeId }, result }) => {
    const subscription = subscriptions.get(subscriptionId)
    const charge = charges.get(chargeId)
    assert(subscription && charge, 'a charge and its subscription are never deleted')
    return { charge, subscription, result, now: timeOf(subscription) }
  })
}

/** By their businesses. */
async function findDefaults(sql: Sql, tolds: readonly Told[]): Promise<ReadonlyMap<string, string>> {
  const businessIds = tolds.map(({ charge }) => charge.businessId)
  return businessIds.length > 0 ? await findDefaultPaymentMethods(sql, businessIds) : new Map()
}

async function see(
  sql: Sql,
  ports: Pick<Ports, 'clock'>,
  told: Told,
  defaults: ReadonlyMap<string, string>,
): Promise<Seen> {
  if (isSettled(told.charge.status)) return await seeAgain(sql, ports, told)
  // A page at the bank that nobody needs any more: whoever left it pays with something else, at once.
  if (isAsked(told) && hasChanged(told, defaults)) {
    return seeFirst(ports, { ...told, result: { status: 'DECLINED_SOFT', reason: ABANDONED } })
  }
  if (!isOpen(told.result)) return seeFirst(ports, told)
  // What could not be asked refused nobody: after three days too, only what the gateway still works on counts as refused.
  if (told.result.status === 'UNKNOWN' || !hasWaitedEnough(told)) return { looked: postponed(ports, told, told.result) }
  return seeFirst(ports, { ...told, result: { status: 'DECLINED_SOFT', reason: GIVEN_UP } })
}

function seeFirst({ clock }: Pick<Ports, 'clock'>, told: Told): Seen {
  const { charge, result } = told
  // Given up while the gateway still works on it, or withdrawn while it may be on its way there: money may come after all.
  const isGivenUp = 'reason' in result && MAY_COME_LATE.includes(result.reason)
  const mayComeLate = isGivenUp || (result.status === 'WITHDRAWN' && charge.pollCount > 1)
  const nextPollAt = mayComeLate ? nextLatePollAt(charge, clock.now()) : null
  return { looked: { ...settled(told), ...(nextPollAt === null ? {} : { nextPollAt }) }, takesIn: told }
}

/** The charge was settled before: by another process, or given up. Only a success can still change anything. */
async function seeAgain(sql: Sql, { clock }: Pick<Ports, 'clock'>, told: Told): Promise<Seen> {
  const { charge, result } = told
  const { chargeId, invoiceId } = charge
  if (charge.status === 'SUCCEEDED') return { looked: asItWas(charge) }
  if (result.status === 'SUCCEEDED' && !(await hasOtherAlive(sql, { invoiceId, chargeId }))) {
    return { looked: settled(told), takesIn: told }
  }
  // A success that another live try stands in for is looked at again: that try may yet end otherwise.
  const mayStillCount = isOpen(result) || result.status === 'SUCCEEDED'
  const nextPollAt = mayStillCount ? nextLatePollAt(charge, clock.now()) : null
  return { looked: { ...asItWas(charge), ...(nextPollAt === null ? {} : { nextPollAt }) } }
}

/** What counted as refused and was paid after all keeps why: reports tell by it that it was past due. */
function settled({ charge, result, now: settledAt }: Told): PolledCharge {
  const { chargeId, status } = charge
  const before = status === 'DECLINED_SOFT' || status === 'DECLINED_HARD' ? charge.reason : undefined
  const reason = 'reason' in result ? result.reason : before
  return { chargeId, status: result.status, settledAt, ...(reason !== undefined && { reason }) }
}

function postponed({ clock }: Pick<Ports, 'clock'>, { charge, now }: Told, result: OpenResult): PolledCharge {
  const { chargeId, pollCount } = charge
  const nextPollAt = pollAfter(pollCount, clock.now())
  // One look that failed does not make a pending charge unknown: its three days go on.
  if (result.status === 'UNKNOWN' && charge.waitsUntil !== undefined) return { ...asItWas(charge), nextPollAt }
  if (result.status === 'UNKNOWN') return { chargeId, status: result.status, reason: result.reason, nextPollAt }
  const waitsUntil = charge.waitsUntil ?? new Date(now.getTime() + OUTCOME_WAIT_MS)
  return { chargeId, ...result, waitsUntil, nextPollAt }
}

/** Not looked at any more, unless told when. */
function asItWas({ chargeId, status, reason, actionUrl, settledAt, waitsUntil }: Charge): PolledCharge {
  return {
    ...{ chargeId, status },
    ...(reason !== undefined && { reason }),
    ...(actionUrl !== undefined && { actionUrl }),
    ...(settledAt && { settledAt }),
    ...(waitsUntil && { waitsUntil }),
  }
}

/** What the result means to the subscription, if anything. */
function takeIn(
  ports: WritePorts,
  state: SubscriptionState,
  told: Told & { readonly isVeryFirst: boolean },
  defaults: ReadonlyMap<string, string>,
): Change | null {
  const { charge, result, now, isVeryFirst } = told
  const trigger = triggerOf(charge, result, { waitedMs: waitedMs(told), isVeryFirst })
  if (trigger === null) return null
  if (!isDeclined(told)) return decided(ports, state, trigger, now)
  // When the default payment method is no longer the one that was refused, the new one is tried at once.
  if (!hasChanged(told, defaults)) return decided(ports, state, trigger, now)
  const changed = decided(ports, state, { kind: 'paymentMethodChanged' }, now)
  return followedBy(changed, decided(ports, stateAfter(changed), trigger, now))
}

function decided(ports: WritePorts, state: SubscriptionState, trigger: Trigger, now: Date): Change {
  const change = decide(state, trigger, freshIds(ports.newId), now)
  assert(!isRejection(change), 'an outcome is never refused')
  return change
}

/** The default payment method is no longer the one that was charged. */
function hasChanged({ charge }: Told, defaults: ReadonlyMap<string, string>): boolean {
  const current = defaults.get(charge.businessId)
  return current !== undefined && current !== charge.paymentMethodId
}

/** The payer is waited for, and something would come of it. */
function isAsked({ subscription, result }: Told): boolean {
  return result.status === 'ACTION_REQUIRED' && subscription.status === 'ACTIVE'
}

/** For how long it was pending, or the payer was waited for. */
function waitedMs({ charge: { waitsUntil }, now }: Told): number {
  return waitsUntil === undefined ? 0 : Math.max(0, now.getTime() - waitsUntil.getTime() + OUTCOME_WAIT_MS)
}

/** Decisions 6: "Unknown … is looked up until known …; pending and action-required wait … up to 3 days, then count as refused". */
function hasWaitedEnough({ charge, now }: Told): boolean {
  return charge.waitsUntil !== undefined && now >= charge.waitsUntil
}

type OpenResult = Extract<ChargeResult, { status: 'UNKNOWN' | 'PENDING' | 'ACTION_REQUIRED' }>

function isOpen(result: ChargeResult): result is OpenResult {
  return result.status === 'UNKNOWN' || result.status === 'PENDING' || result.status === 'ACTION_REQUIRED'
}

function isDeclined({ result: { status } }: Told): boolean {
  return status === 'DECLINED_SOFT' || status === 'DECLINED_HARD'
}

async function book(
  sql: Sql,
  { newId, settings }: Pick<Ports, 'newId' | 'settings'>,
  taken: readonly Told[],
): Promise<void> {
  const succeeded = taken.filter(({ result }) => result.status === 'SUCCEEDED')
  await insertLedgerTransactions(
    sql,
    succeeded.map(({ charge, subscription: { organizationId }, now: bookedAt }) => {
      const { chargeId: sourceId, invoiceId, businessId, currency, amount } = charge
      const booking = { sourceId, invoiceId, businessId, currency, amount, organizationId, bookedAt }
      return bookCharge({ ...booking, ledgerTransactionId: newId(), shareBasisPoints: settings.operatorShare })
    }),
  )
}
