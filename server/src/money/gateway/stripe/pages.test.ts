import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import Stripe from 'stripe'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/postgres.ts'
import { type FakeStripe, startStripe } from '../../../../test/support/stripe/server.ts'
import { type Database, openDatabase } from '../../../platform/db/db.ts'
import { type Gateway, GatewayUnreachable } from '../gateway.ts'
import { createStripe } from './stripe.ts'

const PAGE = 100
const NOW = new Date('2026-01-31T00:00:00Z')

let fresh: FreshDatabase
let db: Database
let stripe: FakeStripe
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url, maxConnections: 2 })
  stripe = await startStripe({ now: () => NOW })
})
after(async () => {
  await stripe?.close()
  await db?.close()
  await fresh?.drop()
})

function open(more: { httpClient?: Stripe.HttpClient; clock?: { now(): Date } } = {}): Gateway {
  const { url: apiBase, secretKey } = stripe
  const returnUrl = 'https://tillhook.example.com'
  return createStripe({ secretKey, apiBase, returnUrl, db, clock: { now: () => NOW }, ...more })
}

/** Charge objects of one business, oldest first by key. */
async function make(gateway: Gateway, { businessId, count }: { businessId: string; count: number }): Promise<string[]> {
  const keys = Array.from({ length: count }, () => randomUUID())
  for (const key of keys) {
    const metadata = { invoiceId: randomUUID(), businessId }
    await gateway.createCharge({ key, amount: 500, currency: 'USD', metadata })
  }
  return keys
}

test('each page of results has the rest of the time of the whole search', async () => {
  const [businessId, timeouts] = [randomUUID(), [] as number[]]
  const [oldest = ''] = await make(open(), { businessId, count: PAGE + 1 })
  const { http, passed } = slow(timeouts, 600)
  const gateway = open({ httpClient: http, clock: { now: () => new Date(NOW.getTime() + passed()) } })
  const find = (ms: number) => gateway.findCharge({ key: oldest, businessId, until: new Date(NOW.getTime() + ms) })
  assert.ok(await find(1_000))
  assert.deepEqual(timeouts, [1_000, 400])
  // 1,200 ms have passed: no time is left for the second page.
  await assert.rejects(find(1_500), GatewayUnreachable)
  assert.deepEqual(timeouts, [1_000, 400, 300])
})

test('a lost page of results is requested once more, and the listing continues', async () => {
  const [gateway, businessId] = [open(), randomUUID()]
  await make(gateway, { businessId, count: 1 })
  const list = () => gateway.listTouched({ since: new Date(0) })
  for (const kind of ['charges', 'refunds', 'disputes']) {
    const call = new RegExp(`GET /v1/${kind}$`)
    stripe.fail(call, '429')
    await list()
    stripe.fail(call, '500 before', 2)
    await assert.rejects(list(), GatewayUnreachable)
  }
})

/** A network with a fixed time per call. */
function slow(timeouts: number[], takesMs: number): { http: Stripe.HttpClient; passed(): number } {
  const http = Stripe.createNodeHttpClient()
  const makeRequest = http.makeRequest.bind(http)
  let ms = 0
  http.makeRequest = (...request) => {
    timeouts.push(request[7])
    ms += takesMs
    return makeRequest(...request)
  }
  return { http, passed: () => ms }
}
