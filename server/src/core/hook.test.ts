import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES } from './event.ts'
import { eventTypeSet } from './hook.ts'
import { isRejection } from './rejection.ts'

test('the order of event types, and repetitions, do not change the set', () => {
  const set = eventTypeSet(['ORDER_UPDATED', 'ORDER_OPENED'])
  assert.deepEqual(set, ['ORDER_OPENED', 'ORDER_UPDATED'])
  assert.deepEqual(eventTypeSet(['ORDER_OPENED', 'ORDER_UPDATED', 'ORDER_OPENED']), set)
  assert.equal((eventTypeSet(EVENT_TYPES) as string[]).length, EVENT_TYPES.length)
})

test('an unknown event type is named with its position', () => {
  for (const name of ['ORDER_SHIPPED', 'order_opened', '', 'toString', 'TEST']) {
    const rejected = eventTypeSet(['ORDER_OPENED', 'ORDER_UPDATED', name])
    assert.ok(isRejection(rejected))
    assert.equal(rejected.fields?.[0]?.path, 'eventTypes[2]')
    assert.ok(
      rejected.fields[0].problem.startsWith(
        `"${name}" is not an event type; the event types are APPLICATION_SUBSCRIPTION_`,
      ),
    )
  }
})

test('a rejection shows only the printable beginning of a long or malformed event type', () => {
  const problemOf = (name: string) => {
    const rejected = eventTypeSet([name])
    return isRejection(rejected) ? rejected.fields?.[0]?.problem : undefined
  }
  assert.ok(problemOf('x'.repeat(100_000))?.startsWith(`"${'x'.repeat(64)}" is`))
  assert.ok(problemOf(`${'x'.repeat(63)}😀`)?.isWellFormed())
})
