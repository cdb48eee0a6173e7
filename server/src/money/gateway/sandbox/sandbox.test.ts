import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import type { GatewayOnBench } from '../../../../test/support/conformance/bench.ts'
import { gatewayConformance } from '../../../../test/support/conformance/suite.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/postgres.ts'
import { bookedAt, listCharges, sandboxBench } from '../../../../test/support/sandbox-bench.ts'
import { serviceOnBench } from '../../../../test/support/service-on-bench.ts'
import { type Database, openDatabase } from '../../../platform/db/db.ts'
import type { Gateway } from '../gateway.ts'

import type { Faults } from './payments.ts'
import { settle } from './payments.ts'
import { createSandbox } from './sandbox.ts'

let fresh: FreshDatabase
let db: Database
const settings = { baseUrl: 'https://api.example' }
const clock = { now: () => new Date('2026-01-31T00:00:00Z') }

before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url })
})
after(async () => {
  await db.close()
  await fresh.drop()
})

const booksOf = (gatewayChargeId: string) => bookedAt(db, gatewayChargeId)

test('the sandbox passes the conformance suite', t => {
  let lost: 'request' | 'answer' | undefined
  const loses = (what: 'request' | 'answer') => (call: string) => {
    if (call !== 'confirmCharge' || lost !== what) return
    lost = undefined
    throw new Error('lost')
  }
  const faults = { before: loses('request'), after: loses('answer') }
  const eventSecret = 'of the tests'
  const gateway = createSandbox({ db, clock, settings, newId: v7, faults, eventSecret })
  const bench: GatewayOnBench = {
    ...sandboxBench(gateway, { db, clock, eventSecret }),
    // Signatures carry no time: an event is stored once by its id.
    lacks: ['declinedAtSaving', 'refundPending', 'signedLongAgo'],
    lose: what => {
      lost = what
    },
    service: () => serviceOnBench('sandbox'),
  }
  return gatewayConformance(t, bench, clock.now())
})

const saved = (method: Awaited<ReturnType<Gateway['savePaymentMethod']>>) =>
  method && 'reference' in method ? method.reference : ''
const made = (charge: Awaited<ReturnType<Gateway['createCharge']>>) =>
  'gatewayChargeId' in charge ? charge.gatewayChargeId : ''

test('the label of a payment method looks like a card and hides the token', async () => {
  const gateway = createSandbox({ db, clock, settings, newId: v7 })
  const labelOf = async (token: string) => {
    const method = await gateway.savePaymentMethod({ businessId: randomUUID(), token, key: randomUUID() })
    return method && 'label' in method ? method.label : undefined
  }
  assert.equal(await labelOf('tok_ok'), 'Test card ok')
  assert.equal(await labelOf('tok_insufficient_funds'), 'Test card insufficient funds')
})

function bench(faults?: Faults) {
  const gateway = createSandbox({ db, clock, settings, newId: v7, ...(faults && { faults }) })
  const calm = createSandbox({ db, clock, settings, newId: v7 })
  const metadata = { invoiceId: randomUUID(), businessId: randomUUID() }
  return {
    gateway,
    calm,
    metadata,
    save: async (token: string) =>
      saved(await calm.savePaymentMethod({ businessId: metadata.businessId, token, key: randomUUID() })),
    charge: async () => made(await calm.createCharge({ key: randomUUID(), amount: 700, currency: 'EUR', metadata })),
  }
}

test('tok_fail_after_1 pays one charge object and declines every later one', async () => {
  const { gateway, save, charge } = bench()
  const reference = await save('tok_fail_after_1')
  const [first, second] = [await charge(), await charge()]
  const confirm = async (gatewayChargeId: string) =>
    (await gateway.confirmCharge({ gatewayChargeId, key: randomUUID(), reference })).kind
  assert.equal(await confirm(first), 'succeeded')
  assert.equal(await confirm(second), 'declined')
  assert.equal(await confirm(second), 'declined')
  assert.equal(await confirm(first), 'succeeded')
  const atOnce = await save('tok_fail_after_1')
  const charges = [await charge(), await charge(), await charge()]
  const kinds = await Promise.all(
    charges.map(
      async gatewayChargeId =>
        (await gateway.confirmCharge({ gatewayChargeId, key: randomUUID(), reference: atOnce })).kind,
    ),
  )
  assert.deepEqual(kinds.sort(), ['declined', 'declined', 'succeeded'])
})

test('a pending and a waiting attempt stay open until they are settled', async () => {
  const { gateway, save, charge } = bench()
  for (const [token, kind] of [
    ['tok_pending', 'pending'],
    ['tok_action_required', 'actionRequired'],
  ] as const) {
    const [gatewayChargeId, reference, key] = [await charge(), await save(token), randomUUID()]
    assert.equal((await gateway.confirmCharge({ gatewayChargeId, key, reference })).kind, kind)
    assert.equal((await gateway.findConfirmation({ gatewayChargeId, key }))?.kind, kind)
    assert.deepEqual(await booksOf(gatewayChargeId), { charged: 0, refunded: 0 })
    await settle({ db, clock }, { gatewayChargeId, key, outcome: { kind: 'succeeded' } })
    assert.deepEqual(await gateway.findConfirmation({ gatewayChargeId, key }), { kind: 'succeeded' })
    assert.deepEqual(await booksOf(gatewayChargeId), { charged: 700, refunded: 0 })
    assert.equal(await settle({ db, clock }, { gatewayChargeId, key, outcome: { kind: 'succeeded' } }), false)
  }
})

