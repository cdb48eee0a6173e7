import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type World } from '../../../test/support/world.ts'

const NEW_YEAR = '2031-01-01T00:00:00Z'

let world: World
before(async () => {
  // The service runs in real time, like recording.
  world = await createWorld()
})
after(() => world?.close())

test("charges, refunds, orders and their events use the clock's time, and recordings use real time", async () => {
  const began = new Date()
  const shop = await world.merchant({ at: NEW_YEAR })
  const path = `/businesses/${shop.businessId}`
  await world.call('POST', '/hooks', {
    applicationId: world.appId,
    deliveryUrl: 'http://127.0.0.1:9/orders',
    secret: 'secret',
    eventTypes: ['ORDER_OPENED', 'ORDER_COMPLETED'],
  })
  await world.call('POST', `${path}/approvals`, { appId: world.appId })
  const { storeId } = await world.call('POST', `${path}/stores`, { displayName: 'Corner' })
  const till = { name: 'Till', serialNumber: 'T-1' }
  const { deviceId } = await world.call('POST', `${path}/stores/${storeId}/devices`, till)

  await shop.subscribe(await world.plan())
  const order = await world.call('POST', `${path}/orders`, { storeId, deviceId, amount: 100, currency: 'USD' })
  await shop.until('2031-02-01T00:00:00Z')
  const completed = await world.call('PATCH', `${path}/orders/${order.orderId}`, { status: 'COMPLETED' })
  const [first] = await shop.invoices()
  await shop.refund(first?.invoiceId, { amount: 100 })

  assert.deepEqual([order.createdAt, completed.createdAt], [NEW_YEAR, NEW_YEAR])
  assert.equal(completed.updatedAt, '2031-02-01T00:00:00Z')
  assert.deepEqual(
    (await shop.invoices()).map(({ createdAt, attempts, refunds }) => [
      createdAt,
      attempts.map(({ at }: Json) => at),
      refunds.map((refund: Json) => refund.createdAt),
    ]),
    [
      [NEW_YEAR, [NEW_YEAR], ['2031-02-01T00:00:00Z']],
      ['2031-02-01T00:00:00Z', ['2031-02-01T00:00:00Z'], []],
    ],
  )

  const deliveriesIn = async (startAt: Date | string, endAt: Date | string) => {
    const range = new URLSearchParams({
      startAt: new Date(startAt).toISOString(),
      endAt: new Date(endAt).toISOString(),
    })
    const { deliveries } = await world.call('GET', `${path}/deliveries?limit=100&${range}`)
    return deliveries
      .map(({ eventType, createdAt, updatedAt }: Json) => `${eventType} ${createdAt} ${updatedAt}`)
      .sort()
  }
  const inAnHour = new Date(Date.now() + 3_600_000)
  const [start, later] = [`${NEW_YEAR} ${NEW_YEAR}`, '2031-02-01T00:00:00Z 2031-02-01T00:00:00Z']
  assert.deepEqual(await deliveriesIn(began, inAnHour), [
    `APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS ${start}`,
    `APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS ${later}`,
    `APPLICATION_SUBSCRIPTION_REFUND_SUCCESS ${later}`,
    `APPLICATION_SUBSCRIPTION_START ${start}`,
    `ORDER_COMPLETED ${later}`,
    `ORDER_OPENED ${start}`,
  ])
  assert.deepEqual(await deliveriesIn('2030-12-31T00:00:00Z', '2031-12-31T00:00:00Z'), [])
  const days = await world.app.ports.db.sql<{ day: string }[]>`
    select distinct recorded_day::text as day from notifications where business_id = ${shop.businessId}`
  for (const { day } of days) {
    assert.ok(day >= began.toISOString().slice(0, 10) && day <= inAnHour.toISOString().slice(0, 10), day)
  }
})
