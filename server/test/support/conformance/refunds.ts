import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { AMOUNT, actsOn, atOnce, type GatewayOnBench } from './bench.ts'

/** Refunds and the gateway's books. */
export async function refundsConform(t: TestContext, bench: GatewayOnBench, now: Date): Promise<void> {
  const { gateway, tokens, currency, finish } = bench
  const { charge, paid, refund, isBooked } = actsOn(bench)

  await t.test('a refund is made once per key and found by its key', async () => {
    const [id, key] = [await paid(tokens.ok), randomUUID()]
    assert.equal(await gateway.findRefund({ gatewayChargeId: id, key }), null)
    const outcomes = await atOnce([1, 2, 3].map(() => refund(id, 500, key)))
    assert.ok(outcomes.every(({ kind }) => kind === 'succeeded' || kind === 'unknown'))
    assert.deepEqual(await refund(id, 500, key), { kind: 'succeeded' })
    assert.deepEqual(await gateway.findRefund({ gatewayChargeId: id, key }), { kind: 'succeeded' })
    await isBooked(id, AMOUNT, 500)
  })

  await t.test('refunds never exceed the charge, also concurrently', async () => {
    const unpaid = await charge()
    assert.equal((await refund(unpaid, 1)).kind, 'failed')
    const id = await paid(tokens.ok)
    assert.equal((await refund(id, AMOUNT + 1)).kind, 'failed')
    const outcomes = await atOnce([1000, 1000, 1000].map(amount => refund(id, amount)))
    assert.equal(outcomes.filter(({ kind }) => kind === 'succeeded').length, 1)
    assert.equal((await refund(id, AMOUNT - 1000)).kind, 'succeeded')
    assert.equal((await refund(id, 1)).kind, 'failed')
    await isBooked(id, AMOUNT, AMOUNT)
  })

  const { refundFails = '' } = tokens
  await t.test('a failed refund returns nothing and is reported', { skip: !refundFails }, async () => {
    const [id, key] = [await paid(refundFails), randomUUID()]
    const first = await refund(id, 500, key)
    if (first.kind !== 'failed') await finish?.({ gatewayChargeId: id, key }, 'fails')
    assert.equal((await gateway.findRefund({ gatewayChargeId: id, key }))?.kind, 'failed')
    const money = await gateway.findMoney(id)
    assert.deepEqual(
      money?.refunds.map(({ outcome }) => outcome.kind),
      ['failed'],
    )
    await isBooked(id, AMOUNT, 0)
  })

  const { refundPending = '' } = tokens
  await t.test(
    'a refund that is pending succeeds when the gateway says so',
    { skip: !refundPending || !finish },
    async () => {
      const [id, key] = [await paid(refundPending), randomUUID()]
      assert.deepEqual(await refund(id, 500, key), { kind: 'pending' })
      await finish?.({ gatewayChargeId: id, key }, 'succeeds')
      assert.deepEqual(await gateway.findRefund({ gatewayChargeId: id, key }), { kind: 'succeeded' })
      await isBooked(id, AMOUNT, 500)
    },
  )

  await t.test('the books list every refund: ours by key, and those made at the gateway', async () => {
    const [id, key] = [await paid(tokens.ok), randomUUID()]
    await refund(id, 500, key)
    await bench.refundAtGateway(id, 300)
    const money = await gateway.findMoney(id)
    assert.ok(money)
    assert.deepEqual([money.charged, money.currency, money.disputes], [AMOUNT, currency, []])
    const found = money.refunds.map(one => [one.key, one.amount, one.outcome.kind])
    assert.deepEqual(
      found.sort((a, b) => Number(a[1]) - Number(b[1])),
      [
        [undefined, 300, 'succeeded'],
        [key, 500, 'succeeded'],
      ],
    )
    assert.equal(new Set(money.refunds.map(one => one.gatewayRefundId)).size, 2)
    await isBooked(id, AMOUNT, 800)
  })

  await t.test(
    'the ledger records the result of a dispute, and no refund pays back what the bank took',
    { skip: !bench.dispute },
    async () => {
      const id = await paid(tokens.ok)
      const ids = new Set<string>()
      for (const status of ['open', 'lost', 'won'] as const) {
        await bench.dispute?.(id, status)
        const [dispute, ...others] = (await gateway.findMoney(id))?.disputes ?? []
        assert.deepEqual([dispute?.amount, dispute?.status, others], [AMOUNT, status, []])
        ids.add(dispute?.gatewayDisputeId ?? '')
        if (status !== 'won') assert.equal((await refund(id, 1)).kind, 'failed')
        await isBooked(id, AMOUNT, 0)
      }
      assert.equal(ids.size, 1)
      assert.ok((await gateway.listTouched({ since: new Date(now.getTime() - 3_600_000) })).includes(id))
    },
  )

  await t.test('a dispute takes evidence once, before the decision', { skip: !bench.dispute }, async () => {
    const id = await paid(tokens.ok)
    await bench.dispute?.(id, 'open')
    const [dispute] = (await gateway.findMoney(id))?.disputes ?? []
    assert.ok(dispute?.evidenceDueAt !== undefined && dispute.evidenceDueAt > dispute.beganAt)
    const send = (uncategorizedText: string, key: string) => {
      const evidence = { productDescription: 'A till', customerCommunication: 'They use the till.', uncategorizedText }
      return gateway.sendEvidence({ gatewayDisputeId: dispute.gatewayDisputeId, key, evidence })
    }
    const [first, second] = [randomUUID(), randomUUID()]
    assert.deepEqual(await send('Bought in person', first), { kind: 'sent' })
    assert.deepEqual(await send('Bought in person', first), { kind: 'sent' })
    // The life of a key is over.
    assert.deepEqual(await send('Bought in person', second), { kind: 'sent' })
    assert.ok('declined' in (await send('Bought by mail', randomUUID())))
    assert.equal((await gateway.findMoney(id))?.disputes[0]?.status, 'open')
    await bench.dispute?.(id, 'won')
    assert.ok('declined' in (await send('Bought by mail', randomUUID())))
  })

  await t.test('an uncharged object has an amount of 0 in the books, and an unknown object is null', async () => {
    const id = await charge()
    assert.deepEqual([(await gateway.findMoney(id))?.charged, (await gateway.findMoney(id))?.refunds], [0, []])
    assert.equal(await gateway.findMoney(`${id}0`), null)
  })
}
