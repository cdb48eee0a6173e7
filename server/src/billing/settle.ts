import { hasOtherAlive, lockCharge, lookAgain, postponeCharge, settleCharge } from '../charges/store.ts'
import { assert } from '../core/assert.ts'
import { followedBy, stateAfter } from '../core/change.ts'
import { type Charge, type ChargeResult, isSettled, lookAfterwardsAt, nextLookAt, triggerOf } from '../core/charge.ts'
import { decide } from '../core/decide.ts'
import { OUTCOME_WAIT_MS } from '../core/dunning.ts'
import { bookCharge } from '../core/ledger.ts'
import { isRefusal } from '../core/refusal.ts'
import type { Change, Subscription, SubscriptionState, Trigger } from '../core/subscription.ts'
import type { Tx } from '../db/db.ts'
import { insertLedgerTransactions } from '../ledger/store.ts'
import { findDefaultPaymentMethods } from '../payment-methods/store.ts'
import type { Ports } from '../ports.ts'
import { lockSubscription } from '../subscriptions/store.ts'
import { freshIds, loadState, nowOf } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

const GIVEN_UP = 'not_completed_in_time'

/** What a look at the gateway brought, of a charge and its subscription that are both locked. */
interface Told {
  readonly charge: Charge
  readonly subscription: Subscription
  readonly result: ChargeResult
  /** The subscription's time. */
  readonly now: Date
}

/**
 * Takes in what became of a charge: the charge, the ledger, the subscription, its invoices and notifications change together.
 * Told twice, or by two processes at once, it happens once. Money that was taken always counts, however late we learn of it.
 */
export async function settle(
  ports: WritePorts & Pick<Ports, 'db'>,
  { chargeId, subscriptionId }: Pick<Charge, 'chargeId' | 'subscriptionId'>,
  result: ChargeResult,
): Promise<void> {
  await ports.db.transaction(async tx => {
    // The subscription first, as everywhere: one order of locks.
    const subscription = await lockSubscription(tx.sql, subscriptionId)
    const charge = await lockCharge(tx.sql, chargeId)
    assert(subscription && charge, 'a charge and its subscription are never deleted')
    const now = await nowOf(tx.sql, subscription, ports.clock.now())
    const told = { charge, subscription, result, now }
    if (isSettled(charge.status)) return await settleAgain(tx, ports, told)
    if (!isOpen(result)) return await settleFirst(tx, ports, told)
    if (!hasWaitedEnough(told)) return await postpone(tx, ports, told)
    await settleFirst(tx, ports, { ...told, result: { status: 'REFUSED_SOFT', reason: GIVEN_UP } })
  })
}

async function settleFirst(tx: Tx, ports: WritePorts, told: Told): Promise<void> {
  const { charge, result, now } = told
  // Given up while the gateway still works on it, or withdrawn while it may be on its way there: money may come after all.
  const isGivenUp = 'reason' in result && result.reason === GIVEN_UP
  const mayComeLate = isGivenUp || (result.status === 'WITHDRAWN' && charge.looks > 1)
  const lookAt = mayComeLate ? lookAfterwardsAt(charge.looks, ports.clock.now()) : null
  await settleCharge(tx.sql, { chargeId: charge.chargeId, result, at: now, ...(lookAt === null ? {} : { lookAt }) })
  tell(tx, ports, told)
  await takeIn(tx, ports, told)
}

/** The charge was settled before: by another process, or given up. Only a success can still change anything. */
async function settleAgain(tx: Tx, ports: WritePorts, told: Told): Promise<void> {
  const { charge, result, now } = told
  const { chargeId, invoiceId } = charge
  if (charge.status === 'SUCCEEDED') return
  if (result.status === 'SUCCEEDED' && !(await hasOtherAlive(tx.sql, { invoiceId, chargeId }))) {
    await settleCharge(tx.sql, { chargeId, result, at: now })
    tell(tx, ports, told)
    await takeIn(tx, ports, told)
    return
  }
  // A success that another live try stands in for is looked at again: that try may yet end otherwise.
  const mayStillCount = isOpen(result) || result.status === 'SUCCEEDED'
  const lookAt = mayStillCount ? lookAfterwardsAt(charge.looks, ports.clock.now()) : null
  await lookAgain(tx.sql, { chargeId, lookAt })
}