test('tok_refund_fails pays, and every refund fails', async () => {
  const { gateway, save, charge } = bench()
  const [gatewayChargeId, reference] = [await charge(), await save('tok_refund_fails')]
  await gateway.confirmCharge({ gatewayChargeId, key: randomUUID(), reference })
  const request = { gatewayChargeId, key: randomUUID(), amount: 700, currency: 'EUR' }
  assert.equal((await gateway.refund(request)).kind, 'failed')
  assert.equal((await gateway.findRefund(request))?.kind, 'failed')
  assert.deepEqual(await booksOf(gatewayChargeId), { charged: 700, refunded: 0 })
})

const lost = (at: 'before' | 'after'): Faults => ({
  before: () => {
    if (at === 'before') throw new Error('lost')
  },
  after: () => {
    if (at === 'after') throw new Error('lost')
  },
})

test('a lost request is unknown without effect; a lost response is unknown after the charge', async () => {
  for (const [at, charged, found] of [
    ['before', 0, null],
    ['after', 700, { kind: 'succeeded' }],
  ] as const) {
    const { gateway, calm, save, charge } = bench(lost(at))
    const [gatewayChargeId, reference, key] = [await charge(), await save('tok_ok'), randomUUID()]
    const outcome = await gateway.confirmCharge({ gatewayChargeId, key, reference })
    assert.deepEqual(outcome, { kind: 'unknown', reason: 'lost' })
    assert.deepEqual(await booksOf(gatewayChargeId), { charged, refunded: 0 })
    assert.equal((await gateway.findConfirmation({ gatewayChargeId, key }))?.kind, 'unknown')
    assert.deepEqual(await calm.findConfirmation({ gatewayChargeId, key }), found)
    assert.deepEqual(await calm.confirmCharge({ gatewayChargeId, key, reference }), { kind: 'succeeded' })
    const refund = { gatewayChargeId, key: randomUUID(), amount: 300, currency: 'EUR' }
    assert.equal((await gateway.refund(refund)).kind, 'unknown')
    assert.deepEqual(await calm.refund(refund), { kind: 'succeeded' })
    assert.deepEqual(await booksOf(gatewayChargeId), { charged: 700, refunded: 300 })
  }
})

test('a charge object whose creation response was lost is found by its key and not created again', async () => {
  const { gateway, calm, metadata } = bench(lost('after'))
  const request = { key: randomUUID(), amount: 700, currency: 'EUR', metadata, businessId: metadata.businessId }
  await assert.rejects(gateway.createCharge(request), /lost/)
  const found = await calm.findCharge(request)
  assert.ok(found)
  assert.deepEqual(await calm.createCharge(request), found)
})

test('an unavailable database makes the outcome unknown', async () => {
  const gone = openDatabase({ url: fresh.url })
  await gone.close()
  const gateway = createSandbox({ db: gone, clock, settings, newId: v7 })
  const request = { gatewayChargeId: 'ch', key: 'k', reference: 'pm', amount: 1, currency: 'EUR' }
  assert.equal((await gateway.confirmCharge(request)).kind, 'unknown')
  assert.equal((await gateway.findConfirmation(request))?.kind, 'unknown')
  assert.equal((await gateway.refund(request)).kind, 'unknown')
})

test('an unknown charge, a key with another amount and a refund without a charge throw', async () => {
  const { gateway, save, charge, metadata } = bench()
  const [gatewayChargeId, reference, key] = [await charge(), await save('tok_ok'), randomUUID()]
  await assert.rejects(gateway.confirmCharge({ gatewayChargeId: 'ch_none', key, reference }))
  await assert.rejects(gateway.confirmCharge({ gatewayChargeId, key, reference: 'pm_none' }))
  await assert.rejects(gateway.refund({ gatewayChargeId, key, amount: 0, currency: 'EUR' }))
  await gateway.createCharge({ key, amount: 1, currency: 'EUR', metadata })
  await assert.rejects(gateway.createCharge({ key, amount: 2, currency: 'EUR', metadata }))
})

test('the books contain invoice, business and currency', async () => {
  const { save, charge, gateway, metadata } = bench()
  const [gatewayChargeId, reference] = [await charge(), await save('tok_ok')]
  await gateway.confirmCharge({ gatewayChargeId, key: randomUUID(), reference })
  const booked = (await listCharges(db.sql)).filter(one => one.invoiceId === metadata.invoiceId)
  assert.deepEqual(booked, [{ gatewayChargeId, ...metadata, currency: 'EUR', charged: 700, refunded: 0 }])
})
