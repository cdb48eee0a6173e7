import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { actsOn, type GatewayOnBench } from './bench.ts'

const HOUR_MS = 3_600_000

/** Events and lists of the gateway. */
export async function hintsConform(t: TestContext, bench: GatewayOnBench, now: Date): Promise<void> {
  const { gateway, tokens, eventsOf } = bench
  const { charge, paid, save, confirm } = actsOn(bench)

  await t.test('charges and refunds since then are listed, and no others', async () => {
    const [taken, declined] = [await paid(tokens.ok), await charge()]
    await confirm(declined, await save(tokens.soft))
    const listed = await gateway.listTouched({ since: new Date(now.getTime() - HOUR_MS) })
    assert.ok(listed.includes(taken))
    assert.ok(!listed.includes(declined))
    const later = await gateway.listTouched({ since: new Date(now.getTime() + HOUR_MS) })
    assert.ok(!later.includes(taken))
  })

  await t.test('an event names its charge object, and a repeat has the same id', { skip: !eventsOf }, async () => {
    const id = await paid(tokens.ok)
    await bench.refundAtGateway(id, 100)
    const posted = (await eventsOf?.(id)) ?? []
    assert.ok(posted.length > 0)
    for (const one of posted) {
      const event = gateway.readEvent(one)
      assert.equal(event?.gatewayChargeId, id)
      assert.deepEqual(gateway.readEvent(one), event)
    }
    assert.equal(new Set(posted.map(one => gateway.readEvent(one)?.eventId)).size, posted.length)
  })

  await t.test('an unsigned or changed event is rejected', { skip: !eventsOf }, async () => {
    const id = await paid(tokens.ok)
    const [event] = (await eventsOf?.(id)) ?? []
    assert.ok(event)
    const changed = Buffer.from(Buffer.from(event.payload).toString().replace(id, `${id}x`))
    assert.equal(gateway.readEvent({ ...event, payload: changed }), null)
    assert.equal(gateway.readEvent({ ...event, headers: {} }), null)
    const forged = Object.fromEntries(Object.keys(event.headers).map(name => [name, 't=1,v1=00']))
    assert.equal(gateway.readEvent({ ...event, headers: forged }), null)
  })

  await t.test('an event signed by others is rejected', { skip: !bench.signedByAnother }, () => {
    const event = bench.signedByAnother?.('one')
    assert.ok(event)
    assert.equal(gateway.readEvent(event), null)
  })

  await t.test('an event signed too long ago is rejected', { skip: !bench.signedLongAgo }, () => {
    const event = bench.signedLongAgo?.('one')
    assert.ok(event)
    assert.equal(gateway.readEvent(event), null)
  })
}
