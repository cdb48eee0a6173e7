import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness, OPERATOR, type Tenants } from '../../test/support/tenants.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  START,
  type Webhooks,
} from '../../test/support/webhooks.ts'
import type { Principal } from '../core/principal.ts'
import { signHmacSha1 } from '../core/signature.ts'
import { endParked } from '../deliveries/parked.ts'
import { ensurePartitions } from '../deliveries/partitions.ts'
import { drain, outcomesOf } from '../deliveries/sender.fixture.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const URL = 'http://127.0.0.1:9/'

async function listening(deliveryUrl = URL) {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl })
  const patch = (body: unknown, as: Principal = app.app) => webhooks.call(as, 'PATCH', `/hooks/${hookId}`, body)
  return { ...app, hookId, patch }
}

async function disable(hookId: string): Promise<void> {
  await webhooks.db.sql`update hooks set active = false, disabled_reason = 'failing' where hook_id = ${hookId}`
}

test('a change takes what is sent and leaves the rest; nothing sent changes nothing', async () => {
  const { app, hookId, patch } = await listening()
  const { body: made } = await webhooks.call(app, 'GET', `/hooks/${hookId}`)
  webhooks.pass(60_000)
  assert.deepEqual(await patch({}), { status: 200, body: made })
  assert.deepEqual(await patch({ active: true, deliveryUrl: URL }), { status: 200, body: made })
  const changed = await patch({ deliveryUrl: `${URL}new`, eventTypes: ['ORDER_OPENED', START, START], unknown: null })
  const updatedAt = webhooks.now().toISOString().replace('.000Z', 'Z')
  const expected = { ...made, deliveryUrl: `${URL}new`, eventTypes: [START, 'ORDER_OPENED'], updatedAt }
  assert.deepEqual(changed, { status: 200, body: expected })
  assert.deepEqual((await webhooks.call(app, 'GET', `/hooks/${hookId}`)).body, expected)
})

const WRONG: [change: object, path: string][] = [
  [{ deliveryUrl: null }, 'deliveryUrl'],
  [{ secret: null }, 'secret'],
  [{ eventTypes: null }, 'eventTypes'],
  [{ active: null }, 'active'],
  [{ secret: '' }, 'secret'],
  [{ active: 'true' }, 'active'],
  [{ deliveryUrl: 'http://10.0.0.1/' }, 'deliveryUrl'],
  [{ deliveryUrl: 'https://a:b@a.example/' }, 'deliveryUrl'],
  [{ eventTypes: [] }, 'eventTypes'],
  [{ eventTypes: ['TEST'] }, 'eventTypes[0]'],
  [{ resendMissed: true }, 'resendMissed'],
  [{ resendMissed: true, active: false }, 'resendMissed'],
]

for (const [change, path] of WRONG) {
  test(`a change to ${JSON.stringify(change)} is refused by name, and changes nothing`, async () => {
    const { app, hookId, patch } = await listening()
    const { body: made } = await webhooks.call(app, 'GET', `/hooks/${hookId}`)
    const refused = await patch({ ...change, ...('secret' in change ? {} : { secret: 'unmistakable' }) })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.fields[0].path, path)
    assert.ok(!JSON.stringify(refused.body).includes('unmistakable'))
    assert.deepEqual((await webhooks.call(app, 'GET', `/hooks/${hookId}`)).body, made)
  })
}

