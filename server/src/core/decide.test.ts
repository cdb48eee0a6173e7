import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answer,
  begin,
  books,
  current,
  ended,
  eventTypesOf,
  happen,
  pass,
  pastDue,
  type Run,
  renewing,
  retrying,
  scheduled,
  trial,
  waiting,
} from '../../test/support/pure-billing.ts'
import { checkBilling, checkCatchingUp } from './decide.property.ts'
import { isRejection } from './rejection.ts'
import type { Subscription, Trigger } from './subscription.ts'

const NOON = '2026-01-15T12:00:00Z'

/** Every state a subscription can be in, reached the way merchants reach it; each is looked at on 15 January. */
const STATES = {
  TRIAL: () => trial(),
  'first charge in flight': () => begin(),
  CURRENT: () => current(),
  'renewal in flight': () => renewing(),
  'CURRENT, end scheduled': () => scheduled(),
  'CURRENT, plan waiting': () => waiting(),
  PAST_DUE: () => pastDue(),
  'PAST_DUE, retry in flight': () => retrying(),
  ENDED: () => ended(current()),
  'ENDED, charge in flight': () => ended(renewing()),
} satisfies Record<string, () => Run>

/** From each state and action: the new status (`as it was`: no change) and the emitted events, or the rejection. */
const ACTS: [keyof typeof STATES, Trigger['kind'], string, string[]][] = [
  ['TRIAL', 'cancelled', 'ENDED', ['END']],
  ['TRIAL', 'restored', 'NOT_SCHEDULED_TO_CANCEL', []],
  ['TRIAL', 'paymentMethodChanged', 'as it was', []],
  ['TRIAL', 'operatorEnded', 'ENDED', ['END']],
  ['first charge in flight', 'cancelled', 'ENDED', []],
  ['first charge in flight', 'restored', 'NOT_SCHEDULED_TO_CANCEL', []],
  ['first charge in flight', 'paymentMethodChanged', 'as it was', []],
  ['first charge in flight', 'operatorEnded', 'ENDED', []],
  ['renewal in flight', 'cancelled', 'ENDED', ['END']],
  ['renewal in flight', 'paymentMethodChanged', 'ACTIVE', []],
  ['CURRENT', 'cancelled', 'ENDED', ['END']],
  ['CURRENT', 'restored', 'NOT_SCHEDULED_TO_CANCEL', []],
  ['CURRENT', 'paymentMethodChanged', 'as it was', []],
  ['CURRENT', 'operatorEnded', 'ENDED', ['END']],
  ['CURRENT, end scheduled', 'cancelled', 'as it was', []],
  ['CURRENT, end scheduled', 'restored', 'ACTIVE', ['RESTORED']],
  ['CURRENT, end scheduled', 'operatorEnded', 'ENDED', ['END']],
  ['CURRENT, plan waiting', 'cancelled', 'ENDED', ['END']],
  ['CURRENT, plan waiting', 'restored', 'NOT_SCHEDULED_TO_CANCEL', []],
  ['CURRENT, plan waiting', 'paymentMethodChanged', 'as it was', []],
  ['CURRENT, plan waiting', 'operatorEnded', 'ENDED', ['END']],
  ['PAST_DUE', 'cancelled', 'ENDED', ['END']],
  ['PAST_DUE', 'restored', 'NOT_SCHEDULED_TO_CANCEL', []],
  ['PAST_DUE', 'operatorEnded', 'ENDED', ['END']],
  ['PAST_DUE, retry in flight', 'cancelled', 'ENDED', ['END']],
  ['PAST_DUE, retry in flight', 'operatorEnded', 'ENDED', ['END']],
  ['ENDED', 'cancelled', 'ALREADY_ENDED', []],
  ['ENDED', 'restored', 'ALREADY_ENDED', []],
  ['ENDED', 'operatorEnded', 'ALREADY_ENDED', []],
  ['ENDED', 'paymentMethodChanged', 'as it was', []],
  ['ENDED, charge in flight', 'cancelled', 'ALREADY_ENDED', []],
  ['ENDED, charge in flight', 'paymentMethodChanged', 'as it was', []],
]
for (const [state, kind, expected, events] of ACTS) {
  test(`${state}, ${kind}: ${[expected, ...events].join(', ')}`, () => {
    const run = STATES[state]()
    const before = run.state.subscription
    const eventsBefore = run.events.length
    const charged = run.charges.length
    const result = happen(run, { kind } as Trigger, NOON)
    assert.deepEqual(eventTypesOf(run).slice(eventsBefore), events)
    assert.equal(run.charges.length, charged)
    if (expected === 'ACTIVE' || expected === 'ENDED') assert.equal(run.state.subscription.status, expected)
    else if (expected !== 'as it was') assert.equal(isRejection(result) && result.rejected, expected)
    if (expected === 'as it was' || isRejection(result))
      assert.deepEqual(timeless(run.state.subscription), timeless(before))
  })
}

