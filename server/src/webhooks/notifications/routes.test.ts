import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v4, v7 } from 'uuid'
import { newBusiness, OPERATOR, type Tenants } from '../../../test/support/tenants.ts'
import {
  addAttempts,
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  START,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Principal } from '../../core/principal.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks[Symbol.asyncDispose]())

const URL = 'http://127.0.0.1:9/'

// biome-ignore lint/suspicious/noExplicitAny: a test reads fields of an answer and asserts each.
async function list(as: Principal, path: string): Promise<any[]> {
  const listed = await webhooks.call(as, 'GET', path)
  assert.equal(listed.status, 200, JSON.stringify(listed.body))
  return listed.body.deliveries
}

test('the next attempt waits for the breaker, and an inactive hook has no next attempt', async () => {
  const app = await newListening(webhooks)
  const deliveryUrl = 'http://127.0.0.1:9/'
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl })
  await webhooks.record(...Array.from({ length: 9 }, () => billingEvent(webhooks, app)))
  await webhooks.sender().runOnce()
  const at = (ms: number) => `${new Date(webhooks.now().getTime() + ms).toISOString().slice(0, 19)}Z`
  const path = `/apps/${app.appId}/deliveries`
  const shown = async () => (await list(app.app, `${path}?hookId=${hookId}`)).map(each => each.nextAttemptAt)
  assert.deepEqual(await shown(), Array(9).fill(at(5_000)), 'the first steps are as long as the first pause')
  await webhooks.db.sql`update hook_health set open_until = ${new Date(webhooks.now().getTime() + 60_000)}`
  assert.deepEqual(await shown(), Array(9).fill(at(60_000)))
  await webhooks.db.sql`update hook_health set open_until = ${webhooks.now()}`
  assert.deepEqual(await shown(), Array(9).fill(at(5_000)), 'the breaker delays no retry that is due later')
  assert.equal((await webhooks.call(app.app, 'PATCH', `/hooks/${hookId}`, { active: false })).status, 200)
  assert.deepEqual(await shown(), Array(9).fill(undefined))
})

test('the history shows the state of each notification and every attempt', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t, (_received, response) => void response.writeHead(500).end('no \0 thanks'))
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(billingEvent(webhooks, app))
  const path = `/apps/${app.appId}/deliveries`
  const [scheduled] = await list(app.app, path)
  assert.equal(scheduled.status, 'SCHEDULED')
  assert.equal(scheduled.attempt, 0)
  assert.equal(scheduled.nextAttemptAt, '2026-03-01T10:00:00Z')

  const sender = webhooks.sender()
  await sender.runOnce()
  const [retrying] = await list(app.app, path)
  const { status, attempt, deliveryUrl, nextAttemptAt, ...notification } = retrying
  assert.deepEqual(
    { status, attempt, deliveryUrl, nextAttemptAt },
    { status: 'ERRORED_RETRYING', attempt: 1, deliveryUrl: listener.url, nextAttemptAt: '2026-03-01T10:00:05Z' },
  )
  assert.deepEqual(notification, listener.received[0]?.body)

  webhooks.pass(5_000)
  listener.reply = 200
  await sender.runOnce()
  const one = await webhooks.call(app.app, 'GET', `${path}/${retrying.id}`)
  assert.equal(one.body.status, 'DELIVERED')
  assert.equal(one.body.attempt, 2)
  assert.equal(one.body.nextAttemptAt, undefined)
  assert.deepEqual(
    one.body.attempts.map(({ durationMs, ...rest }: { durationMs: number }) => ({ ...rest, timed: durationMs >= 0 })),
    [
      { at: '2026-03-01T10:00:00Z', httpStatus: 500, answer: 'no \ufffd thanks', timed: true },
      { at: '2026-03-01T10:00:05Z', httpStatus: 200, answer: '', timed: true },
    ],
  )
  const same = await webhooks.call(OPERATOR, 'GET', `/businesses/${app.businessId}/deliveries/${retrying.id}`)
  assert.deepEqual(same.body, one.body)

  await webhooks.record(billingEvent(webhooks, app))
  await webhooks.call(app.app, 'DELETE', `/hooks/${hookId}`)
  const [ended] = await list(app.app, `${path}?status=ERRORED`)
  assert.equal(ended.status, 'ERRORED')
  assert.equal(ended.reason, 'hook_deleted')
})

test('a notification with many redeliveries shows its latest 100 attempts, with a note that there are more', async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: URL })
  await webhooks.record(billingEvent(webhooks, app), billingEvent(webhooks, app))
  const path = `/apps/${app.appId}/deliveries`
  const [{ id }, { id: other }] = (await list(app.app, path)) as [{ id: string }, { id: string }]
  const shown = async () => {
    const { body } = await webhooks.call(app.app, 'GET', `${path}/${id}`)
    return { answers: body.attempts.map((each: { answer: string }) => each.answer), more: body.hasEarlierAttempts }
  }
  const from = (first: number, count: number) => Array.from({ length: count }, (_, each) => `${first + each}`)
  await addAttempts(webhooks.ports, other, from(1, 10))
  assert.deepEqual(await shown(), { answers: [], more: undefined })
  await addAttempts(webhooks.ports, id, from(1, 100))
  assert.deepEqual(await shown(), { answers: from(1, 100), more: undefined })
  await addAttempts(webhooks.ports, id, from(101, 1))
  assert.deepEqual(await shown(), { answers: from(2, 100), more: true })
  await addAttempts(webhooks.ports, id, from(102, 3_000))
  assert.deepEqual(await shown(), { answers: from(3_002, 100), more: true })
})

