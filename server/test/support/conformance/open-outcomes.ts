import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { AMOUNT, actsOn, type GatewayOnBench } from './bench.ts'

/** Unknown and open outcomes. */
export async function openOutcomesConform(t: TestContext, bench: GatewayOnBench): Promise<void> {
  const { gateway, tokens, lose, finish } = bench
  const { save, charge, confirm, isBooked, isDeclined } = actsOn(bench)
  const { chargedThenUnknown = '', declinedThenUnknown = '' } = tokens

  await t.test(
    'an unknown that was charged is found, and not charged again',
    { skip: !chargedThenUnknown },
    async () => {
      const [id, reference, key] = [await charge(), await save(chargedThenUnknown), randomUUID()]
      assert.equal((await confirm(id, reference, key)).kind, 'unknown')
      assert.deepEqual(await gateway.findConfirmation({ gatewayChargeId: id, key }), { kind: 'succeeded' })
      assert.deepEqual(await confirm(id, reference, key), { kind: 'succeeded' })
      await isBooked(id, AMOUNT, 0)
    },
  )

  await t.test('an unknown decline is found by a poll', { skip: !declinedThenUnknown }, async () => {
    const [id, reference, key] = [await charge(), await save(declinedThenUnknown), randomUUID()]
    assert.equal((await confirm(id, reference, key)).kind, 'unknown')
    isDeclined(await gateway.findConfirmation({ gatewayChargeId: id, key }), 'soft')
    await isBooked(id, 0, 0)
  })

  await t.test('a lost response is unknown, and the charge is found', { skip: !lose }, async () => {
    const [id, reference, key] = [await charge(), await save(tokens.ok), randomUUID()]
    lose?.('answer')
    assert.equal((await confirm(id, reference, key)).kind, 'unknown')
    assert.deepEqual(await gateway.findConfirmation({ gatewayChargeId: id, key }), { kind: 'succeeded' })
    assert.deepEqual(await confirm(id, reference, key), { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 0)
  })

  await t.test('a lost request is unknown without effect and can be repeated', { skip: !lose }, async () => {
    const [id, reference, key] = [await charge(), await save(tokens.ok), randomUUID()]
    lose?.('request')
    assert.equal((await confirm(id, reference, key)).kind, 'unknown')
    assert.equal(await gateway.findConfirmation({ gatewayChargeId: id, key }), null)
    await isBooked(id, 0, 0)
    assert.deepEqual(await confirm(id, reference, key), { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 0)
  })

  await t.test(
    'what waits for the payer is cancelled, twice as once, and takes nothing',
    { skip: !tokens.actionRequired },
    async () => {
      const [id, reference, key] = [await charge(), await save(tokens.actionRequired ?? ''), randomUUID()]
      assert.equal((await confirm(id, reference, key)).kind, 'actionRequired')
      for (let n = 0; n < 2; n++) isDeclined(await gateway.cancelCharge({ gatewayChargeId: id, key }), 'hard')
      isDeclined(await gateway.findConfirmation({ gatewayChargeId: id, key }), 'hard')
      await isBooked(id, 0, 0)
    },
  )

  await t.test('a charge paid before its cancellation stays paid', async () => {
    const [id, reference, key] = [await charge(), await save(tokens.ok), randomUUID()]
    assert.equal((await confirm(id, reference, key)).kind, 'succeeded')
    assert.deepEqual(await gateway.cancelCharge({ gatewayChargeId: id, key }), { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 0)
  })

  for (const [kind, token] of [
    ['pending', tokens.pending],
    ['actionRequired', tokens.actionRequired],
  ] as const) {
    for (const [ends, charged] of [
      ['succeeds', AMOUNT],
      ['fails', 0],
    ] as const) {
      await t.test(
        `what is ${kind} waits, and ${ends} when the gateway says so`,
        { skip: !token || !finish },
        async () => {
          const [id, reference, key] = [await charge(), await save(token ?? ''), randomUUID()]
          const first = await confirm(id, reference, key)
          assert.equal(first.kind, kind)
          if (first.kind === 'actionRequired') assert.match(first.url, /^https?:/)
          assert.equal((await gateway.findConfirmation({ gatewayChargeId: id, key }))?.kind, kind)
          await isBooked(id, 0, 0)
          await finish?.({ gatewayChargeId: id, key }, ends)
          const found = await gateway.findConfirmation({ gatewayChargeId: id, key })
          if (ends === 'succeeds') assert.deepEqual(found, { kind: 'succeeded' })
          else isDeclined(found, 'soft')
          await isBooked(id, charged, 0)
        },
      )
    }
  }
}
