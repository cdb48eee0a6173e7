import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { until } from '../start/program.ts'
import { assertDelivered } from './books.ts'
import type { Place } from './crash-places.ts'
import { makePlatform, makeTill, type Platform } from './platform.ts'
import { openStand, type Stand } from './stand.ts'

const AT_ONCE = 30
const DIES_WITHIN_MS = 60_000

let stand: Stand
let platform: Platform
before(async () => {
  stand = await openStand()
  await stand.startAhead(0)
  platform = await makePlatform(stand.client, stand.inbox)
})
after(() => stand?.close())

async function dieAndRestart(): Promise<void> {
  const killed = stand.program()
  await until(killed, 'is killed at that place', DIES_WITHIN_MS, () => killed.child.signalCode ?? undefined, {
    alsoWhenEnded: true,
  })
  await stand.startAhead(0)
}

async function assertOpenedOnce(orderIds: readonly string[], before: number): Promise<void> {
  assert.equal(new Set(orderIds).size, orderIds.length)
  const [row] = await stand.db.sql<{ orders: number; entries: number; notifications: number }[]>`
    select (select count(*)::int from orders) as orders,
      (select count(*)::int from audit_entries where kind = 'ORDER') as entries,
      (select count(*)::int from notifications where event_type = 'ORDER_OPENED') as notifications`
  const expected = before + orderIds.length
  assert.deepEqual({ ...row }, { orders: expected, entries: expected, notifications: expected })
  await stand.settle()
  await assertDelivered(stand.db.sql, stand.inbox)
}

async function countOrders(): Promise<number> {
  const [row] = await stand.db.sql<{ count: number }[]>`select count(*)::int as count from orders`
  return row?.count ?? 0
}

for (const place of ['before the commit of a request', 'after the commit of a request'] satisfies Place[]) {
  test(`after a kill -9 ${place} of a group of orders, repeated requests open each order once`, async () => {
    const open = await makeTill(stand.client, platform)
    const before = await countOrders()
    await stand.send({ dieAt: place })
    const opening = Promise.all(Array.from({ length: AT_ONCE }, open))
    opening.catch(() => {})
    await dieAndRestart()
    await assertOpenedOnce(await opening, before)
  })

  test(`after a kill -9 ${place} of a bulk request, a repeated request applies each event once`, async () => {
    const open = await makeTill(stand.client, platform)
    const first = await open()
    const before = await countOrders()
    const [till] = await stand.db.sql<{ businessId: string; storeId: string; deviceId: string }[]>`
      select business_id as "businessId", store_id as "storeId", 'urn:tid:' || device_id as "deviceId"
      from orders where order_id = ${first}`
    const events = Array.from({ length: 250 }, () => ({ id: v7(), eventType: 'ORDER_OPENED', orderId: v7(), ...till }))
    await stand.send({ dieAt: place })
    const reporting = stand.client.post('/orders/events', { events })
    reporting.catch(() => {})
    await dieAndRestart()
    const { succeeded, failed } = await reporting
    assert.deepEqual([succeeded, failed], [250, 0])
    await assertOpenedOnce(
      events.map(({ orderId }) => orderId),
      before,
    )
  })
}
