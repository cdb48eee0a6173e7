import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Stripe from 'stripe'
import type { GatewayOnBench } from '../../../../test/support/conformance/bench.ts'
import { gatewayConformance } from '../../../../test/support/conformance/suite.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/postgres.ts'
import { type Database, openDatabase } from '../../../platform/db/db.ts'
import { createStripe } from './stripe.ts'

/** A test mode key (README.md). The tests are skipped without a key. */
const secretKey = process.env.TILLHOOK_TEST_STRIPE_KEY ?? ''

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url })
})
after(async () => {
  await db.close()
  await fresh.drop()
})

test('Stripe in test mode passes the conformance suite', { skip: secretKey === '' }, async t => {
  assert.match(secretKey, /^[sr]k_test_/, 'never with a key that takes real money')
  const api = new Stripe(secretKey)
  const clock = { now: () => new Date() }
  const gateway = createStripe({ secretKey, returnUrl: 'https://example.com/', db, clock })
  const bench: GatewayOnBench = {
    gateway,
    lacks: [
      ...(['hard', 'chargedThenUnknown', 'declinedThenUnknown', 'actionRequired', 'pending', 'refundFails'] as const),
      // Events need a public address.
      ...(['eventsOf', 'eventAbout', 'signedByAnother', 'signedLongAgo', 'service'] as const),
      ...(['dispute', 'lose', 'finish'] as const),
    ],
    // The only test card that declines after saving; cards with hard declines cannot be saved.
    tokens: {
      ok: 'pm_card_visa',
      soft: 'pm_card_chargeCustomerFail',
      declinedAtSaving: 'pm_card_chargeDeclined',
      refundPending: 'pm_card_pendingRefund',
      notAToken: 'pm_nothing',
    },
    currency: 'USD',
    booksOf: async (id: string) => {
      const { amount_received: charged } = await api.paymentIntents.retrieve(id)
      const { data } = await api.refunds.list({ payment_intent: id, limit: 100 })
      const refunded = data.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
      return { charged, refunded }
    },
    refundAtGateway: async (id: string, amount: number) =>
      void (await api.refunds.create({ payment_intent: id, amount })),
  }
  await gatewayConformance(t, bench, new Date())
})