function tell(tx: Tx, { watch }: Pick<Ports, 'watch'>, { charge, result }: Told): void {
  const { chargeId, invoiceId, subscriptionId } = charge
  tx.afterCommit(() => watch?.charged({ chargeId, invoiceId, subscriptionId, ...result }))
}

/** The charge is settled as `result` says; now the money, and what it means to the subscription. */
async function takeIn(tx: Tx, ports: WritePorts, { charge, subscription, result, now }: Told): Promise<void> {
  if (result.status === 'SUCCEEDED') await book(tx, ports, charge, subscription, now)
  const trigger = triggerOf(charge, result)
  if (trigger === null) return
  const state = await loadState(tx.sql, subscription)
  const change = isRefused(result)
    ? await suffer(tx, ports, state, charge, trigger, now)
    : decided(ports, state, trigger, now)
  await writeChanges(tx, ports, [change])
}

/** When the default payment method is no longer the one that was refused, the new one is tried at once. */
async function suffer(
  tx: Tx,
  ports: WritePorts,
  state: SubscriptionState,
  { businessId, paymentMethodId }: Charge,
  trigger: Trigger,
  now: Date,
): Promise<Change> {
  const current = (await findDefaultPaymentMethods(tx.sql, [businessId])).get(businessId)
  if (current === undefined || current === paymentMethodId) return decided(ports, state, trigger, now)
  const changed = decided(ports, state, { kind: 'paymentMethodChanged' }, now)
  return followedBy(changed, decided(ports, stateAfter(changed), trigger, now))
}

function decided(ports: WritePorts, state: SubscriptionState, trigger: Trigger, now: Date): Change {
  const change = decide(state, trigger, freshIds(ports.newId), now)
  assert(!isRefusal(change), 'an outcome is never refused')
  return change
}

/** Decisions 6: "pending and action-required wait up to 3 days, then count as refused". */
function hasWaitedEnough({ charge, now }: Told): boolean {
  return charge.waitsUntil !== undefined && now >= charge.waitsUntil
}

async function postpone(tx: Tx, { clock }: Pick<Ports, 'clock'>, { charge, result, now }: Told): Promise<void> {
  assert(isOpen(result), 'only what is not known is postponed')
  const { chargeId, looks } = charge
  const lookAt = nextLookAt(looks, clock.now())
  if (result.status === 'UNKNOWN' && charge.waitsUntil !== undefined) {
    // One look that failed does not make a pending charge unknown: its three days go on.
    await lookAgain(tx.sql, { chargeId, lookAt })
  } else if (result.status === 'UNKNOWN') {
    await postponeCharge(tx.sql, { chargeId, status: result.status, reason: result.reason, lookAt })
  } else {
    const waitsUntil = charge.waitsUntil ?? new Date(now.getTime() + OUTCOME_WAIT_MS)
    await postponeCharge(tx.sql, { chargeId, status: result.status, waitsUntil, lookAt })
  }
}

type OpenResult = Extract<ChargeResult, { status: 'UNKNOWN' | 'PENDING' | 'ACTION_REQUIRED' }>

function isOpen(result: ChargeResult): result is OpenResult {
  return result.status === 'UNKNOWN' || result.status === 'PENDING' || result.status === 'ACTION_REQUIRED'
}

function isRefused({ status }: ChargeResult): boolean {
  return status === 'REFUSED_SOFT' || status === 'REFUSED_HARD'
}

async function book(
  tx: Tx,
  { newId, settings }: Pick<Ports, 'newId' | 'settings'>,
  charge: Charge,
  { organizationId }: Subscription,
  bookedAt: Date,
): Promise<void> {
  const { chargeId: sourceId, invoiceId, businessId, currency, amount } = charge
  const booking = { sourceId, invoiceId, businessId, currency, amount, organizationId, bookedAt }
  await insertLedgerTransactions(tx.sql, [
    bookCharge({ ...booking, ledgerTransactionId: newId(), shareBasisPoints: settings.operatorShare }),
  ])
}
