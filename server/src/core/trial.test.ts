import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin, eventTypesOf, happen, PLAN, pass, wakeUp } from '../../test/support/pure-billing.ts'
import { isInTrial } from './trial.ts'

const trialOf = (trialPeriodDays: number) => begin({ plan: { trialPeriodDays } })

test('TRIAL_ENDING is emitted once, three days before the end of the trial', () => {
  const run = trialOf(14)
  pass(run, '2026-01-11T23:59:59Z', null)
  assert.deepEqual(eventTypesOf(run), ['START'])
  pass(run, '2026-01-12T00:00:00Z', null)
  pass(run, '2026-01-14T23:59:59Z', null)
  assert.deepEqual(eventTypesOf(run), ['START', 'TRIAL_ENDING'])
  assert.deepEqual(run.state.subscription.nextActionAt, run.state.subscription.trialEndAt)
})

test('TRIAL_ENDING is emitted after one day of a four-day trial, at the start of a three-day trial, and never for a shorter trial', () => {
  const four = trialOf(4)
  pass(four, '2026-01-01T23:59:59Z', null)
  assert.deepEqual(eventTypesOf(four), ['START'])
  pass(four, '2026-01-02T00:00:00Z', null)
  assert.deepEqual(eventTypesOf(four), ['START', 'TRIAL_ENDING'])
  const three = trialOf(3)
  assert.deepEqual(eventTypesOf(three), ['START', 'TRIAL_ENDING'])
  assert.deepEqual(three.state.subscription.nextActionAt, three.state.subscription.trialEndAt)
  pass(three, '2026-01-04T00:00:00Z', null)
  assert.deepEqual(eventTypesOf(three), ['START', 'TRIAL_ENDING', 'PHASE_CHANGE'])
  for (const days of [1, 2]) {
    const run = trialOf(days)
    pass(run, `2026-01-0${days + 1}T00:00:00Z`, null)
    assert.deepEqual(eventTypesOf(run), ['START', 'PHASE_CHANGE'])
  }
})

test('after a stop TRIAL_ENDING is emitted late, but not after the end of the trial', () => {
  const late = trialOf(14)
  wakeUp(late, '2026-01-14T00:00:00Z', null)
  assert.deepEqual(eventTypesOf(late), ['START', 'TRIAL_ENDING'])
  const tooLate = trialOf(14)
  wakeUp(tooLate, '2026-01-15T00:00:00Z', null)
  assert.deepEqual(eventTypesOf(tooLate), ['START', 'PHASE_CHANGE'])
})

test('a cancelled trial emits no TRIAL_ENDING', () => {
  const run = trialOf(14)
  happen(run, { kind: 'cancelled' }, '2026-01-02T00:00:00Z')
  pass(run, '2026-02-01T00:00:00Z', null)
  assert.deepEqual(eventTypesOf(run), ['START', 'END'])
})

test('a plan is on trial from the start, or from the change to the plan, until the end of the trial', () => {
  const isOn = ({ state: { subscription } }: ReturnType<typeof begin>) => isInTrial(subscription) && subscription.planId
  const other = { kind: 'planChanged', plan: { ...PLAN, planId: 'other' }, hasPaymentMethod: true } as const
  const run = trialOf(14)
  assert.equal(isOn(run), 'plan')
  happen(run, { ...other, when: 'NOW' }, '2026-01-05T00:00:00Z')
  assert.equal(isOn(run), 'other')
  const late = trialOf(14)
  happen(late, { ...other, when: 'PERIOD_END' }, '2026-01-05T00:00:00Z')
  assert.equal(isOn(late), 'plan')
  happen(late, { kind: 'pendingPlan' }, '2026-01-15T00:00:00Z')
  assert.deepEqual([late.state.subscription.planId, isOn(late)], ['other', false])
  assert.equal(isOn(begin()), false)
})