test('every filter of the history works', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t, ({ body }, response) => {
    response.writeHead(body.eventType === START ? 200 : 500).end()
  })
  const hook = { applicationId: app.appId, deliveryUrl: listener.url }
  const [a, b] = [
    await newHook(webhooks, app.app, hook),
    await newHook(webhooks, app.app, { ...hook, businessId: app.businessId, eventTypes: [START] }),
  ]
  const [t0, first, second] = [webhooks.now(), billingEvent(webhooks, app), billingEvent(webhooks, app)]
  await webhooks.record(first)
  webhooks.pass(HOUR_MS)
  await webhooks.record({ ...second, eventType: 'APPLICATION_SUBSCRIPTION_END' } as typeof second)
  await webhooks.sender().runOnce()
  webhooks.pass(HOUR_MS)
  await webhooks.record({ ...second, resourceSeq: 2 })

  const path = `/apps/${app.appId}/deliveries`
  const at = (ms: number) => encodeURIComponent(new Date(t0.getTime() + ms).toISOString())
  const counts: [string, number][] = [
    ['', 5],
    [`?hookId=${a}`, 3],
    [`?hookId=${b.toUpperCase()}`, 2],
    [`?hookId=${v7()}`, 0],
    [`?eventType=${START}`, 4],
    ['?eventType=APPLICATION_SUBSCRIPTION_END', 1],
    [`?resourceId=${first.resourceId}`, 2],
    ['?status=DELIVERED', 2],
    ['?status=ERRORED_RETRYING', 1],
    ['?status=SCHEDULED', 2],
    ['?status=ERRORED', 0],
    [`?startAt=${at(HOUR_MS)}`, 3],
    [`?endAt=${at(HOUR_MS)}`, 2],
    [`?startAt=${at(1)}&endAt=${at(2 * HOUR_MS)}`, 1],
    [`?startAt=${at(3 * HOUR_MS)}`, 0],
    [`?status=DELIVERED&hookId=${a}&startAt=${at(0)}`, 1],
    ['?unknown=1', 5],
  ]
  for (const [query, expected] of counts) {
    assert.equal((await list(app.app, path + query)).length, expected, query)
  }
  assert.equal((await list(app.app, `/businesses/${app.businessId}/deliveries?hookId=${a}`)).length, 3)
  const wrong = ['status=LOST', 'eventType=X', 'hookId=x', 'resourceId=1', 'startAt=2026-01-01', 'endAt=soon']
  for (const query of [...wrong, 'limit=0', 'limit=101', 'limit=1.5', 'limit=', 'after=%00']) {
    const rejected = await webhooks.call(app.app, 'GET', `${path}?${query}`)
    assert.equal(rejected.status, 400, query)
    assert.equal(rejected.body.fields[0].path, query.split('=')[0])
  }
})

