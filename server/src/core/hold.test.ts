import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterHold } from './hold.ts'
import type { Subscription } from './subscription.ts'

const at = (day: string) => new Date(`2026-${day}T00:00:00Z`)
const HOLD = { since: at('03-10'), until: at('04-20') }

const of = (fields: Partial<Subscription>): Subscription => ({
  ...{ subscriptionId: 's', appId: 'a', organizationId: 'o', businessId: 'b', planId: 'p', bundleId: 'u' },
  ...{ merchantType: 'MERCHANT', country: 'US', currency: 'USD', amount: 500, phase: 'FULL', status: 'ACTIVE' },
  ...{
    paymentStatus: 'CURRENT',
    startAt: at('03-01'),
    startedAt: at('03-01'),
    anchorAt: at('03-01'),
    term: 0,
    periodIndex: 0,
  },
  ...{ currentPeriodStart: at('03-01'), currentPeriodEnd: at('04-01'), lastTriggerAt: at('03-01'), resourceSeq: 1 },
  ...{ createdAt: at('03-01'), updatedAt: at('03-01') },
  ...fields,
})

test('a period that would have ended during the hold ends now, and the next period begins a new term', () => {
  const { anchorAt, term, periodIndex, currentPeriodEnd } = afterHold(of({}), HOLD)
  assert.deepEqual([anchorAt, term, periodIndex, currentPeriodEnd], [HOLD.until, 1, -1, HOLD.until])
})

test('a period that ends after the hold, and an ended or pending subscription, stay unchanged', () => {
  for (const kept of [
    of({ currentPeriodEnd: at('05-01') }),
    of({ status: 'PENDING' }),
    of({ status: 'ENDED', endedAt: at('03-20') }),
    of({ awaitedChargeId: 'c' }),
  ]) {
    assert.deepEqual(afterHold(kept, HOLD), kept)
  }
})

test('a trial that would have ended during the hold ends now', () => {
  const trial = of({ phase: 'TRIAL', trialEndAt: at('04-01') })
  const { trialEndAt, currentPeriodEnd, term } = afterHold(trial, HOLD)
  assert.deepEqual([trialEndAt, currentPeriodEnd, term], [HOLD.until, HOLD.until, 0])
})

test('grace is extended by its part of the hold, and the payment is retried at once', () => {
  const declined = { paymentStatus: 'PAST_DUE', currentPeriodEnd: at('05-01') } as const
  const before = of({ ...declined, firstDeclinedAt: at('03-08'), graceEndAt: at('03-15'), nextRetryAt: at('03-11') })
  assert.deepEqual(afterHold(before, HOLD), { ...before, graceEndAt: at('04-25'), nextRetryAt: HOLD.until })
  // A charge that was under way was declined during the hold.
  const during = of({ ...declined, firstDeclinedAt: at('03-11'), graceEndAt: at('03-18') })
  assert.deepEqual(afterHold(during, HOLD), { ...during, graceEndAt: at('04-27') })
  assert.equal(afterHold(during, HOLD).nextRetryAt, undefined, 'a card declined for good is not tried again')
})
