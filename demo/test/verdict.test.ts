import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Receipt } from '../src/listener.ts'
import { judge } from '../src/verdict.ts'

function receipt(id: string, eventType: string, differing: Partial<Receipt> = {}): Receipt {
  const at = '2026-01-31T09:30:00Z'
  const usual = { resourceId: 'r', createdAt: at, receivedAt: at, attempt: 1, signatureValid: true, status: 200 }
  return { id, eventType, ...usual, ...differing }
}

const delivered = (id: string, eventType: string) => ({ id, eventType, status: 'DELIVERED' })

test('a notification that is rejected and delivered again counts once, and nothing is missing', () => {
  const receipts = [receipt('1', 'START', { status: 500 }), receipt('2', 'END'), receipt('1', 'START', { attempt: 2 })]
  const verdict = judge(['START', 'END'], receipts, [delivered('1', 'START'), delivered('2', 'END')])
  assert.deepEqual(verdict, { received: 2, valid: 2, missing: 0, problems: [] })
})

test('a notification that was rejected and never delivered again is missing', () => {
  const verdict = judge(['START'], [receipt('1', 'START', { status: 500 })])
  assert.equal(verdict.missing, 1)
  assert.deepEqual(verdict.problems, ['START did not come, or was not accepted.'])
})

test('two expected notifications of one kind are missed separately', () => {
  const verdict = judge(['PAID', 'PAID', 'PAID'], [receipt('1', 'PAID')])
  assert.equal(verdict.missing, 2)
})

test('an invalid signature on any attempt makes the notification invalid', () => {
  const receipts = [
    receipt('1', 'START', { status: 500, signatureValid: false }),
    receipt('1', 'START', { attempt: 2 }),
  ]
  const verdict = judge(['START'], receipts)
  assert.deepEqual([verdict.received, verdict.valid, verdict.missing], [1, 0, 0])
  assert.deepEqual(verdict.problems, ['The signature of 1 is not valid.'])
})

test('a notification of the history that never arrived is missing, once', () => {
  const lost = judge(['START', 'END'], [receipt('1', 'START')], [delivered('1', 'START'), delivered('2', 'END')])
  assert.equal(lost.missing, 1)
  const unexpected = judge(['START'], [receipt('1', 'START')], [delivered('1', 'START'), delivered('2', 'END')])
  assert.equal(unexpected.missing, 1)
})

test('an undelivered, repeated or reordered notification of the history is a problem', () => {
  const late = judge(['START'], [receipt('1', 'START')], [{ id: '1', eventType: 'START', status: 'ERRORED_RETRYING' }])
  assert.deepEqual(late.problems, ['1 is ERRORED_RETRYING in the history.'])
  const twice = judge(['START'], [receipt('1', 'START'), receipt('2', 'START')])
  assert.deepEqual(twice.problems, ['START came once more than the story has it.'])
  const swapped = judge(['START', 'END'], [receipt('1', 'END'), receipt('2', 'START')])
  assert.deepEqual(swapped.problems, ['They came in another order.'])
})
