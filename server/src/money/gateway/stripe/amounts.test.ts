import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CURRENCIES } from '../../../core/money.ts'
import { fromStripe, toStripe } from './money.ts'

test("an amount is sent to Stripe in Stripe's unit of the currency", () => {
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

test('an amount that Stripe cannot charge exactly is declined, not rounded', () => {
  assert.deepEqual(toStripe(5_124, 'KWD'), { declined: 'amount_not_representable' })
  assert.deepEqual(toStripe(501, 'MGA'), { declined: 'amount_not_representable' })
  assert.deepEqual(toStripe(500, 'IQD'), { declined: 'currency_not_supported' })
  assert.deepEqual(toStripe(500, 'CLF'), { declined: 'currency_not_supported' })
})

test('amounts survive a round trip in every currency of Stripe', () => {
  for (const currency of CURRENCIES.keys()) {
    const sent = toStripe(12_300, currency)
    if (typeof sent === 'number') assert.equal(fromStripe(sent, currency.toLowerCase()), 12_300, currency)
  }
})
