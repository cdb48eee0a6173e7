import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { refundAtGateway } from '../../../test/support/sandbox-bench.ts'
import { createWorld, MASTER_KEY, type World } from '../../../test/support/world.ts'
import { eventSecretOf, signEvent } from '../gateway/sandbox/sandbox.ts'
import { applyEvents, purgeEvents } from './apply.ts'

const SECRET = eventSecretOf(MASTER_KEY)

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
})
after(() => world?.close())

async function post(event: { eventId: string; kind?: string; gatewayChargeId?: string }, secret = SECRET) {
  const { payload, headers } = signEvent({ kind: 'refunded', ...event }, secret)
  const type = { 'content-type': 'application/json' }
  const sent = { ...type, ...(headers as Record<string, string>) }
  const url = '/gateways/sandbox/events'
  return (await world.app.http.inject({ method: 'POST', url, payload: Buffer.from(payload), headers: sent })).statusCode
}

async function stored() {
  const rows = await world.app.ports.db.sql<{ eventId: string; isOpen: boolean }[]>`
    select event_id as "eventId", next_poll_at is not null as "isOpen" from gateway_events order by event_id`
  return [...rows]
}

test('a refund at the sandbox is applied by its event once, with any number of processes', async () => {
  const shop = await world.merchant()
  await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  const { db, clock } = world.app.ports
  const [object] = await db.sql<{ id: string }[]>`
    select gateway_charge_id as id from charge_objects where invoice_id = ${invoice?.invoiceId}`
  const gatewayChargeId = object?.id ?? ''
  await refundAtGateway({ db, clock }, { gatewayChargeId, id: randomUUID(), amount: 50 })
  const events = ['e1', 'e2', 'e1', 'e3'].map(eventId => ({ eventId, gatewayChargeId }))
  assert.deepEqual(await Promise.all(events.map(event => post(event))), [200, 200, 200, 200])
  const other = await world.openAnother()
  await Promise.all([applyEvents(world.app.ports), applyEvents(other.ports), applyEvents(world.app.ports)])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  assert.equal((await shop.invoices())[0]?.amountRefunded, 50)
  assert.deepEqual(
    await stored(),
    ['e1', 'e2', 'e3'].map(eventId => ({ eventId, isOpen: false })),
  )
})

test('an event with a wrong signature is rejected, and an event without an object is acknowledged and not stored', async () => {
  assert.equal(await post({ eventId: 'forged', gatewayChargeId: 'ch_1' }, 'another'), 400)
  assert.equal(await post({ eventId: 'nothing' }), 200)
  assert.ok((await stored()).every(({ eventId }) => eventId !== 'forged' && eventId !== 'nothing'))
})

test('signed events have no rate limit, also from an address of other callers, and wrong signatures get 400 and are limited by address', async () => {
  const slow = await createWorld({ at: '2026-01-01T00:00:00Z', limits: { ratePerAddress: 1, burstPerAddress: 2 } })
  const url = '/gateways/sandbox/events'
  const send = async (payload: string, secret: string, remoteAddress: string) => {
    const type = { 'content-type': 'application/json' }
    const { headers } = signEvent({ eventId: 'e', kind: 'charged' }, secret)
    const sent = { ...type, ...(headers as Record<string, string>) }
    return await slow.app.http.inject({ method: 'POST', url, payload, headers: sent, remoteAddress })
  }
  const good = Buffer.from(signEvent({ eventId: 'e', kind: 'charged' }, SECRET).payload).toString()
  try {
    const statuses = []
    for (const payload of [good, '{', good, '{'])
      statuses.push((await send(payload, 'another', '192.0.2.1')).statusCode)
    assert.deepEqual(statuses, [400, 400, 429, 429])
    const limited = await send(good, 'another', '192.0.2.1')
    assert.deepEqual([limited.json().code, limited.headers['retry-after']], ['TOO_MANY_REQUESTS', '1'])
    // All callers share the address of an untrusted proxy.
    for (let i = 0; i < 10; i++) assert.equal((await send(good, SECRET, '192.0.2.1')).statusCode, 200)
    assert.equal((await send(good, 'another', '192.0.2.2')).statusCode, 400)
    const large = await send(`"${' '.repeat(1024 * 1024)}"`, SECRET, '192.0.2.1')
    assert.equal(large.statusCode, 413)
  } finally {
    await slow.close()
  }
})

test('events are kept for 30 days', async () => {
  world.clock.set('2026-01-30T23:00:00Z')
  assert.equal(await purgeEvents(world.app.ports), 0)
  world.clock.set('2026-02-01T00:00:00Z')
  assert.equal(await purgeEvents(world.app.ports), 3)
  assert.deepEqual(await stored(), [])
})
