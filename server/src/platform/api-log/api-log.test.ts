import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { v7 } from 'uuid'
import { newPerson } from '../../../test/support/people.ts'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { maintainApiLog } from './partitions.ts'
import { createApiRecorder } from './recorder.ts'

let world: World
let token: string
before(async () => {
  world = await createWorld()
  token = await tokenOf(world, world.credentials)
})
after(() => world?.close())

const flush = () => world.app.jobs.apiLog.runOnce()

async function read(query = '', bearer = OPERATOR_KEY) {
  await flush()
  return world.ask(bearer, 'GET', `/apps/${world.appId}/requests${query}`)
}

test('a request of an app is listed with its route, status, request id and merchant, without its query', async () => {
  const shop = await world.merchant()
  await world.call('POST', `/businesses/${shop.businessId}/approvals`, { appId: world.appId })
  const within = await tokenWithin(world, world.credentials, shop.businessId)
  const path = `/apps/${world.appId}/subscriptions`
  await world.ask(token, 'GET', `${path}?planId=${v7()}`, { headers: { 'service-request-id': 'first' } })
  await world.ask(within, 'GET', `${path}/${v7()}`, { headers: { 'service-request-id': 'second' } })
  const { body, text } = await read('?limit=2')
  const [second, first] = body.requests
  assert.equal(typeof first.durationMs, 'number')
  const rows = [first, second].map(({ durationMs: _, at: __, ...row }) => row)
  assert.deepEqual(rows, [
    { requestId: 'first', method: 'GET', route: '/apps/:appId/subscriptions', status: 200 },
    {
      ...{ requestId: 'second', method: 'GET', route: '/apps/:appId/subscriptions/:subscriptionId', status: 404 },
      businessId: shop.businessId,
    },
  ])
  assert.ok(!text.includes('planId'))
})

test('filters and the cursor restrict the list', async () => {
  for (const [method, path] of [
    ['GET', '/hooks'],
    ['POST', '/hooks'],
    ['GET', `/apps/${world.appId}/plans`],
  ] as const) {
    await world.ask(token, method, path, { body: method === 'POST' ? {} : undefined })
  }
  const routes = async (query: string) => (await read(query)).body.requests.map((one: Json) => one.route)
  assert.deepEqual(new Set(await routes('?method=POST')), new Set(['/hooks']))
  assert.ok((await read('?httpStatus=4xx')).body.requests.every((one: Json) => one.status >= 400))
  assert.ok((await routes('?httpStatus=400')).includes('/hooks'))
  assert.equal((await routes('?requestId=first')).length, 1)
  assert.deepEqual(await routes('?endAt=2020-01-01T00:00:00Z'), [])
  const whole = (await read('?limit=100')).body.requests
  const walked: Json[] = []
  let query: string | undefined = '?limit=2'
  while (query !== undefined) {
    const { body } = await read(query)
    walked.push(...body.requests)
    query = body.links[0] && new URL(body.links[0].href).search
  }
  assert.deepEqual(walked, whole)
  for (const wrong of ['method=HEAD', 'httpStatus=6xx', 'httpStatus=4', 'limit=0', 'after=1', 'startAt=1']) {
    const { status, body } = await read(`?${wrong}`)
    assert.deepEqual([status, body.fields?.[0]?.path], [400, wrong.split('=')[0]], wrong)
  }
})

test('a developer reads the log of an own app; other organizations find no app', async () => {
  const { organizationId } = world
  const { token: own } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')
  assert.equal((await read('', own)).status, 200)
  const other = await world.developer()
  const workspace = { kind: 'DEVELOPER', organizationId: other.organizationId } as const
  const { token: stranger } = await newPerson(world, workspace, 'ADMIN')
  assert.equal((await read('', stranger)).status, 404)
  assert.equal((await read('', token)).status, 403)
})

test('requests of people and of the operator are not logged', async () => {
  await flush()
  await world.call('GET', `/apps/${world.appId}`)
  assert.equal(await flush(), 0)
})

test('memory is limited: more than 10,000 queued requests are dropped, and a failed write is repeated', async () => {
  const { db, clock, newId } = world.app.ports
  let isAway = true
  const away = {
    ...db,
    get sql() {
      if (isAway) throw new Error('the database is unavailable')
      return db.sql
    },
  } as typeof db
  const recorder = createApiRecorder({ db: away, clock, newId, log: pino({ level: 'silent' }) })
  const appId = v7()
  const request = { appId, requestId: 'x', method: 'GET', route: '/hooks', status: 200, durationMs: 1 }
  for (let i = 0; i < 10_500; i++) recorder.record(request)
  await assert.rejects(recorder.flush(), /unavailable/)
  isAway = false
  assert.equal(await recorder.flush(), 10_000)
  const [row] = await db.sql<{ count: number }[]>`select count(*) as count from api_requests where app_id = ${appId}`
  assert.equal(row?.count, 10_000)
})

test('days older than 7 days are dropped, and the next days exist', async () => {
  const { db } = world.app.ports
  const idOf = (days: number) => v7({ msecs: Date.now() + days * 86_400_000 })
  await maintainApiLog({ db, newId: () => idOf(-9) })
  await maintainApiLog({ db, newId: () => idOf(0) })
  const days = await db.sql<{ name: string }[]>`
    select c.relname as name from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'api_requests'::regclass order by 1`
  const nameOf = (days: number) =>
    `api_requests_${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '_')}`
  assert.ok(days.every(({ name }) => name >= nameOf(-7)))
  assert.ok(days.some(({ name }) => name === nameOf(2)))
})

test('with the setting off nothing is recorded', async () => {
  const off = await world.openAnother({ settings: { ...world.app.ports.settings, hasApiLog: false } })
  await world.ask(token, 'GET', '/hooks', { app: off })
  assert.equal(await off.jobs.apiLog.runOnce(), 0)
})
