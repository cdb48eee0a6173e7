import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { VERSION } from '../../version.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const get = (path: string) => world.ask(path === '/metrics' ? OPERATOR_KEY : null, 'GET', path)

async function metric(name: string): Promise<number> {
  const { text } = await get('/metrics')
  const line = text.split('\n').find(one => one.startsWith(`${name} `))
  assert.ok(line, `${name} is missing`)
  return Number(line.split(' ')[1])
}

test('healthz shows queued and quarantined work without a token', async () => {
  const { status, body } = await get('/healthz')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    status: 'ok',
    version: VERSION,
    database: 'up',
    waiting: {
      ...{ deliveriesDue: 0, oldestDeliverySeconds: 0, chargesUnsettled: 0, chargesUnknown: 0 },
      ...{ refundsUnsettled: 0, subscriptionsDue: 0, quarantined: 0 },
    },
  })
})

test('due deliveries count with the age of the oldest, and so do unsettled charges and refunds', async () => {
  const shop = await world.merchant()
  await shop.subscribe(await world.plan())
  await shop.subscribePending(await world.plan())
  const { waiting } = (await get('/healthz')).body
  assert.deepEqual([waiting.deliveriesDue, waiting.chargesUnsettled, waiting.subscriptionsDue], [2, 1, 0])
  assert.ok(waiting.oldestDeliverySeconds >= 0)
  assert.equal(await metric('tillhook_deliveries_due'), 2)
  assert.equal(await metric('tillhook_charges_unsettled'), 1)
})

test('a quarantined row shows as degraded until it is retried', async () => {
  const { sql } = world.app.ports.db
  const { subscriptionId } = await (await world.merchant()).subscribe(await world.plan())
  const until = new Date(Date.now() + 60_000)
  await sql`
    update subscriptions set failures = 1, last_error = 'Error: of the test', retry_at = ${until}
    where subscription_id = ${subscriptionId}`
  const { body, text } = await get('/healthz')
  assert.deepEqual([body.status, body.waiting.quarantined], ['degraded', 1])
  assert.ok(!text.includes('of the test'), 'what went wrong is for the log, not for everybody')
  assert.equal(await metric('tillhook_quarantined'), 1)
  await sql`update subscriptions set retry_at = ${new Date(Date.now() - 1_000)}`
  assert.equal((await get('/healthz')).body.status, 'ok')
})

test('readyz says ready while the database answers', async () => {
  const { status, body } = await get('/readyz')
  assert.deepEqual([status, body], [200, { status: 'ready' }])
})

test('metrics need the operator key or the metrics token, and wrong tokens are throttled', async () => {
  const metricsToken = 'a-token-for-prometheus-alone'
  const other = await world.openAnother({ metricsToken })
  assert.equal(
    (await world.ask(metricsToken, 'GET', '/audit', { app: other })).status,
    401,
    'the token opens nothing else',
  )
  const app = await world.openAnother({ metricsToken, limits: { ratePerAddress: 1, burstPerAddress: 4 } })
  const statusOf = async (bearer: string | null) => (await world.ask(bearer, 'GET', '/metrics', { app })).status
  assert.deepEqual(await Promise.all([OPERATOR_KEY, metricsToken].map(statusOf)), [200, 200])
  const statuses: number[] = []
  for (const bearer of [null, `${metricsToken}x`, OPERATOR_KEY.slice(1), 'ses_a-session-that-is-unknown', 'x', 'y']) {
    statuses.push(await statusOf(bearer))
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 429, 429])
  assert.equal(await statusOf(metricsToken), 200)
  assert.equal((await world.ask(metricsToken, 'GET', '/metrics')).status, 401, 'no token is set here')
})

test('metrics count requests by route and status, and never name an id', async () => {
  const id = '018f1234-0000-7000-8000-000000000000'
  await get(`/apps/urn:aid:${id}/subscriptions`)
  await get(`/nothing/${id}`)
  const { status, headers, text } = await get('/metrics')
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  assert.match(
    text,
    /tillhook_http_request_seconds_count\{route="\/apps\/:appId\/subscriptions",method="GET",status="401"\} 1/,
  )
  assert.match(text, /route="unmatched",method="GET",status="404"/)
  assert.ok(!text.includes(id))
  assert.equal(await metric('tillhook_database_up'), 1)
})

test('if reading the queue takes too long, its metrics are absent, and all other metrics remain', async () => {
  const { db } = world.app.ports
  await db.transaction(async ({ sql }) => {
    await sql`lock table deliveries in access exclusive mode`
    const [health, metrics] = await Promise.all([get('/healthz'), get('/metrics')])
    assert.deepEqual([health.status, health.body.database, health.body.status], [200, 'up', 'ok'])
    assert.equal(health.body.waiting.quarantined, 0)
    assert.equal(health.body.waiting.deliveriesDue, undefined)
    assert.match(metrics.text, /^tillhook_database_up 1$/m)
    assert.match(metrics.text, /^tillhook_quarantined 0$/m)
    assert.match(metrics.text, /^tillhook_breakers_open 0$/m)
    assert.doesNotMatch(metrics.text, /^tillhook_(deliveries_due|oldest_delivery_seconds) /m)
  })
  assert.match((await get('/metrics')).text, /^tillhook_deliveries_due \d+$/m)
})

test('without the database the process reports degraded, not ready, and its own metrics', async () => {
  const lonely = await world.openAnother()
  await (lonely.ports.db as unknown as { close(): Promise<void> }).close()
  const ask = (path: string) => world.ask(path === '/metrics' ? OPERATOR_KEY : null, 'GET', path, { app: lonely })
  const health = await ask('/healthz')
  assert.deepEqual([health.status, health.body], [200, { status: 'degraded', version: VERSION, database: 'down' }])
  const ready = await ask('/readyz')
  assert.deepEqual([ready.status, ready.body, ready.headers['retry-after']], [503, { status: 'database_down' }, '1'])
  assert.match((await ask('/metrics')).text, /^tillhook_database_up 0$/m)
})
