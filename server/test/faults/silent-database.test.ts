import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openDatabase } from '../../src/platform/db/db.ts'
import { isDatabaseUnavailable } from '../../src/platform/db/unavailable.ts'
import { freshDatabase } from '../support/postgres.ts'
import { assertAway, isBack } from './away.ts'
import { assertBooksAgree } from './books.ts'
import { makeMerchant, makePlatform, makeTill, type Platform, subscribe } from './platform.ts'
import { openStand, type Stand } from './stand.ts'
import { openWire, type Wire } from './wire.ts'

let wire: Wire
let stand: Stand
let platform: Platform
before(async () => {
  wire = await openWire()
  stand = await openStand(wire.through, { settings: { TILLHOOK_DATABASE_TIMEOUT: '2' } })
  await stand.startMain()
  platform = await makePlatform(stand.client, stand.inbox)
})
after(async () => {
  await stand?.close()
  await wire?.close()
})

test('a database that accepts connections and never answers is unavailable: 503 for every request until it answers', async () => {
  const { client } = stand
  const openOrder = await makeTill(client, platform)
  const businessId = await makeMerchant(client)
  const { subscriptionId } = await subscribe(client, platform, businessId)
  // No job holds leased work.
  await stand.settle()
  const key = { 'idempotency-key': randomUUID() }
  const body = { legalName: 'Late', emailAddress: 'late@example.com', country: 'US', type: 'MERCHANT' }
  const subscriptions = `/apps/${platform.appId}/subscriptions`
  const requests = [
    ['GET', `/apps/${platform.appId}/plans`, {}, 200],
    ['GET', subscriptions, {}, 200],
    ['POST', '/businesses', { body, headers: key }, 201],
    ['DELETE', `${subscriptions}/${subscriptionId}`, {}, 200],
  ] as const
  wire.silence()
  // More requests than connections: waiting requests are answered as well.
  const ask = () => Promise.all([...requests, ...requests, ...requests, ...requests, ...requests].map(send))
  for (const received of await ask()) assertAway(received, 'on connections from before')
  for (const received of await ask()) assertAway(received, 'on new connections')
  const health = await client.send('GET', '/healthz')
  assert.deepEqual([health.status, health.body.database], [200, 'down'])
  assert.equal((await client.send('GET', '/readyz')).status, 503)

  await wire.restore()
  await isBack(stand)
  for (const request of requests) {
    const received = await send(request)
    assert.equal(received.status, request[3], `${request[0]} ${request[1]}: ${JSON.stringify(received.body)}`)
  }
  await openOrder()
  await subscribe(client, platform, await makeMerchant(client))
  await stand.settle()
  await assertBooksAgree(stand)

  function send([method, path, options]: (typeof requests)[number]) {
    return client.send(method, path, options)
  }
})

test('a transaction ends when the database falls silent before, during or at its end, and the next transaction works', async () => {
  const fresh = await freshDatabase()
  const between = await openWire()
  try {
    const db = openDatabase({ url: between.through(fresh.url), maxConnections: 1, answerWithinMs: 1_000 })
    for (const at of ['begin', 'statement', 'end'] as const) {
      await db.sql`select 1`
      if (at === 'begin') between.silence()
      const work = db.transaction(async ({ sql }) => {
        await sql`select 1`
        if (at === 'statement') between.silence()
        await sql`select 2`
        if (at === 'end') between.silence()
      })
      await assert.rejects(work, isDatabaseUnavailable, at)
      await between.restore()
      await db.transaction(({ sql }) => sql`select 3`)
    }
    await db.close()
  } finally {
    await between.close()
    await fresh.drop()
  }
})

test('an unreachable transaction releases its locks', async () => {
  const fresh = await freshDatabase()
  const between = await openWire()
  const other = openDatabase({ url: fresh.url, maxConnections: 1 })
  const db = openDatabase({ url: between.through(fresh.url), maxConnections: 1, answerWithinMs: 1_000 })
  try {
    const lost = db.transaction(async ({ sql }) => {
      await sql`select pg_advisory_xact_lock(1)`
      between.silence()
      await sql`select 1`
    })
    await assert.rejects(lost, isDatabaseUnavailable)
    await other.transaction(({ sql }) => sql`select pg_advisory_xact_lock(1)`)
  } finally {
    await between.close()
    await db.close()
    await other.close()
    await fresh.drop()
  }
})

test('a slow statement fails as unavailable, and its connection stays usable', async () => {
  const fresh = await freshDatabase()
  const db = openDatabase({ url: fresh.url, maxConnections: 1, answerWithinMs: 1_000 })
  try {
    const [before] = await db.sql`select pg_backend_pid() as pid`
    await assert.rejects(db.sql`select pg_sleep(60)`, isDatabaseUnavailable)
    await assert.rejects(
      db.transaction(({ sql }) => sql`select pg_sleep(60)`),
      isDatabaseUnavailable,
    )
    const [later] = await db.sql`select pg_backend_pid() as pid`
    assert.equal(later?.pid, before?.pid)
  } finally {
    await db.close()
    await fresh.drop()
  }
})
