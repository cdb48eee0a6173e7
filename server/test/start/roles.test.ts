import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { SignJWT } from 'jose'
import { assertBooksAgree } from '../faults/books.ts'
import { makeMerchant, makePlatform, makeTill, type Platform, subscribe } from '../faults/platform.ts'
import { type Fleet, openFleet } from './fleet.ts'
import { type Program, until } from './program.ts'

/** Decisions and design: the lease of a charge, and how far clocks may be apart. */
const [CHARGE_LEASE_MS, SKEW_MS] = [60_000, 5_000]
/** Far enough ahead that the work of a killed process is due at once. */
const PAST_LEASES_MS = 120_000
const WITHIN_MS = 60_000

let fleet: Fleet
let api: Program
let platform: Platform
before(async () => {
  fleet = await openFleet()
  // The API's clock is behind, so its records are due at once for the workers.
  api = await fleet.start('api', { clockAheadMs: SKEW_MS })
  platform = await makePlatform(fleet.client, fleet.inbox)
})
after(() => fleet?.close())

test('an api process only records work, and a worker does the work and serves only its health', async () => {
  const { client, inbox, db } = fleet
  const businessId = await makeMerchant(client)
  await subscribe(client, platform, businessId)
  const [invoice] = (await client.get(`/businesses/${businessId}/invoices`)).list
  assert.equal(invoice.status, 'OPEN')
  const owned = await db.sql`select 1 from delivery_shards where owner is not null`
  assert.deepEqual([owned.length, inbox.received.size], [0, 0], 'an api process sends nothing')

  const worker = await fleet.start('worker')
  await fleet.settle(worker)
  assert.equal((await client.get(`/businesses/${businessId}/invoices`)).list[0].status, 'PAID')
  assert.equal(inbox.received.size, 2)

  const url = await worker.ready()
  const { operatorKey } = fleet
  const open = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${operatorKey}` } })
  const statusOf = async (path: string) => (await open(path)).status
  assert.deepEqual(await Promise.all(['/healthz', '/readyz', '/metrics'].map(statusOf)), [200, 200, 200])
  assert.deepEqual(await Promise.all(['/organizations', '/token', '/docs'].map(statusOf)), [404, 404, 404])
  const metrics = await (await open('/metrics')).text()
  assert.match(metrics, /^tillhook_build_info\{version="[^"]+",role="worker"\} 1$/m)
  assert.match(metrics, /^tillhook_charges_total\{outcome="SUCCEEDED"\} 1$/m)
  await stops(worker)
})

test('with clocks that differ by 10 s, two workers send and charge everything exactly once', async () => {
  const earlier = new Set(fleet.inbox.received.keys())
  const behind = await fleet.start('worker', { clockAheadMs: -SKEW_MS })
  const ahead = await fleet.start('worker', { clockAheadMs: SKEW_MS })
  await Promise.all(load(await makeTill(fleet.client, platform)))
  const kept = await fleet.settle(ahead, SKEW_MS)
  await assertBooksAgree(kept)
  const twice = [...fleet.inbox.received].filter(([id, bodies]) => !earlier.has(id) && bodies.length > 1)
  assert.deepEqual(twice, [])
  await Promise.all([stops(behind), stops(ahead)])
})

test('a worker killed under load loses nothing, and another worker takes its shards after the lease', async () => {
  const { db, inbox } = fleet
  const killed = await fleet.start('worker')
  const other = await fleet.start('worker', { clockAheadMs: SKEW_MS })
  const held: ServerResponse[] = []
  inbox.answerWith(response => held.push(response))
  const working = load(await makeTill(fleet.client, platform))
  await until(other, 'posts', WITHIN_MS, () => held.length >= 8 || undefined)
  await killed.kill()
  const killedAt = Date.now()
  inbox.answerWith(response => response.writeHead(200).end())
  for (const response of held) response.writeHead(200).end()
  await Promise.all(working)

  // The other one does all that it can see; what is left is the killed one's.
  const free = async () => {
    const rows = await db.sql`
      select 1 from deliveries
      union all
      select 1 from charges where settled_at is null
        and (next_poll_at <= ${new Date()} or next_poll_at > ${new Date(killedAt + CHARGE_LEASE_MS)})`
    return rows.length === 0 || undefined
  }
  await until(other, 'has done what nobody holds', WITHIN_MS, free)
  await stops(other)

  const next = await fleet.start('worker', { clockAheadMs: PAST_LEASES_MS })
  await assertBooksAgree(await fleet.settle(next, PAST_LEASES_MS))
  await stops(next)
  await stops(api)
})

test('a stop finishes the attempts in progress, releases its leases, and records each attempt', async () => {
  const { db, inbox } = fleet
  api = await fleet.start('api')
  const worker = await fleet.start('worker')
  const openOrder = await makeTill(fleet.client, platform)
  const held: ServerResponse[] = []
  const before = new Set(inbox.received.keys())
  inbox.answerWith(response => held.push(response))
  await openOrder()
  await until(worker, 'posts', WITHIN_MS, () => held.length > 0 || undefined)
  worker.child.kill('SIGTERM')
  inbox.answerWith(response => response.writeHead(200).end())
  for (const response of held) response.writeHead(200).end()
  assert.equal(await worker.ended(), 0, worker.stderr())
  assert.equal((await db.sql`select 1 from delivery_shards where owner is not null`).length, 0)
  const made = [...inbox.received].filter(([id]) => !before.has(id)).map(([id, bodies]) => [id, bodies.length] as const)
  const recorded = await db.sql<{ id: string; attempts: number }[]>`
    select notification_id as id, count(*) as attempts from attempts
    where notification_id = any(${made.map(([id]) => id)}::uuid[]) group by notification_id`
  assert.deepEqual(new Map(recorded.map(({ id, attempts }) => [id, attempts])), new Map(made))
  await stops(api)
})

test('a token revoked at one api process is rejected by another that had accepted it', async () => {
  const { client, inbox } = fleet
  const [here, there] = [await fleet.start('api'), await fleet.start('api')]
  const { organizationId } = await client.post('/organizations', { name: 'Revoker', email: 'dev@revoker.example' })
  const named = { organizationId, name: 'Revoker', packageName: 'com.example.revoker' }
  const { appId, kid, privateKey } = await client.post('/apps', named)
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(appId)
    .setSubject(appId)
    .setAudience('http://tillhook.test')
    .setIssuedAt()
    .setExpirationTime('1h')
    .setJti(inbox.secret)
    .sign(createPrivateKey(privateKey))
  const form = (url: string, path: string, fields: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const issued = await form(await here.ready(), '/token', { grantType, assertion })
  assert.equal(issued.status, 200)
  const { accessToken } = (await issued.json()) as { accessToken: string }

  const url = await there.ready()
  const statusThere = async () => {
    const answer = await fetch(`${url}/apps/${appId}/plans`, { headers: { authorization: `Bearer ${accessToken}` } })
    await answer.text()
    return answer.status
  }
  assert.equal(await statusThere(), 200)
  assert.equal((await form(await here.ready(), '/token/revoke', { token: accessToken })).status, 200)
  await until(there, 'rejects the token', WITHIN_MS, async () => (await statusThere()) === 401 || undefined)
  await Promise.all([stops(here), stops(there)])
})

/** Subscriptions and orders, all at once; each is repeated until it is answered. */
function load(openOrder: () => Promise<string>): Promise<unknown>[] {
  const subscribing = Array.from({ length: 8 }, async () => {
    await subscribe(fleet.client, platform, await makeMerchant(fleet.client))
  })
  const ordering = Array.from({ length: 24 }, () => openOrder())
  const all = [...subscribing, ...ordering]
  // Awaited by the test, which may fail before it does.
  for (const one of all) one.catch(() => {})
  return all
}

async function stops(program: Program): Promise<void> {
  program.child.kill('SIGTERM')
  assert.equal(await program.ended(), 0, program.stderr())
}