test('a hook that would become equal to another is refused with the id of that one, also both at once', async () => {
  const { app, appId, hookId, patch } = await listening()
  const other = await newHook(webhooks, app, { applicationId: appId, deliveryUrl: `${URL}2` })
  const refused = await patch({ deliveryUrl: `${URL}2` })
  assert.equal(refused.status, 409)
  assert.equal(refused.body.code, 'HOOK_EXISTS')
  assert.match(refused.body.developerMessage, new RegExp(other))
  const both = await Promise.all([
    patch({ deliveryUrl: `${URL}3` }),
    webhooks.call(app, 'PATCH', `/hooks/${other}`, { deliveryUrl: `${URL}3` }),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  assert.equal((await webhooks.call(app, 'GET', `/hooks/${hookId}`)).status, 200)
})

test('a new secret signs from the next attempt on', async t => {
  const listener = await openListener(t, 500)
  const hook = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, hook))
  const sender = webhooks.sender()
  await sender.runOnce()
  assert.equal((await hook.patch({ secret: 'newer' })).status, 200)
  webhooks.pass(5_000)
  await sender.runOnce()
  const signatures = listener.received.map(({ headers }) => headers['service-webhook-signature'])
  const [first] = listener.received
  assert.deepEqual(signatures, [signHmacSha1('shhh', first?.text ?? ''), signHmacSha1('newer', first?.text ?? '')])
})

test('a hook that the service stopped says why and how it fares; made active again it is sent what it missed if asked to', async t => {
  for (const resendMissed of [false, true]) {
    const listener = await openListener(t, 500)
    const hook = await listening(listener.url)
    await webhooks.record(billingEvent(webhooks, hook))
    const sender = webhooks.sender()
    for (let attempt = 0; attempt < 12; attempt++) {
      await sender.runOnce()
      webhooks.pass(24 * HOUR_MS)
    }
    const shown = (await webhooks.call(hook.app, 'GET', `/hooks/${hook.hookId}`)).body
    assert.equal(shown.active, false)
    assert.equal(shown.disabledReason, 'failing')
    assert.equal(shown.health.lastFailure, '500')
    assert.ok(shown.health.failures > 1)
    assert.deepEqual((await webhooks.call(hook.app, 'GET', '/hooks')).body.hooks, [shown])
    listener.reply = 200
    const before = listener.received.length
    const changed = await hook.patch({ active: true, resendMissed })
    assert.equal(changed.body.active, true)
    assert.equal(changed.body.disabledReason, undefined)
    assert.equal(changed.body.health, undefined)
    await sender.runOnce()
    const again = listener.received.slice(before)
    assert.equal(again.length, resendMissed ? 1 : 0)
    if (resendMissed) assert.equal(again[0]?.text, listener.received[0]?.text)
  }
})

const AGAIN: readonly (readonly [
  how: string,
  enable: (hook: Awaited<ReturnType<typeof listening>>) => Promise<unknown>,
])[] = [
  ['made active', ({ patch }) => patch({ active: true })],
  ['made inactive, then active', ({ patch }) => patch({ active: false }).then(() => patch({ active: true }))],
  [
    'registered again',
    async hook => {
      const { deliveryUrl, eventTypes } = (await webhooks.call(hook.app, 'GET', `/hooks/${hook.hookId}`)).body
      const same = { applicationId: hook.appId, deliveryUrl, eventTypes, secret: 'shhh' }
      assert.equal((await webhooks.call(hook.app, 'POST', '/hooks', same)).status, 200)
    },
  ],
]

for (const [how, enable] of AGAIN) {
  test(`a hook that the service stopped, ${how}, is sent nothing of what waits; what comes then is, and what it missed once that is asked for`, async t => {
    const listener = await openListener(t)
    const [hook, other] = [await listening(listener.url), await listening(listener.url)]
    for (const { hookId } of [hook, other]) await disable(hookId)
    const missed = [billingEvent(webhooks, hook), billingEvent(webhooks, hook), billingEvent(webhooks, other)]
    await webhooks.record(...missed)
    const sender = webhooks.sender()
    await enable(hook)
    await drain(() => sender.runOnce())
    assert.deepEqual(listener.received, [])
    assert.deepEqual(await outcomesOf(webhooks, hook.hookId), Array(2).fill('ERRORED hook_inactive 0'))
    await webhooks.record(billingEvent(webhooks, hook))
    await drain(() => sender.runOnce())
    assert.equal(listener.received.length, 1)
    webhooks.pass(1_000)
    await hook.patch({ active: true, resendMissed: true })
    await other.patch({ active: true, resendMissed: true })
    await drain(() => sender.runOnce())
    const heard = listener.received.map(({ body }) => body.hookId === other.hookId)
    assert.deepEqual([heard.length, heard.filter(isOther => isOther).length], [4, 1])
  })
}

