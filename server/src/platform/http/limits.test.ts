import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimiter } from './limits.ts'
import { APP_ID, OTHER_APP_ID, sampleRoutes, testServer } from './server.fixture.ts'

function stoppedClock() {
  let ms = 1_000_000
  return { now: () => new Date(ms), pass: (more: number) => (ms += more) }
}

test('the rate limit allows a burst and then the rate, separately for each caller', () => {
  const clock = stoppedClock()
  const limiter = createRateLimiter({ perSecond: 2, burst: 4 }, clock)
  for (let i = 0; i < 4; i++) assert.equal(limiter.take('a'), 0)
  assert.equal(limiter.take('a'), 1)
  assert.equal(limiter.take('b'), 0)
  clock.pass(500)
  assert.equal(limiter.take('a'), 0)
  assert.equal(limiter.take('a'), 1)
  clock.pass(3_600_000)
  for (let i = 0; i < 4; i++) assert.equal(limiter.take('a'), 0)
  assert.equal(limiter.take('a'), 1)
})

test('a clock that is set back changes no limit', () => {
  const clock = stoppedClock()
  const limiter = createRateLimiter({ perSecond: 1, burst: 2 }, clock)
  limiter.take('a')
  clock.pass(-500_000)
  assert.equal(limiter.take('a'), 0)
  assert.equal(limiter.take('a'), 1)
  clock.pass(1000)
  assert.equal(limiter.take('a'), 0)
})

test('idle callers are forgotten, and many callers use limited memory', () => {
  const clock = stoppedClock()
  const limiter = createRateLimiter({ perSecond: 1, burst: 1 }, clock, 100)
  for (let i = 0; i < 1000; i++) limiter.take(`flood ${i}`)
  assert.ok(limiter.size <= 100)
  clock.pass(10_000)
  for (let i = 0; i < 100; i++) limiter.take(`later ${i}`)
  clock.pass(10_000)
  for (let i = 0; i < 200; i++) limiter.take('one')
  assert.equal(limiter.size, 1)
})

const limits = { ratePerApp: 1, burstPerApp: 2, ratePerAddress: 1, burstPerAddress: 2 }

test('an app past its rate gets 429 with Retry-After, another app and the operator do not', async () => {
  const { app } = testServer(sampleRoutes(), { limits, clock: stoppedClock() })
  const get = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return app.inject({ url: `/apps/urn:aid:${APP_ID}/plans`, headers })
  }
  assert.equal((await get(`app-of-${APP_ID}`)).statusCode, 200)
  assert.equal((await get(`app-of-${APP_ID}`)).statusCode, 200)
  const limited = await get(`app-of-${APP_ID}`)
  assert.equal(limited.statusCode, 429)
  assert.equal(limited.json().code, 'TOO_MANY_REQUESTS')
  assert.equal(limited.headers['retry-after'], '1')
  assert.equal((await get(`app-of-${OTHER_APP_ID}`)).statusCode, 200)
  for (let i = 0; i < 5; i++) assert.equal((await get('operator')).statusCode, 200)
})

test('a POST without a token is limited by address, a public GET is not', async () => {
  const { app } = testServer(sampleRoutes(), { limits, clock: stoppedClock() })
  const post = (remoteAddress: string) => app.inject({ method: 'POST', url: '/token', remoteAddress })
  assert.equal((await post('10.0.0.1')).statusCode, 400)
  assert.equal((await post('10.0.0.1')).statusCode, 400)
  const limited = await post('10.0.0.1')
  assert.deepEqual([limited.statusCode, limited.json().code], [429, 'TOO_MANY_REQUESTS'])
  assert.equal(limited.headers['retry-after'], '1')
  assert.equal((await post('10.0.0.2')).statusCode, 400)
  for (let i = 0; i < 5; i++) {
    assert.equal((await app.inject({ url: '/metrics', remoteAddress: '10.0.0.1' })).statusCode, 200)
  }
})

test('the networks of a /48 share four times the rate of one /64', async () => {
  const { app } = testServer(sampleRoutes(), { limits, clock: stoppedClock() })
  const post = async (remoteAddress: string) =>
    (await app.inject({ method: 'POST', url: '/token', remoteAddress })).statusCode
  const statuses: number[] = []
  for (let network = 1; network <= 9; network++) statuses.push(await post(`2001:db8:1:${network}::1`))
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 400, 400, 400, 429])
  assert.equal(await post('2001:db8:2:1::1'), 400)
})

test('rejected tokens are throttled by address; a valid token from the same address and token requests still succeed', async () => {
  const clock = stoppedClock()
  const { app } = testServer(sampleRoutes(), { limits: { ...limits, ratePerApp: 100 }, clock })
  const get = (token: string, remoteAddress = '192.0.2.1') =>
    app.inject({ url: `/apps/urn:aid:${APP_ID}/plans`, headers: { authorization: `Bearer ${token}` }, remoteAddress })
  const statuses = [await get('guess-1'), await get('guess-2'), await get('guess-3')].map(
    ({ statusCode }) => statusCode,
  )
  assert.deepEqual(statuses, [401, 401, 429])
  const limited = await get('guess-4')
  assert.deepEqual([limited.json().code, limited.headers['retry-after']], ['TOO_MANY_REQUESTS', '1'])
  assert.equal((await get(`app-of-${APP_ID}`)).statusCode, 200)
  assert.equal((await get('guess-5', '192.0.2.2')).statusCode, 401)
  const payload = 'a=b'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const asked = await app.inject({ method: 'POST', url: '/token', headers, payload, remoteAddress: '192.0.2.1' })
  assert.notEqual(asked.statusCode, 429)
  clock.pass(1_000)
  assert.equal((await get('guess-6')).statusCode, 401)
})
