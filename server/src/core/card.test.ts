import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOf, cardStanding } from './card.ts'

test('a card is valid to the end of its last month, and its warning comes 30 days before that month', () => {
  const at = (instant: string) => cardStanding({ expires: '2026-12' }, new Date(instant))
  assert.equal(at('2026-10-31T23:59:59Z'), 'VALID')
  assert.equal(at('2026-11-01T00:00:00Z'), 'EXPIRING')
  assert.equal(at('2026-12-31T23:59:59.999Z'), 'EXPIRING')
  assert.equal(at('2027-01-01T00:00:00Z'), 'EXPIRED')
})

test('an expiry without all its parts is absent', () => {
  assert.deepEqual(cardOf({ brand: 'visa', last4: '0007', month: 4, year: 2031 }), {
    ...{ brand: 'visa', last4: '0007', expires: '2031-04' },
  })
  assert.equal(cardOf({ brand: 'visa', last4: '07', month: 4, year: 2031 }), undefined)
  assert.equal(cardOf({ brand: 'visa', last4: '0007', year: 2031 }), undefined)
})
