import { assert } from './assert.ts'
import { followedBy, stateAfter } from './change.ts'
import {
  ABANDONED,
  type Charge,
  type ChargeResult,
  GIVEN_UP,
  isSettled,
  MAY_COME_LATE,
  nextLatePollAt,
  type PolledCharge,
  pollAfter,
  triggerOf,
} from './charge.ts'
import { decide } from './decide.ts'
import { OUTCOME_WAIT_MS } from './due.ts'
import { isRejection } from './rejection.ts'
import type { Change, FreshIds, SubscriptionState, Trigger } from './subscription.ts'

/** The facts that decide what a poll of the gateway means. */
export interface PollFacts {
  readonly charge: Charge
  readonly state: SubscriptionState
  readonly result: ChargeResult
  /** The business's default payment method. */
  readonly defaultMethodId?: string
  /** No invoice of the subscription was ever paid. Known only if the result is a decline. */
  readonly hasNeverPaid: boolean
  /** Another attempt for the invoice has succeeded or still may. Known only if the result is a success and the charge was settled before. */
  readonly hasOtherAlive: boolean
  /** Business time. */
  readonly now: Date
  readonly realNow: Date
}

export interface Settlement {
  readonly polled: PolledCharge
  /** The outcome that counts from now on. Absent while the charge is open, and where the outcome was known before. */
  readonly outcome?: ChargeResult
  readonly change?: Change
}

/** Decides what the result of a poll means to its charge and its subscription. A result that is applied twice counts once. */
export function applyOutcome(facts: PollFacts, freshIds: () => FreshIds): Settlement {
  const { charge, state, result } = facts
  if (isSettled(charge.status)) return applyLateOutcome(facts, freshIds)
  const isAsked = result.status === 'ACTION_REQUIRED' && state.subscription.status === 'ACTIVE'
  // The merchant chose another payment method, so the confirmation page at the bank is obsolete.
  if (isAsked && hasChangedMethod(facts)) return close(facts, { status: 'DECLINED_SOFT', reason: ABANDONED }, freshIds)
  if (!isOpen(result)) return close(facts, result, freshIds)
  // An unanswered poll is not a decline, even after three days.
  if (result.status === 'UNKNOWN' || !hasWaitedEnough(facts)) return { polled: postponed(facts, result) }
  return close(facts, { status: 'DECLINED_SOFT', reason: GIVEN_UP }, freshIds)
}

/** Only a success changes a settled charge: money that the gateway took always counts. */
function applyLateOutcome(facts: PollFacts, freshIds: () => FreshIds): Settlement {
  const { charge, result, hasOtherAlive, realNow } = facts
  if (charge.status === 'SUCCEEDED') return { polled: unchanged(charge) }
  if (result.status === 'SUCCEEDED' && !hasOtherAlive) {
    return { polled: settled(facts, result), outcome: result, ...changeBy(facts, result, freshIds) }
  }
  // While another attempt is open, the success may still count: that attempt can fail.
  const mayCount = isOpen(result) || result.status === 'SUCCEEDED'
  const nextPollAt = mayCount ? nextLatePollAt(charge, realNow) : null
  return { polled: { ...unchanged(charge), ...(nextPollAt === null ? {} : { nextPollAt }) } }
}

function close(facts: PollFacts, result: ChargeResult, freshIds: () => FreshIds): Settlement {
  const { charge, realNow } = facts
  // The gateway may still complete a charge that was given up, or withdrawn after it was sent.
  const isTimedOut = 'reason' in result && MAY_COME_LATE.includes(result.reason)
  const mayComeLate = isTimedOut || (result.status === 'WITHDRAWN' && charge.pollCount > 1)
  const nextPollAt = mayComeLate ? nextLatePollAt(charge, realNow) : null
  const polled = { ...settled(facts, result), ...(nextPollAt === null ? {} : { nextPollAt }) }
  return { polled, outcome: result, ...changeBy(facts, result, freshIds) }
}

function changeBy(facts: PollFacts, result: ChargeResult, freshIds: () => FreshIds): { change?: Change } {
  const { charge, state, now, hasNeverPaid } = facts
  const trigger = triggerOf(charge, result, { waitedMs: waitedMs(facts), hasNeverPaid })
  if (trigger === null) return {}
  const isDeclined = result.status === 'DECLINED_SOFT' || result.status === 'DECLINED_HARD'
  if (!isDeclined || !hasChangedMethod(facts)) return { change: decided(state, trigger, freshIds, now) }
  // The declined method is no longer the default, so the new default is charged at once.
  const changed = decided(state, { kind: 'paymentMethodChanged' }, freshIds, now)
  return { change: followedBy(changed, decided(stateAfter(changed), trigger, freshIds, now)) }
}

function decided(state: SubscriptionState, trigger: Trigger, freshIds: () => FreshIds, now: Date): Change {
  const change = decide(state, trigger, freshIds(), now)
  assert(!isRejection(change), 'an outcome is never rejected')
  return change
}

/** A decline that was paid after all keeps its reason: reports count the recovery. */
function settled({ charge, now: settledAt }: PollFacts, result: ChargeResult): PolledCharge {
  const { chargeId, status } = charge
  const before = status === 'DECLINED_SOFT' || status === 'DECLINED_HARD' ? charge.reason : undefined
  const reason = 'reason' in result ? result.reason : before
  return { chargeId, status: result.status, settledAt, ...(reason !== undefined && { reason }) }
}

function postponed({ charge, now, realNow }: PollFacts, result: OpenResult): PolledCharge {
  const { chargeId, pollCount } = charge
  const nextPollAt = pollAfter(pollCount, realNow)
  if (result.status === 'UNKNOWN') {
    // A failed poll leaves a waiting charge unchanged: the three days go on.
    if (charge.waitsUntil !== undefined) return { ...unchanged(charge), nextPollAt }
    return { chargeId, status: result.status, reason: result.reason, nextPollAt }
  }
  const waitsUntil = charge.waitsUntil ?? new Date(now.getTime() + OUTCOME_WAIT_MS)
  return { chargeId, ...result, waitsUntil, nextPollAt }
}

function unchanged({ chargeId, status, reason, actionUrl, settledAt, waitsUntil }: Charge): PolledCharge {
  return {
    ...{ chargeId, status },
    ...(reason !== undefined && { reason }),
    ...(actionUrl !== undefined && { actionUrl }),
    ...(settledAt && { settledAt }),
    ...(waitsUntil && { waitsUntil }),
  }
}

function hasChangedMethod({ charge, defaultMethodId }: PollFacts): boolean {
  return defaultMethodId !== undefined && defaultMethodId !== charge.paymentMethodId
}

/** How long the charge was pending or waited for the payer. */
function waitedMs({ charge: { waitsUntil }, now }: PollFacts): number {
  return waitsUntil === undefined ? 0 : Math.max(0, now.getTime() - waitsUntil.getTime() + OUTCOME_WAIT_MS)
}

/** Decisions 6: "pending and action-required wait … up to 3 days, then count as refused". */
function hasWaitedEnough({ charge, now }: PollFacts): boolean {
  return charge.waitsUntil !== undefined && now >= charge.waitsUntil
}

type OpenResult = Extract<ChargeResult, { status: 'UNKNOWN' | 'PENDING' | 'ACTION_REQUIRED' }>

function isOpen(result: ChargeResult): result is OpenResult {
  return result.status === 'UNKNOWN' || result.status === 'PENDING' || result.status === 'ACTION_REQUIRED'
}
