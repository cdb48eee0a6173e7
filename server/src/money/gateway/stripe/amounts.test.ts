import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CURRENCIES } from '../../../core/money.ts'
import { fromStripe, toStripe } from './money.ts'

test('an amount of ISO 4217 is sent as Stripe counts that currency', () => {
  const cases: [number, string, number][] = [
    [500, 'USD', 500],
    [500, 'JPY', 500],
    [500, 'ISK', 50_000],
    [500, 'UGX', 50_000],
    [500, 'MGA', 5],
    [5_120, 'KWD', 5_120],
    [500, 'HUF', 500],
  ]
  for (const [amount, currency, sent] of cases) assert.equal(toStripe(amount, currency), sent, currency)
})

test('what Stripe cannot take exactly is refused, not rounded', () => {
  assert.deepEqual(toStripe(5_124, 'KWD'), { refused: 'amount_not_representable' })
  assert.deepEqual(toStripe(501, 'MGA'), { refused: 'amount_not_representable' })
  assert.deepEqual(toStripe(500, 'IQD'), { refused: 'currency_not_supported' })
  assert.deepEqual(toStripe(500, 'CLF'), { refused: 'currency_not_supported' })
})

test('what was sent reads back as it was, in every currency that Stripe takes', () => {
  for (const currency of CURRENCIES.keys()) {
    const sent = toStripe(12_300, currency)
    if (typeof sent === 'number') assert.equal(fromStripe(sent, currency.toLowerCase()), 12_300, currency)
  }
})
