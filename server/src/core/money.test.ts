import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COUNTRIES } from './countries.ts'
import { add, CURRENCIES, decimalOf, formatMoney, MAX_AMOUNT, money } from './money.ts'

test('sums are whole minor units of one currency', () => {
  assert.deepEqual(add(money(500, 'USD'), money(-20, 'USD')), { amount: 480, currency: 'USD' })
})

test('two currencies, a fraction, an unsafe sum or an unknown currency is a bug', () => {
  assert.throws(() => add(money(1, 'USD'), money(1, 'EUR')), /USD and EUR/)
  assert.throws(() => money(0.5, 'USD'), /safe integer/)
  assert.throws(() => money(Number.NaN, 'USD'), /safe integer/)
  assert.throws(() => add(money(Number.MAX_SAFE_INTEGER, 'USD'), money(1, 'USD')), /safe integer/)
  assert.throws(() => money(1, 'usd'), /no currency/)
  assert.throws(() => formatMoney(1, 'XXX'), /no currency/)
})

const written: [number, string, string][] = [
  [500, 'USD', '$5.00'],
  [5, 'USD', '$0.05'],
  [0, 'USD', '$0.00'],
  [-5, 'USD', '-$0.05'],
  [123_456_789, 'USD', '$1,234,567.89'],
  [500, 'JPY', '¥500'],
  [0, 'JPY', '¥0'],
  [1_250, 'KWD', 'KWD 1.250'],
  [1, 'KWD', 'KWD 0.001'],
  [1_250, 'IQD', 'IQD 1.250'],
  [12_345, 'CLF', 'CLF 1.2345'],
  [MAX_AMOUNT, 'EUR', '€99,999,999.99'],
  [Number.MAX_SAFE_INTEGER, 'USD', '$90,071,992,547,409.91'],
]

for (const [amount, currency, text] of written) {
  test(`${amount} ${currency} is written ${text}`, () => {
    assert.equal(formatMoney(amount, currency), text)
  })
}

test('every currency is a code of three letters and can be written', () => {
  for (const [code, decimals] of CURRENCIES) {
    assert.match(code, /^[A-Z]{3}$/)
    assert.match(formatMoney(12_345, code), decimals === 0 ? /12,345$/ : new RegExp(`\\d\\.\\d{${decimals}}$`))
  }
  assert.equal(CURRENCIES.size, 165)
})

test('there are the 249 countries of ISO 3166-1, and no region of another kind', () => {
  assert.equal(COUNTRIES.size, 249)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (const code of COUNTRIES) assert.ok(names.of(code), `no region ${code}`)
  for (const code of ['UK', 'EU', 'XK', 'AN', 'us', '']) assert.equal(COUNTRIES.has(code), false)
})

test('an amount as a decimal has the decimals of its currency and the same value', () => {
  const cases: [number, string, string][] = [
    [500, 'USD', '5.00'],
    [5, 'USD', '0.05'],
    [0, 'USD', '0.00'],
    [-1_205, 'USD', '-12.05'],
    [500, 'JPY', '500'],
    [-1, 'JPY', '-1'],
    [0, 'JPY', '0'],
    [1_250, 'KWD', '1.250'],
    [1, 'KWD', '0.001'],
    [12_345, 'CLF', '1.2345'],
    [Number.MAX_SAFE_INTEGER, 'EUR', '90071992547409.91'],
  ]
  for (const [amount, currency, text] of cases) assert.equal(decimalOf(amount, currency), text)
})
