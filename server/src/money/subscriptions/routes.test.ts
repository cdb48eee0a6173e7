import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { type Answer, createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let token: string
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  token = await tokenOf(world, world.credentials)
})
after(() => world?.close())

/** Merchants that subscribe to their own app, one hour apart, from midnight on. */
async function subscribed(hours: number) {
  const app = await world.developer()
  const planId = await world.plan({ trialPeriodDays: 14 }, app.appId)
  const made: Json[] = []
  for (let hour = 0; hour < hours; hour++) {
    world.clock.set(`2026-01-01T0${hour}:00:00Z`)
    const { businessId } = await world.merchant({ card: 'none' })
    made.push(await world.call('POST', `/apps/${app.appId}/subscriptions`, { businessId, planId }))
  }
  const path = `/apps/${app.appId}/subscriptions`
  const bearer = await tokenOf(world, app)
  const list = (query = '') => world.ask(bearer, 'GET', `${path}${query}`)
  return { app, planId, made, path, list }
}

const idsOf = (list: readonly Json[]) => list.map(one => one.subscriptionId)

function rejectedAt(answer: Answer, path: string) {
  assert.deepEqual([answer.status, answer.body.code, answer.body.fields?.[0]?.path], [400, 'INVALID_PARAMETER', path])
}

test('without a filter the active subscriptions of all merchants are listed, oldest first, in one envelope', async () => {
  const { made, list, path } = await subscribed(3)
  await world.call('DELETE', `${path}/${made[1]?.subscriptionId}`)
  const { status, body } = await list()
  assert.equal(status, 200)
  assert.deepEqual(body, { list: [made[0], made[2]], start: 0, total: 2, count: 2 })
  const ended = await list('?status=ENDED')
  assert.deepEqual(idsOf(ended.body.list), [made[1]?.subscriptionId])
  assert.deepEqual(idsOf((await list('?status=ALL')).body.list), idsOf(made))
  rejectedAt(await list('?status=active'), 'status')
})

test('a filter selects one merchant, plan, store or device, and an unknown id selects nothing', async () => {
  const { app, made, list, path } = await subscribed(2)
  const { businessId } = await world.merchant({ card: 'none' })
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Corner' })
  const device = { name: 'Till', serialNumber: 'T-1' }
  const { deviceId } = await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
  const planId = await world.plan({ trialPeriodDays: 14, scope: 'DEVICE' }, app.appId)
  const { subscriptionId } = await world.call('POST', path, { businessId, planId, deviceId })
  for (const query of [`businessId=${businessId}`, `planId=${planId}`, `storeId=${storeId}`, `deviceId=${deviceId}`]) {
    const { body } = await list(`?${query}`)
    assert.deepEqual([idsOf(body.list), body.total], [[subscriptionId], 1], query)
  }
  const first = made[0]?.businessId
  assert.deepEqual(idsOf((await list(`?businessId=${first.toUpperCase()}`)).body.list), [made[0]?.subscriptionId])
  assert.deepEqual((await list(`?businessId=${first}&planId=${planId}`)).body, {
    ...{ list: [], start: 0, total: 0, count: 0 },
  })
  assert.equal((await list(`?planId=${UNKNOWN}`)).body.total, 0)
  for (const name of ['businessId', 'planId', 'storeId', 'deviceId', 'after']) {
    rejectedAt(await list(`?${name}=nope`), name)
  }
})

test('a business without relation to the app is 403, whether or not it exists', async () => {
  const { list } = await subscribed(1)
  const stranger = await world.merchant({ card: 'none' })
  for (const businessId of [stranger.businessId, UNKNOWN]) {
    const { status, body } = await list(`?businessId=${businessId}`)
    assert.deepEqual([status, body.code], [403, 'FORBIDDEN'])
  }
})

test('start is an offset or a first instant, and the envelope returns the offset', async () => {
  const { made, list } = await subscribed(4)
  for (const [start, offset] of [
    ['0', 0],
    ['3', 3],
    ['4', 4],
    ['999999999999999', 999_999_999_999_999],
    ['2026-01-01T01:00:00Z', 1],
    ['2026-01-01T01:00:00.001Z', 2],
    ['2026-01-01T03:00:00%2B01:00', 2],
    ['1970-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59Z', 4],
  ] as const) {
    const { body } = await list(`?start=${start}`)
    assert.deepEqual([body.start, idsOf(body.list), body.total], [offset, idsOf(made.slice(offset)), 4], start)
  }
  for (const wrong of ['-1', '1.5', 'abc', '', '2026-01-01', '2026-02-30T00:00:00Z', '10000000000000000']) {
    rejectedAt(await list(`?start=${wrong}`), 'start')
  }
})

test('count is 1 or more, and more than 1000 is served as 1000', async () => {
  const { made, list } = await subscribed(2)
  assert.deepEqual(idsOf((await list('?count=1')).body.list), idsOf(made.slice(0, 1)))
  for (const many of ['1000', '1001', '5000', '99999999999999999999']) {
    assert.equal((await list(`?count=${many}`)).body.count, 2, many)
  }
  for (const wrong of ['0', '-1', 'abc', '1.5', '', '1e3', ' 1']) {
    rejectedAt(await list(`?count=${encodeURIComponent(wrong)}`), 'count')
  }
  rejectedAt(await list('?count=1&count=2'), 'count')
})

test('a page holds at most 1000 of more subscriptions, and 100 without count', async () => {
  const { app, made, list } = await subscribed(1)
  await multiply(made[0]?.subscriptionId, 1_000)
  const { body } = await list('?status=ALL&count=5000')
  assert.deepEqual([body.list.length, body.count, body.total], [1_000, 1_000, 1_001])
  assert.equal((await list('?status=ALL')).body.count, 100)
  assert.equal(body.list.at(-1).appId, app.appId)
})