const MOVES: Partial<Record<string, string>> = {
  'first charge in flight': 'CHARGE_IN_PROGRESS',
  ENDED: 'ALREADY_ENDED',
  'ENDED, charge in flight': 'ALREADY_ENDED',
}
for (const [state, stateOf] of Object.entries(STATES)) {
  test(`${state}, transferred: ${MOVES[state] ?? 'TRANSFERRED once'}`, () => {
    const run = stateOf()
    const { subscription: before } = run.state
    const to = { storeId: 'store', deviceId: 'device' }
    const result = happen(run, { kind: 'transferred', to }, NOON)
    if (MOVES[state] !== undefined) return assert.equal(isRejection(result) && result.rejected, MOVES[state])
    happen(run, { kind: 'transferred', to }, NOON)
    assert.equal(eventTypesOf(run).at(-1), 'TRANSFERRED')
    const resourceSeq = before.resourceSeq + 1
    assert.deepEqual(timeless(run.state.subscription), timeless({ ...before, ...to, resourceSeq }))
  })
}

test('TRIAL, trial end: FULL, anchored at trialEndAt, invoice, charge, PHASE_CHANGE', () => {
  const run = trial()
  pass(run, '2026-01-31T00:00:00Z', null)
  assert.equal(run.state.subscription.phase, 'FULL')
  assert.deepEqual(run.state.subscription.anchorAt, run.state.subscription.trialEndAt)
  assert.deepEqual(books(run), ['2026-01-31 OPEN'])
  assert.equal(run.charges.length, 1)
  assert.deepEqual(eventTypesOf(run), ['START', 'TRIAL_ENDING', 'PHASE_CHANGE'])
})

test('a free plan: the trial ends and periods begin without invoice or charge', () => {
  const run = begin({ amount: 0, plan: { trialPeriodDays: 30 } })
  pass(run, '2026-03-01T00:00:00Z', null)
  assert.equal(run.state.subscription.periodIndex, 1)
  assert.equal(run.invoices.size + run.charges.length, 0)
  assert.deepEqual(eventTypesOf(run), ['START', 'TRIAL_ENDING', 'PHASE_CHANGE'])
})

test('PAST_DUE, payment method changed: charged at once, one attempt at a time', () => {
  const run = pastDue()
  const charged = run.charges.length
  happen(run, { kind: 'paymentMethodChanged' }, NOON)
  happen(run, { kind: 'paymentMethodChanged' }, NOON)
  assert.equal(run.charges.length, charged + 1)
})

for (const severity of ['soft', 'hard'] as const) {
  test(`a method changed during an attempt is charged as soon as the attempt is declined (${severity})`, () => {
    const run = retrying()
    const charged = run.charges.length
    happen(run, { kind: 'paymentMethodChanged' }, NOON)
    assert.equal(run.charges.length, charged)
    answer(run, severity, '2026-01-15T12:00:07Z')
    pass(run, '2026-01-15T12:00:07Z', null)
    assert.equal(run.charges.length, charged + 1)
  })
}

test('a method changed while the grace end waits for an outcome is charged before the end', () => {
  const run = retrying()
  happen(run, { kind: 'paymentMethodChanged' }, '2026-02-10T00:00:00Z')
  answer(run, 'hard', '2026-02-10T00:00:05Z')
  pass(run, '2026-02-10T00:00:05Z', null)
  assert.equal(run.state.subscription.status, 'ACTIVE')
  assert.notEqual(run.state.subscription.awaitedChargeId, undefined)
})

