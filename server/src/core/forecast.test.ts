import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  answer,
  begin,
  current,
  happen,
  pass,
  pastDue,
  type Run,
  retrying,
  scheduled,
  trial,
} from '../../test/support/pure-billing.ts'
import { forecast, forecastTogether } from './forecast.ts'

/** Each charge as day and amount, until the given day. */
function forecastOf(run: Run, now: string, until: string): string[] {
  const charges = forecast(run.state, { now: new Date(now), until: new Date(until) })
  return charges.map(({ at, amount }) => `${at.toISOString().slice(0, 10)} ${amount}`)
}

test('a paid subscription is forecast at the end of each period, excluding the last day', () => {
  assert.deepEqual(forecastOf(current(), '2026-01-05', '2026-03-01'), ['2026-02-01 500'])
  assert.deepEqual(forecastOf(current(), '2026-01-05', '2026-03-01T00:00:01Z'), ['2026-02-01 500', '2026-03-01 500'])
})

test('a trial is forecast at its end, and a scheduled end of the trial removes the charge', () => {
  assert.deepEqual(forecastOf(trial(), '2026-01-05', '2026-04-01'), [
    '2026-01-31 500',
    '2026-02-28 500',
    '2026-03-31 500',
  ])
  assert.deepEqual(forecastOf(scheduled(), '2026-01-15', '2026-04-01'), [])
})

test('a past-due subscription is forecast at its retry, with the invoices issued in between', () => {
  assert.deepEqual(forecastOf(pastDue(), '2026-01-15', '2026-02-02'), ['2026-01-16 500', '2026-02-01 500'])
})

test('after a hard decline no charge is forecast, because grace ends the subscription', () => {
  const run = current()
  pass(run, '2026-02-01', null)
  answer(run, 'hard', '2026-02-01')
  assert.deepEqual(forecastOf(run, '2026-02-01', '2026-05-01'), [])
})

test('a charge in progress is not forecast and counts as successful', () => {
  assert.deepEqual(forecastOf(retrying(), '2026-01-11', '2026-03-02'), ['2026-02-01 500', '2026-03-01 500'])
})

test('overdue charges are forecast now, each missed period once', () => {
  assert.deepEqual(forecastOf(current(), '2026-04-10', '2026-05-02'), [
    ...['2026-04-10 500', '2026-04-10 500', '2026-04-10 500'],
    '2026-05-01 500',
  ])
})

test('an ended and a free subscription have no forecast', () => {
  const ended = current()
  happen(ended, { kind: 'operatorEnded' }, '2026-01-10')
  assert.deepEqual(forecastOf(ended, '2026-01-11', '2026-04-01'), [])
  assert.deepEqual(forecastOf(begin({ amount: 0 }), '2026-01-02', '2026-04-01'), [])
})

test('several subscriptions use one credit in billing order, each the rest of the previous one', () => {
  const monthly = current()
  const weekly = begin({ plan: { interval: 'WEEK' } })
  answer(weekly, 'succeeded', '2026-01-01')
  const span = { now: new Date('2026-01-05'), until: new Date('2026-02-02'), credit: 1_200 }
  const printed = (charges: readonly { at: Date; amount: number }[] = []) =>
    charges.map(({ at, amount }) => `${at.toISOString().slice(0, 10)} ${amount}`)
  const [ofMonthly, ofWeekly] = forecastTogether([monthly.state, weekly.state], span)
  // 8 and 15 January are covered, 2.00 are taken off the 22nd.
  assert.deepEqual(printed(ofWeekly), ['2026-01-22 300', '2026-01-29 500'])
  assert.deepEqual(printed(ofMonthly), ['2026-02-01 500'])
  const [paid, left] = forecastTogether([weekly.state, monthly.state], { ...span, credit: 2_700 })
  assert.deepEqual([printed(paid), printed(left)], [[], []])
  const [, rest] = forecastTogether([weekly.state, monthly.state], { ...span, credit: 2_100 })
  assert.deepEqual(printed(rest), ['2026-02-01 400'])
})

test("property: the forecast equals the engine's result if every charge succeeds", () => {
  const intervals = fc.constantFrom('DAY', 'WEEK', 'MONTH', 'YEAR' as const)
  fc.assert(
    fc.property(
      intervals,
      fc.nat(40),
      fc.integer({ min: 1, max: 90 }),
      fc.nat(86_399),
      (interval, trialPeriodDays, days, second) => {
        const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second))
        const run = begin({ plan: { interval, trialPeriodDays }, at: at.toISOString() })
        if (trialPeriodDays === 0) answer(run, 'succeeded', at)
        const before = run.charges.length
        const until = new Date(at.getTime() + days * 86_400_000)
        const expected = forecast(run.state, { now: at, until })
        // `pass` includes its instant; `until` is exclusive.
        pass(run, new Date(until.getTime() - 1), 'succeeded')
        assert.equal(run.charges.length - before, expected.length)
        assert.deepEqual(
          [...run.invoices.values()].slice(before).map(({ createdAt }) => createdAt),
          expected.map(charge => charge.at),
        )
      },
    ),
    { numRuns: 200 },
  )
})
