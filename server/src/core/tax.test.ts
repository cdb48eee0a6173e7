import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPayable, stepOf } from './credit.ts'
import { percentOf, rateOfPercent, rejectValidFrom, splitPrice, type TaxRate, taxAt, taxOfPart } from './tax.ts'

const vat = (country: string, validFrom: string, rate: number, behavior: TaxRate['behavior'] = 'EXCLUSIVE') => ({
  ...{ country, validFrom, rate, behavior },
  name: 'VAT',
})
const GERMAN = vat('DE', '2026-01-01', 190_000)
const AT = new Date('2026-03-01T12:00:00Z')
const seller = { country: 'DE', taxId: 'DE123456789' }

test("the tax rate is the latest rate of the buyer's country at midnight UTC", () => {
  const rates = [
    GERMAN,
    vat('DE', '2027-01-01', 210_000),
    vat('DE', '2025-01-01', 160_000),
    vat('FR', '2020-01-01', 200_000),
  ]
  const rateAt = (at: string) => taxAt({ rates, seller, buyer: { country: 'DE' } }, new Date(at))?.rate
  assert.equal(rateAt('2024-12-31T23:59:59Z'), undefined)
  assert.equal(rateAt('2025-01-01T00:00:00Z'), 160_000)
  assert.equal(rateAt('2026-12-31T23:59:59Z'), 190_000)
  assert.equal(rateAt('2027-01-01T00:00:00Z'), 210_000)
})

test('a country without a rate, or with the behavior NONE from a date on, has no tax', () => {
  const rates = [GERMAN, vat('DE', '2026-02-01', 0, 'NONE')]
  assert.equal(taxAt({ rates, seller, buyer: { country: 'US' } }, AT), null)
  assert.equal(taxAt({ rates, seller, buyer: { country: 'DE' } }, AT), null)
  assert.equal(taxAt({ rates, seller, buyer: { country: 'DE' } }, new Date('2026-01-31T00:00:00Z'))?.rate, 190_000)
})

test('the address decides the rate where the table says so, and the rate of the table applies to other addresses', () => {
  const rates = [{ ...vat('US', '2026-01-01', 60_000), byAddress: true }, vat('US', '2027-01-01', 70_000)]
  const jurisdictions = [{ name: 'New York', rate: 40_000 }]
  const addressRates = [{ validFrom: '2026-02-01', rate: 40_000, jurisdictions }]
  const at = (day: string, buyer: object = {}) =>
    taxAt({ rates, seller, buyer: { country: 'US', ...buyer } }, new Date(day))
  const applied = { name: 'VAT', behavior: 'EXCLUSIVE', isReverseCharge: false }
  const byAddress = { ...applied, rate: 40_000, rateSource: 'ADDRESS', jurisdictions }
  assert.deepEqual(at('2026-03-01', { addressRates }), byAddress)
  assert.deepEqual(at('2026-03-01'), { ...applied, rate: 60_000, rateSource: 'FALLBACK' })
  assert.deepEqual(at('2026-03-01', { addressRates: [] })?.rateSource, 'FALLBACK')
  assert.deepEqual(at('2027-01-01', { addressRates }), { ...applied, rate: 70_000 })
})

for (const [title, parties, isReverseCharge] of [
  ['a business in another member state', { buyer: { country: 'FR', taxId: 'FR12345678901' } }, true],
  ['a Greek number, which begins with EL', { buyer: { country: 'GR', taxId: 'EL123456789' } }, true],
  ['a confirmed number', { buyer: { country: 'FR', taxId: 'FR12345678901', taxIdStatus: 'VALID' } }, true],
  ['a rejected number', { buyer: { country: 'FR', taxId: 'FR12345678901', taxIdStatus: 'INVALID' } }, false],
  ['no number', { buyer: { country: 'FR' } }, false],
  ['a number of a third country', { buyer: { country: 'FR', taxId: 'DE123456789' } }, false],
  ['a buyer in the seller’s country', { buyer: { country: 'DE', taxId: 'DE987654321' } }, false],
  ['a buyer outside the Union', { buyer: { country: 'CH', taxId: 'CHE123456789' } }, false],
  [
    'a seller outside the Union',
    { seller: { country: 'US' }, buyer: { country: 'FR', taxId: 'FR12345678901' } },
    false,
  ],
  ['a seller without a country', { seller: {}, buyer: { country: 'FR', taxId: 'FR12345678901' } }, false],
] as const) {
  test(`reverse charge: ${title} → ${isReverseCharge ? 'yes' : 'no'}`, () => {
    const rates = [GERMAN, vat('FR', '2020-01-01', 200_000), vat('GR', '2020-01-01', 240_000)]
    const tax = taxAt({ rates, seller, ...parties }, AT)
    assert.equal(tax?.isReverseCharge ?? false, isReverseCharge)
    if (isReverseCharge) assert.equal(tax?.rate, 0)
  })
}

test('a seller without a rate at home issues no reverse charge', () => {
  assert.equal(taxAt({ rates: [], seller, buyer: { country: 'FR', taxId: 'FR12345678901' } }, AT), null)
})