test('a method changed during a successful attempt is not charged', () => {
  const run = retrying()
  happen(run, { kind: 'paymentMethodChanged' }, NOON)
  answer(run, 'succeeded', NOON)
  const charged = run.charges.length
  pass(run, '2026-01-31T23:59:59Z', 'succeeded')
  assert.equal(run.charges.length, charged)
})

test('BILLING: a cancellation is scheduled for the end of the paid period and emitted at once', () => {
  const run = scheduled()
  assert.deepEqual(run.state.subscription.cancelAt, new Date('2026-02-01T00:00:00Z'))
  assert.equal(eventTypesOf(run).at(-1), 'CANCEL_SCHEDULED')
  pass(run, '2026-02-01T00:00:00Z', 'succeeded')
  const { status, endReason, endedAt, cancelAt } = run.state.subscription
  assert.deepEqual(
    [status, endReason, endedAt, cancelAt],
    ['ENDED', 'CANCELLED', new Date('2026-02-01T00:00:00Z'), undefined],
  )
  assert.equal(run.invoices.size, 1)
  assert.equal(eventTypesOf(run).at(-1), 'END')
})

test('a scheduled end can be undone before its instant, and not from its instant on', () => {
  const early = scheduled()
  assert.ok(!isRejection(happen(early, { kind: 'restored' }, '2026-01-31T23:59:59Z')))
  assert.equal(early.state.subscription.cancelAt, undefined)
  const late = scheduled()
  assert.ok(isRejection(happen(late, { kind: 'restored' }, '2026-02-01T00:00:00Z')))
})

test('BILLING: a cancellation at the end of the paid period ends the subscription at once', () => {
  const run = begin({ plan: { cancelPolicy: 'BILLING' } })
  answer(run, 'succeeded', '2026-01-01T00:00:00Z')
  happen(run, { kind: 'cancelled' }, '2026-02-01T00:00:00Z')
  const { status, endReason, endedAt, cancelAt } = run.state.subscription
  assert.deepEqual(
    [status, endReason, endedAt, cancelAt],
    ['ENDED', 'CANCELLED', new Date('2026-02-01T00:00:00Z'), undefined],
  )
})

test('BILLING: a cancellation in the trial ends the subscription at once', () => {
  const run = begin({ plan: { trialPeriodDays: 30, cancelPolicy: 'BILLING' } })
  happen(run, { kind: 'cancelled' }, NOON)
  assert.equal(run.state.subscription.endReason, 'CANCELLED')
  assert.deepEqual(eventTypesOf(run), ['START', 'END'])
})

test('an immediate cancellation or end by the operator makes the open invoice VOID', () => {
  for (const kind of ['cancelled', 'operatorEnded'] as const) {
    const run = pastDue()
    happen(run, { kind }, NOON)
    assert.deepEqual(books(run), ['2025-12-01 PAID', '2026-01-01 VOID'])
    assert.equal(run.state.subscription.endReason, kind === 'cancelled' ? 'CANCELLED' : 'OPERATOR')
  }
})

test('time never goes back: an earlier clock counts as the time of the last decision', () => {
  const run = pastDue()
  happen(run, { kind: 'operatorEnded' }, '2020-01-01T00:00:00Z')
  assert.deepEqual(run.state.subscription.lastTriggerAt, new Date('2026-01-15T00:00:00Z'))
  assert.deepEqual(run.state.subscription.endedAt, new Date('2026-01-15T00:00:00Z'))
})

test('the invariants of billing hold for random triggers in random order', () => checkBilling(2_000))

test('a paying merchant is billed for the same periods with any delay of the job', () => checkCatchingUp(2_000))

/** Drops the instants that every decision moves. */
function timeless({
  lastTriggerAt: _,
  updatedAt: __,
  ...rest
}: Subscription): Omit<Subscription, 'lastTriggerAt' | 'updatedAt'> {
  return rest
}
