import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeviceLoginState, pollOutcome, readUserCode } from './device-login.ts'

const at = (text: string) => new Date(`2026-03-01T10:${text}Z`)

test('a poll gives the decision until the login expires or is used, and a poll within four seconds is too early', () => {
  const open: DeviceLoginState = { expiresAt: at('15:00'), polledAt: null, decision: null, usedAt: null }
  const cases: [Partial<DeviceLoginState>, string, ReturnType<typeof pollOutcome>][] = [
    [{}, '00:00', 'PENDING'],
    [{ polledAt: at('00:00') }, '00:03.999', 'TOO_EARLY'],
    [{ polledAt: at('00:00') }, '00:04', 'PENDING'],
    [{ polledAt: at('00:00'), decision: 'APPROVED' }, '00:03.999', 'TOO_EARLY'],
    [{ polledAt: at('00:00'), decision: 'APPROVED' }, '00:05', 'APPROVED'],
    [{ decision: 'DENIED' }, '00:05', 'DENIED'],
    [{ decision: 'APPROVED' }, '14:59.999', 'APPROVED'],
    [{ decision: 'APPROVED' }, '15:00', 'EXPIRED'],
    [{ decision: 'APPROVED', usedAt: at('00:05') }, '00:20', 'EXPIRED'],
  ]
  for (const [state, now, outcome] of cases) {
    assert.equal(pollOutcome({ ...open, ...state }, at(now)), outcome, `${JSON.stringify(state)} at ${now}`)
  }
})

test('a code is accepted in any usual spelling, and other text is rejected', () => {
  for (const typed of ['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk ', 'BC-DF-GH-JK']) {
    assert.equal(readUserCode(typed), 'BCDF-GHJK', typed)
  }
  for (const typed of ['', 'BCDF-GHJ', 'BCDF-GHJKL', 'BCDF-GHJA', 'BCDF-GHJ1', 'BCDFGHJ\u0130']) {
    assert.equal(readUserCode(typed), null, typed)
  }
})