test('a hook that its developer switches off and on again is sent what waits', async t => {
  const listener = await openListener(t)
  const hook = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, hook))
  await hook.patch({ active: false })
  assert.equal(await webhooks.sender().runOnce(), 0)
  await hook.patch({ active: true })
  await webhooks.sender().runOnce()
  assert.equal(listener.received.length, 1)
})

test('a hook that was silent since is not disabled by one failure; a test that it passes ends its days of failing', async t => {
  const listener = await openListener(t, 500)
  const quiet = await listening(listener.url)
  const tested = await listening(listener.url)
  const shown = async ({ app, hookId }: typeof quiet) => (await webhooks.call(app, 'GET', `/hooks/${hookId}`)).body
  const sender = webhooks.sender()
  await webhooks.record(billingEvent(webhooks, quiet), billingEvent(webhooks, tested))
  for (let hour = 0; hour < 71; hour++) {
    await sender.runOnce()
    webhooks.pass(HOUR_MS)
  }
  assert.deepEqual([(await shown(quiet)).active, (await shown(tested)).health.state], [true, 'HALF_OPEN'])
  listener.reply = 200
  const { body } = await webhooks.call(tested.app, 'POST', `/hooks/${tested.hookId}/test`)
  assert.deepEqual([body.acknowledged, (await shown(tested)).health], [true, undefined])
  webhooks.pass(10 * HOUR_MS)
  listener.reply = 503
  await webhooks.record(billingEvent(webhooks, tested))
  await sender.runOnce()
  const since = webhooks.now().toISOString().replace('.000Z', 'Z')
  assert.deepEqual([(await shown(tested)).active, (await shown(tested)).health.failingSince], [true, since])
  webhooks.pass(10 * 24 * HOUR_MS)
  await webhooks.record(billingEvent(webhooks, quiet))
  await sender.runOnce()
  assert.equal((await shown(quiet)).active, true)
  assert.equal((await shown(quiet)).health.failingSince, webhooks.now().toISOString().replace('.000Z', 'Z'))
})

test('what was missed reaches back to when it began, whatever is changed or tested meanwhile', async t => {
  await ensurePartitions(webhooks.db, webhooks.now(), 60)
  const listener = await openListener(t, 500)
  for (const off of ['by the service', 'by its developer', 'not at all']) {
    listener.reply = 500
    const hook = await listening(listener.url)
    const sender = webhooks.sender()
    await webhooks.record(billingEvent(webhooks, hook))
    for (let hour = 0; hour < (off === 'by the service' ? 80 : 64); hour += 8) {
      if (off === 'by the service') await webhooks.record(billingEvent(webhooks, hook))
      await sender.runOnce()
      webhooks.pass(8 * HOUR_MS)
    }
    if (off === 'by its developer') await hook.patch({ active: false })
    assert.equal((await webhooks.call(hook.app, 'GET', `/hooks/${hook.hookId}`)).body.active, off === 'not at all')
    listener.reply = 200
    webhooks.pass(4 * 24 * HOUR_MS)
    await endParked(webhooks.ports)
    await hook.patch({ secret: 'another' })
    const test = await webhooks.call(hook.app, 'POST', `/hooks/${hook.hookId}/test`)
    assert.equal(test.body.acknowledged, true)
    webhooks.pass(24 * HOUR_MS)
    listener.received.length = 0
    await hook.patch({ active: true, resendMissed: true })
    await drain(() => sender.runOnce())
    const [first] = await webhooks.db.sql<{ id: string }[]>`
      select min(notification_id::text) as id from notifications where hook_id = ${hook.hookId} and event_type <> 'TEST'`
    assert.ok(
      listener.received.some(({ body }) => body.id === first?.id),
      `it was off ${off}`,
    )
  }
})

