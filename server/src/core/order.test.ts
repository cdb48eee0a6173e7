import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editOrder, type Order, type OrderEdit, openOrder } from './order.ts'
import { isRejection, type Rejection } from './rejection.ts'

const now = new Date('2026-01-31T12:00:00Z')
const later = new Date('2026-01-31T12:05:00Z')
const location = { orderId: 'o', businessId: 'b', storeId: 's', deviceId: 'd' }

function made<T>(result: T | Rejection): T {
  assert.ok(!isRejection(result), JSON.stringify(result))
  return result as T
}
const opened = (): Order => made(openOrder(location, now)).order
const rejection = (result: unknown) => (isRejection(result) ? (result.fields?.[0]?.path ?? result.rejected) : 'granted')

test('a new order is OPENED and emits one event', () => {
  const { order, event } = made(openOrder({ ...location, amount: 500, currency: 'USD' }, now))
  assert.equal(order.status, 'OPENED')
  assert.equal(order.resourceSeq, 1)
  assert.equal(event?.eventType, 'ORDER_OPENED')
  assert.equal(event?.resourceSeq, 1)
  assert.deepEqual(event?.occurredAt, now)
})

const EDITS: [OrderEdit, string | undefined][] = [
  [{ status: 'COMPLETED' }, 'ORDER_COMPLETED'],
  [{ status: 'CANCELLED' }, 'ORDER_CANCELLED'],
  [{ status: 'COMPLETED', note: 'paid in cash' }, 'ORDER_COMPLETED'],
  [{ note: 'no onions' }, 'ORDER_UPDATED'],
  [{ status: 'OPENED', note: 'no onions' }, 'ORDER_UPDATED'],
  [{ status: 'OPENED' }, undefined],
  [{}, undefined],
]

for (const [edit, eventType] of EDITS) {
  test(`an edit ${JSON.stringify(edit)} emits ${eventType ?? 'nothing'}`, () => {
    const { order, event } = made(editOrder(opened(), edit, later))
    assert.equal(event?.eventType, eventType)
    assert.equal(order.resourceSeq, eventType ? 2 : 1)
    assert.deepEqual(order.updatedAt, eventType ? later : now)
  })
}

test('an edit with a clock that is behind has the time of the last edit', () => {
  const edited = made(editOrder(opened(), { note: 'no onions' }, later)).order
  const { order, event } = made(editOrder(edited, { status: 'COMPLETED' }, now))
  assert.deepEqual(event?.occurredAt, later)
  assert.deepEqual(order.updatedAt, later)
})

test('a closed order rejects every edit', () => {
  for (const status of ['COMPLETED', 'CANCELLED'] as const) {
    const { order } = made(editOrder(opened(), { status }, later))
    for (const edit of [{ status }, { status: 'OPENED' as const }, { note: 'x' }, {}]) {
      assert.equal(rejection(editOrder(order, edit, later)), 'ORDER_CLOSED')
    }
  }
})

test('an amount needs a currency, and a currency an amount', () => {
  assert.equal(rejection(openOrder({ ...location, amount: 1 }, now)), 'currency')
  assert.equal(rejection(openOrder({ ...location, currency: 'USD' }, now)), 'amount')
  assert.equal(rejection(openOrder({ ...location, amount: 1, currency: 'usd' }, now)), 'currency')
  assert.equal(rejection(editOrder(opened(), { amount: 5 }, later)), 'currency')
  assert.equal(rejection(openOrder({ ...location, amount: 0, currency: 'JPY' }, now)), 'granted')
})
