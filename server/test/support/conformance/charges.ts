import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { AMOUNT, actsOn, atOnce, type GatewayOnBench } from './bench.ts'

/** Saving, charging once, declines. */
export async function chargesConform(t: TestContext, bench: GatewayOnBench): Promise<void> {
  const { gateway, tokens, currency } = bench
  const { businessId, save, charge, confirm, isBooked, isDeclined } = actsOn(bench)

  await t.test('saving begins with a secret for the page', async () => {
    const begun = await gateway.beginPaymentMethod({ businessId, key: randomUUID() })
    assert.ok(begun.clientSecret.length > 0)
  })

  await t.test('a token is saved once per key, and a malformed token is null', async () => {
    const request = { businessId, token: tokens.ok, key: randomUUID() }
    const first = await gateway.savePaymentMethod(request)
    assert.ok(first && 'reference' in first && first.reference.length > 0 && first.label.length > 0)
    assert.deepEqual(await gateway.savePaymentMethod(request), first)
    assert.equal(await gateway.savePaymentMethod({ ...request, token: tokens.notAToken, key: randomUUID() }), null)
  })

  const { declinedAtSaving } = tokens
  await t.test('a payment method declined at saving answers the decline', { skip: !declinedAtSaving }, async () => {
    const token = declinedAtSaving ?? ''
    const declined = await gateway.savePaymentMethod({ businessId, token, key: randomUUID() })
    assert.ok(declined && 'declined' in declined)
  })

  await t.test('a charge object is created once per key, charges nothing, and is found by its key', async () => {
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

  await t.test('a repeated attempt, also concurrent, charges once with the same response', async () => {
    const [id, reference, key] = [await charge(), await save(tokens.ok), randomUUID()]
    const outcomes = await atOnce([1, 2, 3].map(() => confirm(id, reference, key)))
    assert.ok(outcomes.every(({ kind }) => kind === 'succeeded' || kind === 'unknown'))
    assert.deepEqual(await gateway.findConfirmation({ gatewayChargeId: id, key }), { kind: 'succeeded' })
    assert.deepEqual(await confirm(id, reference, key), { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a charge object succeeds at most once', async () => {
    const [id, reference] = [await charge(), await save(tokens.ok)]
    assert.deepEqual(await confirm(id, reference), { kind: 'succeeded' })
    for (const again of [reference, await save(tokens.ok), await save(tokens.soft)]) {
      assert.deepEqual(await confirm(id, again), { kind: 'succeeded' })
    }
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('one of several concurrent attempts charges', async () => {
    const [id, reference] = [await charge(), await save(tokens.ok)]
    await atOnce([1, 2, 3, 4].map(() => confirm(id, reference)))
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a declined charge object charges nothing and accepts another attempt', async () => {
    const [id, key] = [await charge(), randomUUID()]
    isDeclined(await confirm(id, await save(tokens.soft), key), 'soft')
    isDeclined(await gateway.findConfirmation({ gatewayChargeId: id, key }), 'soft')
    await isBooked(id, 0, 0)
    const reference = await save(tokens.ok)
    isDeclined(await confirm(id, reference, key), 'soft')
    assert.deepEqual(await confirm(id, reference), { kind: 'succeeded' })
    // The outcome of the first attempt stays.
    isDeclined(await gateway.findConfirmation({ gatewayChargeId: id, key }), 'soft')
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a hard decline is reported as hard', { skip: !tokens.hard }, async () => {
    const id = await charge()
    isDeclined(await confirm(id, await save(tokens.hard ?? '')), 'hard')
    await isBooked(id, 0, 0)
  })

  await t.test('an unknown attempt is null, also after a declined attempt', async () => {
    const id = await charge()
    assert.equal(await gateway.findConfirmation({ gatewayChargeId: id, key: randomUUID() }), null)
    await confirm(id, await save(tokens.soft))
    assert.equal(await gateway.findConfirmation({ gatewayChargeId: id, key: randomUUID() }), null)
  })
}
