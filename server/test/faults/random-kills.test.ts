import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertBooksAgree } from './books.ts'
import { makeMerchant, makePlatform, makeTill, type Platform, subscribe } from './platform.ts'
import { openStand, type Stand } from './stand.ts'

const ROUNDS = 6
const MERCHANTS_A_ROUND = 5
const ORDERS_A_ROUND = 5
const [EARLIEST_MS, LATEST_MS] = [20, 300]
/** Longer than any lease, so that work of the killed processes is claimed at once. */
const PAST_LEASES_MS = 120_000

let stand: Stand
before(async () => {
  stand = await openStand()
})
after(() => stand?.close())

test('random kills lose nothing acknowledged, charge nothing twice and miss no event', async t => {
  await stand.startMain()
  const platform = await makePlatform(stand.client, stand.inbox)
  const openOrder = await makeTill(stand.client, platform)
  const subscribing: Promise<string>[] = []
  const ordering: Promise<string>[] = []
  const lives: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < MERCHANTS_A_ROUND; n++) subscribing.push(underWay(newSubscription(platform)))
    for (let n = 0; n < ORDERS_A_ROUND; n++) ordering.push(underWay(openOrder()))
    const lifeMs = Math.round(EARLIEST_MS + Math.random() * (LATEST_MS - EARLIEST_MS))
    lives.push(lifeMs)
    await wait(lifeMs)
    await stand.program().kill()
    await stand.startMain()
  }
  t.diagnostic(`killed after ${lives.join(', ')} ms`)
  const subscriptions = await Promise.all(subscribing)
  const orders = await Promise.all(ordering)
  await stand.program().kill()
  await stand.startAhead(PAST_LEASES_MS)
  await stand.settle()
  await assertBooksAgree(stand)

  // Each request was repeated until its response: exactly the requested resources exist.
  const { sql } = stand.db
  const kept = {
    subscriptions: (await sql<{ id: string }[]>`select subscription_id as id from subscriptions`).map(({ id }) => id),
    orders: (await sql<{ id: string }[]>`select order_id as id from orders`).map(({ id }) => id),
    invoiced: (await sql<{ id: string }[]>`select subscription_id as id from invoices`).map(({ id }) => id),
  }
  assert.deepEqual(kept.subscriptions.sort(), subscriptions.toSorted())
  assert.deepEqual(kept.invoiced.sort(), subscriptions.toSorted())
  assert.deepEqual(kept.orders.sort(), orders.toSorted())
})

/** Awaited at the end; catches rejections when the test fails earlier. */
function underWay<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

async function newSubscription(platform: Platform): Promise<string> {
  const businessId = await makeMerchant(stand.client)
  const { subscriptionId } = await subscribe(stand.client, platform, businessId)
  return subscriptionId
}
