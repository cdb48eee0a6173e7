import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { current, happen } from '../../test/support/pure-billing.ts'
import { refundableAmount } from './refund.ts'
import { isRejection } from './rejection.ts'

const PAID = {
  ...{ status: 'PAID', currency: 'USD', amountPaid: 500, amountRefunded: 0, amountChargedBack: 0 },
  ...{ creditApplied: 0, creditGranted: 0, pendingRefunds: 0 },
}

test('without an amount, the whole rest is refunded', () => {
  assert.equal(refundableAmount(PAID, undefined), 500)
  assert.equal(refundableAmount({ ...PAID, amountRefunded: 120, pendingRefunds: 80 }, undefined), 300)
})

test('a partial refund is limited to the rest', () => {
  assert.equal(refundableAmount(PAID, 1), 1)
  assert.equal(refundableAmount({ ...PAID, amountRefunded: 120, pendingRefunds: 80 }, 300), 300)
})

test('refunds are multiples of the card step, and a smaller rest stays', () => {
  const dinars = { ...PAID, currency: 'KWD', amountPaid: 5_000 }
  assert.equal(refundableAmount(dinars, 1_230), 1_230)
  const odd = refundableAmount(dinars, 1_235)
  assert.deepEqual(isRejection(odd) && odd.fields, [{ path: 'amount', problem: 'must be a multiple of 10 in KWD' }])
  const credited = { ...dinars, creditGranted: 1_234 }
  assert.equal(refundableAmount(credited, undefined), 3_760)
  const tooMuch = refundableAmount(credited, 3_770)
  assert.equal(isRejection(tooMuch) && tooMuch.rejected, 'REFUND_EXCEEDS_PAID')
  const rest = refundableAmount({ ...dinars, creditGranted: 4_995 }, undefined)
  assert.equal(isRejection(rest) && rest.rejected, 'REFUND_EXCEEDS_PAID')
})

test('a payment with an odd last fils is refunded to the last fils', () => {
  const taken = { ...PAID, currency: 'KWD', amountPaid: 5_124 }
  assert.equal(refundableAmount(taken, undefined), 5_124)
  assert.equal(refundableAmount(taken, 3), 3)
})

/** Cash paid, credit applied, credit granted, refunded: the refundable rest. */
const CREDITED: [number, number, number, number, number][] = [
  [500, 0, 200, 0, 300],
  [500, 0, 200, 300, 0],
  [700, 300, 500, 0, 500],
  [700, 300, 300, 0, 700],
  [700, 300, 1_000, 0, 0],
  [700, 300, 500, 500, 0],
  [0, 300, 150, 0, 0],
]
for (const [amountPaid, creditApplied, creditGranted, amountRefunded, left] of CREDITED) {
  test(`paid ${amountPaid}, credit applied ${creditApplied}, granted ${creditGranted}, refunded ${amountRefunded}: ${left} is left`, () => {
    const invoice = { ...PAID, amountPaid, creditApplied, creditGranted, amountRefunded }
    if (left > 0) assert.equal(refundableAmount(invoice, undefined), left)
    const tooMuch = refundableAmount(invoice, left + 1)
    assert.equal(isRejection(tooMuch) && tooMuch.rejected, 'REFUND_EXCEEDS_PAID')
  })
}

const rejected: [string, Parameters<typeof refundableAmount>, string][] = [
  ['more than was paid', [PAID, 501], 'REFUND_EXCEEDS_PAID'],
  [
    'more than is left, counting what is on its way',
    [{ ...PAID, amountRefunded: 120, pendingRefunds: 80 }, 301],
    'REFUND_EXCEEDS_PAID',
  ],
  ['anything, when all went back', [{ ...PAID, amountRefunded: 500 }, undefined], 'REFUND_EXCEEDS_PAID'],
  [
    'anything, when what was credited has gone back at the gateway as well',
    [{ ...PAID, amountRefunded: 500, creditGranted: 200 }, undefined],
    'REFUND_EXCEEDS_PAID',
  ],
  ['anything, when the payer’s bank has it', [{ ...PAID, amountChargedBack: 500 }, undefined], 'REFUND_EXCEEDS_PAID'],
  [
    'more than bank and refunds have left',
    [{ ...PAID, amountRefunded: 120, amountChargedBack: 300 }, 81],
    'REFUND_EXCEEDS_PAID',
  ],
  ['anything, when all is on its way', [{ ...PAID, pendingRefunds: 500 }, 1], 'REFUND_EXCEEDS_PAID'],
  ...['OPEN', 'VOID', 'UNCOLLECTIBLE'].map((status): [string, Parameters<typeof refundableAmount>, string] => [
    `anything of an invoice that is ${status}`,
    [{ ...PAID, status, amountPaid: 0 }, undefined],
    'INVOICE_NOT_PAID',
  ]),
]
for (const [what, input, code] of rejected) {
  test(`a start is rejected: ${what}`, () => {
    const result = refundableAmount(...input)
    assert.equal(isRejection(result) && result.rejected, code)
  })
}

test('the rejection mentions the amount that the payer’s bank has taken back', () => {
  const result = refundableAmount({ ...PAID, amountChargedBack: 200 }, 400)
  assert.ok(isRejection(result))
  assert.match(result.developerMessage, /At most 300 .* The payer's bank has taken back 200\.$/)
})

test('property: refunds never exceed the payment, with any requests, successes and failures', () => {
  const orders = fc.array(
    fc.record({ asked: fc.option(fc.integer({ min: 1, max: 700 }), { nil: undefined }), succeeds: fc.boolean() }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), orders, (amountPaid, asks) => {
      let amountRefunded = 0
      let pending = 0
      for (const { asked, succeeds } of asks) {
        const amount = refundableAmount({ ...PAID, amountPaid, amountRefunded, pendingRefunds: pending }, asked)
        if (isRejection(amount)) continue
        assert.ok(amount > 0)
        pending += amount
        assert.ok(amountRefunded + pending <= amountPaid)
        if (succeeds) amountRefunded += amount
        if (succeeds || asked === undefined) pending -= amount
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a paid invoice, refund succeeded: REFUND_SUCCESS with its link, and nothing else changes', () => {
  const run = current()
  const now = new Date('2026-01-15T12:00:00Z')
  const before = run.state.subscription
  happen(run, { kind: 'refundSucceeded', invoiceId: 'invoice-0' }, now)
  const resourceSeq = before.resourceSeq + 1
  assert.deepEqual(run.state.subscription, { ...before, resourceSeq, lastTriggerAt: now, updatedAt: now })
  assert.deepEqual(run.events.at(-1), { type: 'REFUND_SUCCESS', at: now, invoiceId: 'invoice-0' })
})
