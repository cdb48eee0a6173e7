import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { PostedEvent } from '../../../src/money/gateway/gateway.ts'
import { actsOn } from './bench.ts'
import type { ServiceOnBench } from './service.ts'

const DAY_MS = 86_400_000

/** Forged events, and events of charges unknown to the service or not committed yet. */
export async function strangeEventsConform(t: TestContext, service: ServiceOnBench): Promise<void> {
  const { bench, buy, post, applyEvents, pass, outcomeOf, keptOf } = service
  const { gateway, tokens } = bench

  await t.test('an event of an unknown charge is applied once without effect', async () => {
    const event = eventOf(bench.eventAbout, 'one_that_nobody_has')
    for (let n = 0; n < 2; n++) assert.equal(await post(event), 200)
    await applyEvents()
    assert.deepEqual(await keptOf('one_that_nobody_has'), { kept: 1, open: 0 })
  })

  await t.test('an event of a charge made by others has no effect', async () => {
    const bystander = await buy(tokens.ok)
    const before = await outcomeOf(bystander)
    const theirs = await actsOn(bench).paid(tokens.ok)
    for (const event of await eventsOf(theirs)) assert.equal(await post(event), 200)
    await applyEvents()
    assert.equal((await keptOf(theirs)).open, 0)
    assert.deepEqual(await outcomeOf(bystander), before)
  })

  await t.test(
    'an event before our own commit of its charge object waits, and is looked into when it is known',
    async () => {
      const expected = await outcomeOf(await buy(tokens.ok))
      const bought = await buy(tokens.ok, { loses: 'createCharge' })
      assert.equal(await post(eventOf(bench.eventAbout, bought.gatewayChargeId)), 200)
      await applyEvents()
      assert.deepEqual(await keptOf(bought.gatewayChargeId), { kept: 1, open: 1 })
      assert.equal((await outcomeOf(bought)).invoice.status, 'OPEN')
      // Within the 24 hours of a first payment.
      await pass(DAY_MS / 2)
      assert.deepEqual(await keptOf(bought.gatewayChargeId), { kept: 1, open: 0 })
      assert.deepEqual(await outcomeOf(bought), expected)
    },
  )

  for (const [how, sign] of [
    ['signed by another', bench.signedByAnother],
    ['signed too long ago', bench.signedLongAgo],
    ['changed on its way', bench.eventAbout && changed],
    ['not signed', bench.eventAbout && unsigned],
  ] as const) {
    await t.test(
      `an event that is ${how} is rejected and not stored; signed correctly, the event is stored`,
      { skip: !sign },
      async () => {
        const bought = await buy(tokens.ok, { loses: 'confirmCharge' })
        const { gatewayChargeId } = bought
        const before = await outcomeOf(bought)
        assert.equal(await post(eventOf(sign, gatewayChargeId)), 400)
        await applyEvents()
        assert.deepEqual(await keptOf(gatewayChargeId), { kept: 0, open: 0 })
        assert.deepEqual(await outcomeOf(bought), before)
        assert.equal(await post(eventOf(bench.eventAbout, gatewayChargeId)), 200)
        await applyEvents()
        assert.deepEqual((await outcomeOf(bought)).charges, ['SUCCEEDED'])
      },
    )
  }

  /** An event of another charge, edited to name this charge. */
  function changed(gatewayChargeId: string): PostedEvent {
    const { payload, headers } = eventOf(bench.eventAbout, 'another')
    const text = Buffer.from(payload).toString().replace('another', gatewayChargeId)
    return { payload: Buffer.from(text), headers }
  }

  function unsigned(gatewayChargeId: string): PostedEvent {
    return { ...eventOf(bench.eventAbout, gatewayChargeId), headers: {} }
  }

  async function eventsOf(gatewayChargeId: string): Promise<readonly PostedEvent[]> {
    const events = (await bench.eventsOf?.(gatewayChargeId)) ?? []
    assert.ok(events.every(event => gateway.readEvent(event)?.gatewayChargeId === gatewayChargeId))
    assert.ok(events.length > 0)
    return events
  }
}

function eventOf(make: ((gatewayChargeId: string) => PostedEvent) | undefined, gatewayChargeId: string): PostedEvent {
  const event = make?.(gatewayChargeId)
  assert.ok(event)
  return event
}