test('a hook that its developer made inactive hears nothing, and gives no reason', async t => {
  const listener = await openListener(t)
  const hook = await listening(listener.url)
  await disable(hook.hookId)
  const changed = await hook.patch({ active: false, secret: 'x' })
  assert.equal(changed.body.active, false)
  assert.equal(changed.body.disabledReason, undefined)
  await webhooks.record(billingEvent(webhooks, hook))
  await hook.patch({ active: true, resendMissed: true })
  await webhooks.sender().runOnce()
  assert.deepEqual(listener.received, [])
})

test('a test is signed as any other, told as it went, kept in the history, and a failed one changes nothing of the hook', async t => {
  const listener = await openListener(t, (_received, response) => void response.writeHead(500).end('no \0 thanks'))
  const hook = await listening(listener.url)
  await disable(hook.hookId)
  const path = `/hooks/${hook.hookId}/test`
  const { status, body } = await webhooks.call(hook.app, 'POST', path)
  const { durationMs, deliveryId, ...rest } = body
  assert.equal(status, 200)
  assert.ok(durationMs >= 0)
  const at = webhooks.now().toISOString().replace('.000Z', 'Z')
  assert.deepEqual(rest, { acknowledged: false, at, httpStatus: 500, answer: 'no \ufffd thanks' })
  const [received] = listener.received
  assert.equal(received?.headers['service-webhook-signature'], signHmacSha1('shhh', received?.text ?? ''))
  assert.equal(received?.headers['webhook-id'], deliveryId)
  const { eventType, resourceId, businessId } = received?.body ?? {}
  assert.deepEqual([eventType, resourceId, businessId], ['TEST', hook.hookId, hook.organizationId])
  const [shown] = (await webhooks.call(hook.app, 'GET', `/apps/${hook.appId}/deliveries?eventType=TEST`)).body
    .deliveries
  assert.deepEqual([shown.id, shown.status, shown.reason], [deliveryId, 'ERRORED', 'test_failed'])
  assert.equal((await webhooks.call(hook.app, 'GET', `/hooks/${hook.hookId}`)).body.health, undefined)
  assert.equal(await webhooks.sender().runOnce(), 0, 'it is sent once')
  listener.reply = 200
  const good = (await webhooks.call(hook.app, 'POST', path)).body
  assert.equal(good.acknowledged, true)
  const one = await webhooks.call(hook.app, 'GET', `/apps/${hook.appId}/deliveries/${good.deliveryId}`)
  assert.deepEqual([one.body.status, one.body.attempts.length], ['DELIVERED', 1])
  const refused = await listening()
  const nobody = (await webhooks.call(refused.app, 'POST', `/hooks/${refused.hookId}/test`)).body
  assert.deepEqual([nobody.reason, nobody.httpStatus, nobody.answer], ['refused', undefined, ''])
})

test('an app that tests without end is told to wait, another one is not', async () => {
  const [mine, other] = [await listening(), await listening()]
  const statuses = new Set<number>()
  for (let number = 0; number < 32; number++) {
    const { status } = await webhooks.call(mine.app, 'POST', `/hooks/${mine.hookId}/test`)
    statuses.add(status)
  }
  assert.deepEqual([...statuses], [200, 429])
  assert.equal((await webhooks.call(other.app, 'POST', `/hooks/${other.hookId}/test`)).status, 200)
})

test("another app's hook is the same as none, and a token for one business touches no app-wide hook", async () => {
  const [mine, other] = [await listening(), await listening()]
  const businessId = await newBusiness(webhooks as unknown as Tenants)
  await webhooks.call(OPERATOR, 'POST', `/businesses/${businessId}/approvals`, { appId: mine.appId })
  for (const as of [other.app, other.developer, { ...mine.app, businessId } as Principal]) {
    for (const [method, path] of [
      ['PATCH', `/hooks/${mine.hookId}`],
      ['POST', `/hooks/${mine.hookId}/test`],
    ] as const) {
      const refused = await webhooks.call(as, method, path, method === 'PATCH' ? { active: false } : undefined)
      assert.equal(refused.body.code, 'HOOK_NOT_FOUND')
    }
  }
  assert.equal((await mine.patch({ active: false }, mine.developer)).status, 200)
})