test('the tax is rounded half up once', () => {
  const split = (price: number, rate: number, behavior: 'INCLUSIVE' | 'EXCLUSIVE', currency = 'EUR') =>
    splitPrice(price, { rate, behavior }, currency)
  assert.deepEqual(split(500, 190_000, 'EXCLUSIVE'), { net: 500, tax: 95, gross: 595 })
  assert.deepEqual(split(500, 190_000, 'INCLUSIVE'), { net: 420, tax: 80, gross: 500 })
  assert.deepEqual(split(50, 190_000, 'EXCLUSIVE'), { net: 50, tax: 10, gross: 60 })
  assert.deepEqual(split(999, 88_750, 'EXCLUSIVE', 'USD'), { net: 999, tax: 89, gross: 1_088 })
  // Québec, and a city in Missouri.
  assert.deepEqual(split(999, 149_750, 'EXCLUSIVE', 'CAD'), { net: 999, tax: 150, gross: 1_149 })
  assert.deepEqual(split(1_149, 149_750, 'INCLUSIVE', 'CAD'), { net: 999, tax: 150, gross: 1_149 })
  assert.deepEqual(split(9_999, 76_375, 'EXCLUSIVE', 'USD'), { net: 9_999, tax: 764, gross: 10_763 })
  assert.deepEqual(split(500, 100_000, 'EXCLUSIVE', 'JPY'), { net: 500, tax: 50, gross: 550 })
  assert.deepEqual(split(1_250, 50_000, 'EXCLUSIVE', 'KWD'), { net: 1_250, tax: 60, gross: 1_310 })
  assert.deepEqual(split(500, 0, 'EXCLUSIVE'), { net: 500, tax: 0, gross: 500 })
})

/** The model: exact fractions of strings of digits, compared by cross-multiplication instead of division. */
function isNearest(candidate: number, dividend: bigint, divisor: bigint): boolean {
  const twice = 2n * BigInt(candidate)
  // candidate − ½ ≤ dividend ÷ divisor < candidate + ½
  return (twice - 1n) * divisor <= 2n * dividend && 2n * dividend < (twice + 1n) * divisor
}

const price = fc.integer({ min: 1, max: 99_999_999 })
const rate = fc.nat(1_000_000)

test('property: net + tax = gross, and the tax is the nearest minor unit to the exact tax', () => {
  fc.assert(
    fc.property(price, rate, fc.constantFrom('INCLUSIVE', 'EXCLUSIVE'), (amount, millionths, behavior) => {
      const { net, tax, gross } = splitPrice(amount, { behavior, rate: millionths }, 'EUR')
      assert.equal(net + tax, gross)
      assert.equal(behavior === 'INCLUSIVE' ? gross : net, amount)
      assert.ok(tax >= 0 && net > 0)
      const divisor = behavior === 'INCLUSIVE' ? 1_000_000n + BigInt(millionths) : 1_000_000n
      assert.ok(isNearest(tax, BigInt(amount) * BigInt(millionths), divisor))
      // EN 16931, BR-CO-17 with its tolerance: the tax of the category is net × rate to within one minor unit.
      assert.ok(Math.abs(tax - (net * millionths) / 1_000_000) <= 1.000001)
    }),
    { numRuns: 2_000 },
  )
})

test('property: a price that a card can pay can be paid with its tax, also in currencies with steps', () => {
  const currencies = fc.constantFrom('KWD', 'BHD', 'MGA', 'USD', 'JPY')
  fc.assert(
    fc.property(currencies, fc.integer({ min: 10_000, max: 999_999 }), rate, (currency, units, millionths) => {
      const amount = units * stepOf(currency)
      fc.pre(isPayable(amount, currency))
      const { gross } = splitPrice(amount, { behavior: 'EXCLUSIVE', rate: millionths }, currency)
      assert.ok(isPayable(gross, currency))
    }),
  )
})

test('property: the parts of an invoice have exactly its tax, and no part has a negative tax', () => {
  fc.assert(
    fc.property(price, rate, fc.array(fc.integer({ min: 1, max: 5_000_000 })), (amount, millionths, wanted) => {
      const invoice = splitPrice(amount, { behavior: 'EXCLUSIVE', rate: millionths }, 'EUR')
      const parts: number[] = []
      for (let gone = 0; gone < invoice.gross; gone += parts.at(-1) ?? 0) {
        parts.push(Math.min(wanted[parts.length] ?? invoice.gross, invoice.gross - gone))
      }
      let gone = 0
      const taxes = parts.map(part => {
        const before = taxOfPart(gone, invoice)
        gone += part
        return taxOfPart(gone, invoice) - before
      })
      assert.ok(taxes.every((tax, n) => tax >= 0 && tax <= (parts[n] ?? 0)))
      assert.equal(
        taxes.reduce((sum, tax) => sum + tax, 0),
        invoice.tax,
      )
    }),
  )
})

test('a percentage is read and written without loss', () => {
  for (const [text, millionths] of [
    ['19', 190_000],
    ['8.875', 88_750],
    ['7,7', 77_000],
    ['0', 0],
    ['4.2375', 42_375],
    ['100', 1_000_000],
  ] as const) {
    assert.equal(rateOfPercent(text), millionths)
  }
  for (const text of ['', '-1', '100.0001', '1.23456', '1e1', 'x', '1000']) assert.equal(rateOfPercent(text), null)
  fc.assert(fc.property(rate, one => assert.equal(rateOfPercent(percentOf(one)), one)))
})

test('a date that does not exist is rejected', () => {
  assert.equal(rejectValidFrom('2028-02-29'), null)
  for (const day of ['2026-02-29', '2026-13-01', '2026-00-10', '0000-00-00'])
    assert.notEqual(rejectValidFrom(day), null)
})