test('`after` and `next` visit every subscription once, even during starts and ends of other subscriptions', async () => {
  const { made, list, path } = await subscribed(5)
  const first = (await list('?count=2')).body
  assert.deepEqual([idsOf(first.list), first.next], [idsOf(made.slice(0, 2)), made[1]?.subscriptionId])
  await world.call('DELETE', `${path}/${made[0]?.subscriptionId}`)
  const second = (await list(`?count=2&after=${first.next}`)).body
  assert.deepEqual([idsOf(second.list), second.start, second.total], [idsOf(made.slice(2, 4)), 1, 4])
  await world.call('DELETE', `${path}/${second.next}`)
  const last = (await list(`?count=2&after=${second.next}`)).body
  assert.deepEqual([idsOf(last.list), last.next], [idsOf(made.slice(4)), undefined])
  const exact = (await list(`?count=1&after=${second.next}`)).body
  assert.equal(exact.next, undefined)
})

test('`after` must be a subscription of the app; an unknown and a foreign subscription are rejected in the same way', async () => {
  const { list } = await subscribed(1)
  const other = await subscribed(1)
  const [unknown, foreign] = [await list(`?after=${UNKNOWN}`), await list(`?after=${other.made[0]?.subscriptionId}`)]
  rejectedAt(unknown, 'after')
  assert.deepEqual({ ...foreign.body, requestId: '' }, { ...unknown.body, requestId: '' })
})

test('an app reads its own subscription, and another app gets not found', async () => {
  const { made, path } = await subscribed(1)
  const one = `${path}/${made[0]?.subscriptionId}`
  assert.deepEqual((await world.ask(OPERATOR_KEY, 'GET', one)).body, made[0])
  const [app] = one.split('/subscriptions')
  assert.deepEqual((await world.ask(token, 'GET', one)).body.code, 'APPLICATION_NOT_FOUND')
  assert.deepEqual((await world.ask(token, 'GET', `${app}/subscriptions`)).body.code, 'APPLICATION_NOT_FOUND')
  const own = (id: string) => world.ask(token, 'GET', `/apps/${world.appId}/subscriptions/${id}`)
  const [foreign, unknown] = [await own(made[0]?.subscriptionId), await own(UNKNOWN)]
  assert.equal(unknown.status, 404)
  assert.deepEqual([foreign.status, { ...foreign.body, requestId: '' }], [404, { ...unknown.body, requestId: '' }])
})

test('subscriptions requested by many callers at once are returned only to their own app', async () => {
  const [one, other] = [await subscribed(3), await subscribed(3)]
  const bearers = [await tokenOf(world, one.app), await tokenOf(world, other.app)]
  const asked = [...one.made, ...other.made, { subscriptionId: UNKNOWN }].flatMap(({ subscriptionId }) =>
    [one, other].flatMap(({ path }, whose) =>
      [subscriptionId, subscriptionId.toUpperCase()].map(async id => {
        const { status, body } = await world.ask(bearers[whose] ?? '', 'GET', `${path}/${id}`)
        return status === 200 ? body : { status, code: body.code, subscriptionId, whose }
      }),
    ),
  )
  const rejected = (subscriptionId: string, whose: number) => {
    const one = { status: 404, code: 'SUBSCRIPTION_NOT_FOUND', subscriptionId, whose }
    return [one, one]
  }
  assert.deepEqual(await Promise.all(asked), [
    ...one.made.flatMap(mine => [mine, mine, ...rejected(mine.subscriptionId, 1)]),
    ...other.made.flatMap(theirs => [...rejected(theirs.subscriptionId, 0), theirs, theirs]),
    ...[...rejected(UNKNOWN, 0), ...rejected(UNKNOWN, 1)],
  ])
})

test('a token within one business sees only that business', async () => {
  const { app, made, path } = await subscribed(2)
  const within = await tokenWithin(world, app, made[0]?.businessId)
  const ask = (rest: string) => world.ask(within, 'GET', `${path}${rest}`)
  assert.deepEqual((await ask('')).body, { list: [made[0]], start: 0, total: 1, count: 1 })
  assert.equal((await ask(`/${made[0]?.subscriptionId}`)).status, 200)
  assert.equal((await ask(`/${made[1]?.subscriptionId}`)).body.code, 'SUBSCRIPTION_NOT_FOUND')
  assert.equal((await ask(`?businessId=${made[1]?.businessId}`)).status, 403)
  rejectedAt(await ask(`?after=${made[1]?.subscriptionId}`), 'after')
})

test('empty fields are absent, never null', async () => {
  const { made } = await subscribed(1)
  assert.deepEqual(Object.keys(made[0] ?? {}).sort(), [
    ...['appId', 'bundleId', 'businessId', 'createdAt', 'currentPeriodEnd', 'currentPeriodStart', 'nextChargeAt'],
    ...['paymentStatus', 'phase', 'planId', 'startAt', 'status', 'subscriptionId', 'trialEndAt', 'updatedAt'],
  ])
})

/** Ended copies of a subscription, inserted directly. Only their number matters. */
async function multiply(subscriptionId: string, copies: number): Promise<void> {
  const { sql } = world.app.ports.db
  await sql`
    insert into subscriptions
    select (json_populate_record(s, json_build_object(
      'subscription_id', gen_random_uuid(), 'status', 'ENDED', 'ended_at', s.created_at, 'end_reason', 'CANCELLED',
      'next_action_at', null))).*
    from subscriptions as s, generate_series(1, ${copies}) where s.subscription_id = ${subscriptionId}`
}
