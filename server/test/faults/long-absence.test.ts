import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isBack } from './away.ts'
import { assertBooksAgree } from './books.ts'
import { makeMerchant, makePlatform, makeTill, subscribe } from './platform.ts'
import { openStand, type Stand } from './stand.ts'
import { openWire, type Wire } from './wire.ts'

/** Longer than the leases of deliveries and charges. */
const AWAY_MS = 65_000
/** The real part of the outage; the service's clock skips the rest. TILLHOOK_TEST_AWAY_MS=65000 tests the whole minute in real time. */
const REAL_MS = Number(process.env.TILLHOOK_TEST_AWAY_MS ?? 1_500)
const DAY_MS = 86_400_000
const MERCHANTS = 12
const TILLS = 6
/** Orders of each till after the outage. */
const ORDERS_AFTERWARDS = 5

let wire: Wire
let stand: Stand
before(async () => {
  wire = await openWire()
  stand = await openStand(wire.through)
})
after(async () => {
  await stand?.close()
  await wire?.close()
})

test('after an outage longer than any lease, under load and renewals, work goes on without loss or double charge', async t => {
  await stand.startAhead(0)
  const { client } = stand
  const url = await stand.program().ready()
  const platform = await makePlatform(client, stand.inbox)
  const subscribed = await Promise.all(
    Array.from({ length: MERCHANTS }, async () => subscribe(client, platform, await makeMerchant(client))),
  )
  const tills = await Promise.all(Array.from({ length: TILLS }, () => makeTill(client, platform)))
  await stand.settle()

  const opened: string[] = []
  const back = Promise.withResolvers<void>()
  let isAway = true
  back.promise.then(() => {
    isAway = false
  })
  const selling = tills.map(async openOrder => {
    while (isAway) opened.push(await openOrder())
    for (let n = 0; n < ORDERS_AFTERWARDS; n++) opened.push(await openOrder())
  })
  // Awaited at the end; catches rejections when the test fails earlier.
  for (const till of selling) till.catch(() => {})

  // The outage begins during the renewal of all subscriptions.
  await stand.send({ aheadMs: DAY_MS })
  await until(() => opened.length >= TILLS)
  const before = opened.length
  await wire.cut('refused')
  client.serveNowhere()
  await wait(REAL_MS)
  await stand.send({ aheadMs: DAY_MS + Math.max(0, AWAY_MS - REAL_MS) })
  const during = opened.length
  await wire.restore()
  client.serveAt(url)
  await isBack(stand)
  back.resolve()
  await Promise.all(selling)
  await stand.settle()

  await assertBooksAgree(stand)
  const renewed = await stand.db.sql<{ id: string; paid: number }[]>`
    select subscription_id as id, count(*) filter (where status = 'PAID') as paid from invoices group by 1 order by 1`
  const expected = subscribed.map(({ subscriptionId }) => subscriptionId).sort()
  assert.deepEqual(
    renewed.map(({ id, paid }) => [id, paid]),
    expected.map(id => [id, 2]),
  )
  const orders = await stand.db.sql<{ id: string }[]>`select order_id as id from orders`
  assert.deepEqual(orders.map(({ id }) => id).sort(), opened.toSorted())
  const bugs = [...client.statuses].filter(status => status >= 400 && status !== 503 && status !== 409)
  assert.deepEqual(bugs, [], stand.program().stderr())
  assert.equal(stand.program().child.exitCode ?? stand.program().child.signalCode, null)
  t.diagnostic(`${before} orders before, ${during - before} answered while it went, ${opened.length} in all`)
})

async function until(isSo: () => boolean): Promise<void> {
  for (let look = 0; look < 3_000; look++) {
    if (isSo()) return
    await wait(20)
  }
  assert.fail('the tills open nothing')
}
