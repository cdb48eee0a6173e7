import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { ChargeOutcome, Gateway } from './gateway.ts'

/** A gateway on the bench: the adapter, tokens of its test mode, and what its own books say. */
export interface GatewayOnBench {
  readonly gateway: Gateway
  readonly tokens: {
    readonly ok: string
    readonly soft: string
    readonly hard: string
    /** The money is taken, the answer lost. Null: the gateway's test mode has none such. */
    readonly chargedThenUnknown: string | null
    /** Declined, the answer lost. */
    readonly declinedThenUnknown: string | null
    readonly notAToken: string
  }
  readonly currency: string
  /** Minor units that the gateway took and gave back for a charge object. */
  booksOf(gatewayChargeId: string): Promise<{ charged: number; refunded: number }>
}

const AMOUNT = 1_999

/** What gateway.ts promises, tried on an adapter. Every adapter passes it. */
export async function gatewayConformance(t: TestContext, makeGateway: () => Promise<GatewayOnBench>): Promise<void> {
  const bench = await makeGateway()
  const { gateway, tokens } = bench
  const key = () => randomUUID()

  const save = async (token: string) => {
    const method = await gateway.savePaymentMethod({ token, key: key() })
    assert.ok(method)
    return method.reference
  }
  const charge = async (chargeKey = key()) => {
    const metadata = { invoiceId: randomUUID(), businessId: randomUUID() }
    return (await gateway.createCharge({ key: chargeKey, amount: AMOUNT, currency: bench.currency, metadata }))
      .gatewayChargeId
  }
  const confirm = (gatewayChargeId: string, reference: string, tryKey = key()) =>
    gateway.confirmCharge({ gatewayChargeId, key: tryKey, reference })
  const isBooked = async (gatewayChargeId: string, charged: number, refunded: number) =>
    assert.deepEqual(await bench.booksOf(gatewayChargeId), { charged, refunded })
  const isDeclined = (outcome: ChargeOutcome | null, severity: 'soft' | 'hard') =>
    assert.ok(outcome?.kind === 'declined' && outcome.severity === severity, JSON.stringify(outcome))

  await t.test('a token is saved once a key, and what is no token is null', async () => {
    const request = { token: tokens.ok, key: key() }
    const first = await gateway.savePaymentMethod(request)
    assert.ok(first && first.reference.length > 0 && first.label.length > 0)
    assert.deepEqual(await gateway.savePaymentMethod(request), first)
    assert.equal(await gateway.savePaymentMethod({ token: tokens.notAToken, key: key() }), null)
  })

  await t.test('a charge object is made once a key, takes nothing, and is found by its key', async () => {
    const chargeKey = key()
    const request = { key: chargeKey, amount: AMOUNT, currency: bench.currency }
    const metadata = { invoiceId: randomUUID(), businessId: randomUUID() }
    const made = await Promise.all([1, 2, 3].map(() => gateway.createCharge({ ...request, metadata })))
    assert.equal(new Set(made.map(one => one.gatewayChargeId)).size, 1)
    assert.deepEqual(await gateway.findCharge({ key: chargeKey }), made[0])
    assert.equal(await gateway.findCharge({ key: key() }), null)
    await isBooked(made[0]?.gatewayChargeId ?? '', 0, 0)
  })

  await t.test('the same try again, also at once, takes the money once and gives the same answer', async () => {
    const [id, reference, tryKey] = [await charge(), await save(tokens.ok), key()]
    const outcomes = await Promise.all([1, 2, 3].map(() => confirm(id, reference, tryKey)))
    for (const outcome of outcomes) assert.deepEqual(outcome, { kind: 'succeeded' })
    assert.deepEqual(await gateway.findConfirmation({ gatewayChargeId: id, key: tryKey }), { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a charge object succeeds at most once, whoever tries again with whatever', async () => {
    const [id, reference] = [await charge(), await save(tokens.ok)]
    assert.deepEqual(await confirm(id, reference), { kind: 'succeeded' })
    const later = await Promise.all(
      [reference, await save(tokens.ok), await save(tokens.soft)].map(one => confirm(id, one)),
    )
    for (const outcome of later) assert.deepEqual(outcome, { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('of different tries at once one takes the money', async () => {
    const [id, reference] = [await charge(), await save(tokens.ok)]
    await Promise.all([1, 2, 3, 4].map(() => confirm(id, reference)))
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a declined charge object takes nothing, says how hard, and can be tried again', async () => {
    const id = await charge()
    const tryKey = key()
    isDeclined(await confirm(id, await save(tokens.soft), tryKey), 'soft')
    isDeclined(await gateway.findConfirmation({ gatewayChargeId: id, key: tryKey }), 'soft')
    isDeclined(await confirm(id, await save(tokens.hard)), 'hard')
    await isBooked(id, 0, 0)
    const reference = await save(tokens.ok)
    isDeclined(await confirm(id, reference, tryKey), 'soft')
    assert.deepEqual(await confirm(id, reference), { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a try that the gateway never saw is null', async () => {
    assert.equal(await gateway.findConfirmation({ gatewayChargeId: await charge(), key: key() }), null)
  })

  const { chargedThenUnknown, declinedThenUnknown } = tokens
  await t.test(
    'an unknown that was charged is found, and not charged again',
    { skip: !chargedThenUnknown },
    async () => {
      const [id, reference, tryKey] = [await charge(), await save(chargedThenUnknown ?? ''), key()]
      assert.equal((await confirm(id, reference, tryKey)).kind, 'unknown')
      assert.deepEqual(await gateway.findConfirmation({ gatewayChargeId: id, key: tryKey }), { kind: 'succeeded' })
      assert.deepEqual(await confirm(id, reference, tryKey), { kind: 'succeeded' })
      await isBooked(id, AMOUNT, 0)
    },
  )

  await t.test('an unknown that was not charged is found declined', { skip: !declinedThenUnknown }, async () => {
    const [id, reference, tryKey] = [await charge(), await save(declinedThenUnknown ?? ''), key()]
    assert.equal((await confirm(id, reference, tryKey)).kind, 'unknown')
    isDeclined(await gateway.findConfirmation({ gatewayChargeId: id, key: tryKey }), 'soft')
    await isBooked(id, 0, 0)
  })

  await t.test('a refund is made once a key, and is found by it', async () => {
    const id = await charge()
    await confirm(id, await save(tokens.ok))
    const request = { gatewayChargeId: id, key: key(), amount: 500 }
    assert.equal(await gateway.findRefund(request), null)
    const outcomes = await Promise.all([1, 2, 3].map(() => gateway.refund(request)))
    for (const outcome of outcomes) assert.deepEqual(outcome, { kind: 'succeeded' })
    assert.deepEqual(await gateway.findRefund(request), { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 500)
  })

  await t.test('refunds never exceed what was taken, also at once', async () => {
    const id = await charge()
    const refund = (amount: number) => gateway.refund({ gatewayChargeId: id, key: key(), amount })
    assert.equal((await refund(1)).kind, 'failed')
    await confirm(id, await save(tokens.ok))
    assert.equal((await refund(AMOUNT + 1)).kind, 'failed')
    const outcomes = await Promise.all([1000, 1000, 1000].map(refund))
    assert.deepEqual(outcomes.map(outcome => outcome.kind).sort(), ['failed', 'failed', 'succeeded'])
    assert.equal((await refund(AMOUNT - 1000)).kind, 'succeeded')
    assert.equal((await refund(1)).kind, 'failed')
    await isBooked(id, AMOUNT, AMOUNT)
  })
}
