import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { signHmacSha1, signStandardWebhook } from '../../src/core/signature.ts'
import { type Fleet, openFleet } from '../start/fleet.ts'
import { until } from '../start/program.ts'
import { makePlatform, makeTill } from './platform.ts'

const WAITING = 10_000
const A_REQUEST = 1_000
/** Deliveries received before each change. */
const BEFORE_A_CHANGE = 2_000
const WITHIN_MS = 180_000
/** The endpoint is slow while a change is awaited, so that deliveries are left for the new secret. */
const [QUICK_MS, SLOW_MS] = [2, 400]

interface Arrived {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

let fleet: Fleet
let endpoint: Server
const arrived: Arrived[] = []
let answerAfterMs = QUICK_MS
before(async () => {
  fleet = await openFleet()
  endpoint = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      arrived.push({ headers: request.headers, text: Buffer.concat(chunks).toString('utf8') })
      setTimeout(() => response.writeHead(200).end(), answerAfterMs)
    })
  }).listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
})
after(async () => {
  await fleet?.close()
  endpoint?.closeAllConnections()
  endpoint?.close()
})

test('after a change of secret while 10,000 deliveries wait, later attempts are signed with the new one, and with both during a rotation', async t => {
  const { client, db } = fleet
  const [first, second, third] = ['the first secret', 'the second secret', 'the third secret']
  await fleet.start('api')
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`
  const platform = await makePlatform(client, { url, secret: first })
  const [{ hookId } = { hookId: '' }] = await db.sql<{ hookId: string }[]>`select hook_id as "hookId" from hooks`
  await reportOrders(await (await makeTill(client, platform))())
  const [{ waiting } = { waiting: 0 }] = await db.sql<{ waiting: number }[]>`
    select count(*)::int as waiting from deliveries`
  assert.equal(waiting, WAITING)

  // The API process changes the secret, and another process sends.
  const worker = await fleet.start('worker')
  const untilTrue = (what: string, isTrue: () => boolean) => until(worker, what, WITHIN_MS, () => isTrue() || undefined)
  const change = async (method: string, path: string, secret: string) => {
    const from = arrived.length
    await untilTrue('delivers', () => arrived.length >= from + BEFORE_A_CHANGE)
    answerAfterMs = SLOW_MS
    const received = await client.send(method, path, { body: { secret } })
    assert.equal(received.status, 200, JSON.stringify(received.body))
    await untilTrue('signs with the new secret', () => arrived.slice(from).some(one => isSigned(one, secret)))
    answerAfterMs = QUICK_MS
  }
  await change('POST', `/hooks/${hookId}/rotate-secret`, second)
  await change('PATCH', `/hooks/${hookId}`, third)
  await until(worker, 'has delivered everything', WITHIN_MS, async () => {
    return (await db.sql`select 1 from deliveries limit 1`).length === 0 || undefined
  })

  const ids = new Set(arrived.map(({ headers }) => headers['webhook-id']))
  assert.equal(ids.size, WAITING)
  const signings = [
    { secret: first, valid: [first] },
    { secret: second, valid: [second, first] },
    { secret: third, valid: [third] },
  ].map(({ secret, valid }) => ({ valid, requests: arrived.filter(one => isSigned(one, secret)) }))
  const counts = signings.map(({ requests }) => requests.length)
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    arrived.length,
    'each request is signed with one of the three',
  )
  for (const [index, { valid, requests }] of signings.entries()) {
    for (const one of requests) assert.equal(one.headers['webhook-signature'], signaturesOf(one, valid))
    const changedAt = Math.min(...(signings[index + 1]?.requests ?? []).map(timestampOf))
    const late = requests.filter(one => timestampOf(one) > changedAt)
    assert.equal(late.length, 0, 'no attempt after the first with a new secret is signed with the one before')
  }
  t.diagnostic(`signed with the first, second and third secret: ${counts.join(', ')}`)
})

/** Events of the first order's till, until 10,000 deliveries wait. */
async function reportOrders(orderId: string): Promise<void> {
  const [till] = await fleet.db.sql<{ businessId: string; storeId: string; deviceId: string }[]>`
    select business_id as "businessId", store_id as "storeId", 'urn:tid:' || device_id as "deviceId"
    from orders where order_id = ${orderId}`
  for (let made = 1; made < WAITING; made += A_REQUEST) {
    const length = Math.min(A_REQUEST, WAITING - made)
    const events = Array.from({ length }, () => ({ id: v7(), eventType: 'ORDER_OPENED', orderId: v7(), ...till }))
    const { succeeded } = await fleet.client.post('/orders/events', { events })
    assert.equal(succeeded, length)
  }
}

function isSigned({ headers, text }: Arrived, secret: string): boolean {
  return headers['service-webhook-signature'] === signHmacSha1(secret, text)
}

function timestampOf({ headers }: Arrived): number {
  return Number(headers['webhook-timestamp'])
}

function signaturesOf(request: Arrived, secrets: readonly string[]): string {
  const id = String(request.headers['webhook-id'])
  return signStandardWebhook(secrets, { id, timestamp: timestampOf(request), body: request.text })
}
