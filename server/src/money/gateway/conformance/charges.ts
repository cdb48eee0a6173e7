import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { AMOUNT, actsOn, atOnce, type GatewayOnBench } from './bench.ts'

/** Saving, charging once, and being declined. */
export async function chargesConform(t: TestContext, bench: GatewayOnBench): Promise<void> {
  const { gateway, tokens, currency } = bench
  const { businessId, save, charge, confirm, isBooked, isDeclined } = actsOn(bench)

  await t.test('a payment method is begun with a secret for the page', async () => {
    const begun = await gateway.beginPaymentMethod({ businessId, key: randomUUID() })
    assert.ok(begun.clientSecret.length > 0)
  })

  await t.test('a token is saved once a key, and what is no token is null', async () => {
    const request = { businessId, token: tokens.ok, key: randomUUID() }
    const first = await gateway.savePaymentMethod(request)
    assert.ok(first && 'reference' in first && first.reference.length > 0 && first.label.length > 0)
    assert.deepEqual(await gateway.savePaymentMethod(request), first)
    assert.equal(await gateway.savePaymentMethod({ ...request, token: tokens.notAToken, key: randomUUID() }), null)
  })

  const { declinedAtSaving } = tokens
  await t.test('a payment method that is declined when saved is refused', { skip: !declinedAtSaving }, async () => {
    const token = declinedAtSaving ?? ''
    const refused = await gateway.savePaymentMethod({ businessId, token, key: randomUUID() })
    assert.ok(refused && 'refused' in refused)
  })

  await t.test('a charge object is made once a key, takes nothing, and is found by its key', async () => {
    const key = randomUUID()
    const request = { key, amount: AMOUNT, currency, metadata: { invoiceId: randomUUID(), businessId } }
    const made = [
      ...(await atOnce([1, 2, 3].map(() => gateway.createCharge(request)))),
      await gateway.createCharge(request),
    ]
    assert.equal(new Set(made.map(one => JSON.stringify(one))).size, 1)
    assert.deepEqual(await gateway.findCharge({ key, businessId }), made[0])
    assert.equal(await gateway.findCharge({ key: randomUUID(), businessId }), null)
  })

  await t.test('the same try again, also at once, takes the money once and gives the same answer', async () => {
    const [id, reference, key] = [await charge(), await save(tokens.ok), randomUUID()]
    const outcomes = await atOnce([1, 2, 3].map(() => confirm(id, reference, key)))
    assert.ok(outcomes.every(({ kind }) => kind === 'succeeded' || kind === 'unknown'))
    assert.deepEqual(await gateway.findConfirmation({ gatewayChargeId: id, key }), { kind: 'succeeded' })
    assert.deepEqual(await confirm(id, reference, key), { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a charge object succeeds at most once, whoever tries again with whatever', async () => {
    const [id, reference] = [await charge(), await save(tokens.ok)]
    assert.deepEqual(await confirm(id, reference), { kind: 'succeeded' })
    for (const again of [reference, await save(tokens.ok), await save(tokens.soft)]) {
      assert.deepEqual(await confirm(id, again), { kind: 'succeeded' })
    }
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('of different tries at once one takes the money', async () => {
    const [id, reference] = [await charge(), await save(tokens.ok)]
    await atOnce([1, 2, 3, 4].map(() => confirm(id, reference)))
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a declined charge object takes nothing, and can be tried again', async () => {
    const [id, key] = [await charge(), randomUUID()]
    isDeclined(await confirm(id, await save(tokens.soft), key), 'soft')
    isDeclined(await gateway.findConfirmation({ gatewayChargeId: id, key }), 'soft')
    await isBooked(id, 0, 0)
    const reference = await save(tokens.ok)
    isDeclined(await confirm(id, reference, key), 'soft')
    assert.deepEqual(await confirm(id, reference), { kind: 'succeeded' })
    // What became of the first try stands, whatever came after.
    isDeclined(await gateway.findConfirmation({ gatewayChargeId: id, key }), 'soft')
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a decline says that it is hard', { skip: !tokens.hard }, async () => {
    const id = await charge()
    isDeclined(await confirm(id, await save(tokens.hard ?? '')), 'hard')
    await isBooked(id, 0, 0)
  })

  await t.test('a try that the gateway never saw is null, also after another was declined', async () => {
    const id = await charge()
    assert.equal(await gateway.findConfirmation({ gatewayChargeId: id, key: randomUUID() }), null)
    await confirm(id, await save(tokens.soft))
    assert.equal(await gateway.findConfirmation({ gatewayChargeId: id, key: randomUUID() }), null)
  })
}