test('pages are newest first, ten rows by default, and each notification is on one page', async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: URL })
  for (let batch = 0; batch < 5; batch++) {
    webhooks.pass(60_000)
    await webhooks.record(...Array.from({ length: 5 }, () => billingEvent(webhooks, app)))
  }
  const recorded = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where app_id = ${app.uuid} order by notification_id desc`
  for (const path of [`/apps/${app.appId}/deliveries`, `/businesses/${app.businessId}/deliveries`]) {
    const seen: string[] = []
    const sizes: number[] = []
    let url: string | undefined = path
    while (url && sizes.length < 10) {
      const page: { body: { deliveries: { id: string }[]; links: { href: string; rel: string }[] } } =
        await webhooks.call(app.app, 'GET', url)
      seen.push(...page.body.deliveries.map(({ id }) => id))
      sizes.push(page.body.deliveries.length)
      url = page.body.links.find(({ rel }) => rel === 'next')?.href
      // A notification recorded in between does not shift the pages.
      if (sizes.length === 1) await webhooks.record(billingEvent(webhooks, app))
    }
    assert.deepEqual(sizes.slice(0, 2), [10, 10])
    assert.equal(new Set(seen).size, seen.length)
    assert.ok(recorded.every(({ id }) => seen.includes(id)))
    assert.deepEqual(seen, seen.toSorted().toReversed())
  }
  const filtered = await webhooks.call(app.app, 'GET', `/apps/${app.appId}/deliveries?limit=2&eventType=${START}`)
  assert.match(filtered.body.links[0].href, /^https:\/\/api\.test\/apps\/urn:aid:.*limit=2&eventType=.*&after=/)
})

test('a page that finds nothing within its limit continues by the next link and misses nothing', async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: URL })
  const rare = billingEvent(webhooks, app)
  await webhooks.record({ ...rare, eventType: 'APPLICATION_SUBSCRIPTION_END' } as typeof rare)
  await webhooks.record(...Array.from({ length: 2_000 }, () => billingEvent(webhooks, app)))
  let url: string | undefined = `/businesses/${app.businessId}/deliveries?eventType=APPLICATION_SUBSCRIPTION_END`
  const pages: string[][] = []
  while (url && pages.length < 5) {
    const page: { body: { deliveries: { resourceId: string }[]; links: { href: string }[] } } = await webhooks.call(
      app.app,
      'GET',
      url,
    )
    pages.push(page.body.deliveries.map(({ resourceId }) => resourceId))
    url = page.body.links[0]?.href
  }
  assert.deepEqual(pages, [[], [rare.resourceId]])
})

test('an app sees only its own notifications, and a token for one business those of that business', async () => {
  const mine = await newListening(webhooks)
  const other = await newListening(webhooks)
  const second = await newBusiness(webhooks as unknown as Tenants)
  for (const [businessId, appId] of [
    [mine.businessId, other.appId],
    [second, mine.appId],
  ]) {
    await webhooks.call(OPERATOR, 'POST', `/businesses/${businessId}/approvals`, { appId })
  }
  await newHook(webhooks, mine.app, { applicationId: mine.appId, deliveryUrl: URL })
  await newHook(webhooks, other.app, { applicationId: other.appId, deliveryUrl: URL })
  const [own, foreign, ofSecond] = [
    billingEvent(webhooks, mine),
    billingEvent(webhooks, { ...other, businessId: mine.businessId }),
    billingEvent(webhooks, { ...mine, businessId: second }),
  ]
  await webhooks.record(own, foreign, ofSecond)

  const ofBusiness = `/businesses/${mine.businessId}/deliveries`
  const ofApp = `/apps/${mine.appId}/deliveries`
  const resources = async (as: Principal, path: string) => (await list(as, path)).map(({ resourceId }) => resourceId)
  const bound = { ...mine.app, businessId: mine.businessId } as Principal
  for (const as of [mine.app, bound, mine.developer])
    assert.deepEqual(await resources(as, ofBusiness), [own.resourceId])
  assert.deepEqual(await resources(other.app, ofBusiness), [foreign.resourceId])
  assert.equal((await resources(OPERATOR, ofBusiness)).length, 2)
  assert.deepEqual(await resources(mine.app, ofApp), [ofSecond.resourceId, own.resourceId])
  assert.deepEqual(await resources(bound, ofApp), [own.resourceId])

  const [theirs] = await list(other.app, ofBusiness)
  const [seconds] = await list(mine.app, `${ofApp}?resourceId=${ofSecond.resourceId}`)
  const hidden: [Principal, string][] = [
    [mine.app, `${ofBusiness}/${theirs.id}`],
    [mine.developer, `${ofBusiness}/${theirs.id}`],
    [mine.app, `${ofApp}/${theirs.id}`],
    [OPERATOR, `${ofApp}/${theirs.id}`],
    [bound, `${ofApp}/${seconds.id}`],
    [mine.app, `${ofBusiness}/${seconds.id}`],
    [mine.app, `${ofApp}/${v7()}`],
    [mine.app, `${ofApp}/${v4()}`],
    [mine.app, `${ofApp}/ffffffff-ffff-ffff-ffff-ffffffffffff`],
  ]
  for (const [as, path] of hidden) {
    const rejected = await webhooks.call(as, 'GET', path)
    assert.equal(rejected.status, 404, path)
    assert.equal(rejected.body.code, 'DELIVERY_NOT_FOUND')
  }
  assert.equal((await webhooks.call(other.app, 'GET', ofApp)).body.code, 'APPLICATION_NOT_FOUND')
  assert.equal((await webhooks.call(other.app, 'GET', `/businesses/${second}/deliveries`)).status, 403)
  assert.equal((await webhooks.call(bound, 'GET', `/businesses/${second}/deliveries`)).status, 403)
  assert.equal((await webhooks.call(mine.app, 'GET', `/businesses/${v7()}/deliveries`)).status, 403)
})

test('a notification older than 30 days is not shown', async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: URL })
  await webhooks.record(billingEvent(webhooks, app))
  const path = `/apps/${app.appId}/deliveries`
  const [delivery] = await list(app.app, path)
  webhooks.pass(30 * 24 * HOUR_MS)
  assert.equal((await list(app.app, path)).length, 1)
  webhooks.pass(1)
  assert.equal((await list(app.app, `${path}?startAt=2020-01-01T00:00:00Z`)).length, 0)
  assert.equal((await webhooks.call(app.app, 'GET', `${path}/${delivery.id}`)).body.code, 'DELIVERY_NOT_FOUND')
})
