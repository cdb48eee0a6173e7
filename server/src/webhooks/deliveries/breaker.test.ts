import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { attemptsOf, drain, outcomesOf, progressOf } from '../../../test/support/deliveries.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { stateOf } from '../../core/hook-health.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { MAIL_PURPOSE } from '../../platform/mail/outbox.ts'
import { findHookHealth, resetHookHealth } from '../hooks/health.ts'
import { recordNotifications } from '../notifications/record.ts'
import { runRedeliveries } from '../redeliveries/run.ts'
import { endUndeliverable } from './end-undeliverable.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, hook_health, mails`)

async function listening(deliveryUrl: string) {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl })
  const healthOf = async () => (await findHookHealth(webhooks.db.sql, [hookId])).get(hookId)
  return {
    hookId,
    healthOf,
    app,
    record: (many: number) => webhooks.record(...Array.from({ length: many }, () => billingEvent(webhooks, app))),
    stateOf: async () => stateOf(await healthOf(), webhooks.now()),
    isActive: async () => {
      const [row] = await webhooks.db.sql<{ active: boolean; reason: string | null }[]>`
        select active, disabled_reason as reason from hooks where hook_id = ${hookId}`
      return row
    },
  }
}

async function mailsOf({ db, ports }: Webhooks): Promise<Message[]> {
  const rows = await db.sql<{ sealed: Buffer }[]>`select sealed from mails order by created_at, mail_id`
  return rows.map(({ sealed }) => JSON.parse(ports.vault.openText(MAIL_PURPOSE, sealed)))
}

test('timeouts caused by a suspension of this process open no breaker and are retried', async () => {
  const { hookId, healthOf, record } = await listening('http://127.0.0.1:9/')
  await record(6)
  const outcome = { kind: 'failed', reason: 'timeout', durationMs: 5_000, stalled: true } as const
  await webhooks.sender({ post: async () => outcome }).runOnce()
  assert.equal(await healthOf(), undefined)
  assert.equal((await attemptsOf(webhooks, hookId)).length, 6)
  const rows = await webhooks.db.sql<{ priority: string; attempts: number }[]>`
    select priority, attempts from deliveries where hook_id = ${hookId}`
  assert.deepEqual(
    rows.map(({ priority, attempts }) => `${priority} ${attempts}`),
    Array(6).fill('RETRY 1'),
  )
})

test('failures open the breaker, which pauses the queue without using up attempts and sends one probe at a time', async t => {
  const listener = await openListener(t, 500)
  const { hookId, record, stateOf } = await listening(listener.url)
  await record(40)
  const sender = webhooks.sender()
  await drain(() => sender.runOnce())
  const tried = listener.received.length
  assert.ok(tried >= 5 && tried <= 12, `${tried} attempts before it opened`)
  assert.equal(await stateOf(), 'OPEN')
  assert.equal((await progressOf(webhooks, hookId)).filter(({ attempts }) => attempts === 0).length, 40 - tried)

  webhooks.pass(4_999)
  assert.equal(await sender.runOnce(), 0)
  webhooks.pass(1)
  assert.equal(await stateOf(), 'HALF_OPEN')
  assert.equal(await sender.runOnce(), 1)
  assert.equal(await sender.runOnce(), 0)
  assert.equal(listener.received.length, tried + 1)

  webhooks.pass(9_999)
  assert.equal(await sender.runOnce(), 0, 'the breaker stays open twice as long')
  listener.reply = 200
  webhooks.pass(1)
  assert.equal(await sender.runOnce(), 40, 'the probe closes the breaker, and the whole queue follows')
  assert.equal(await stateOf(), 'HEALTHY')
  webhooks.pass(HOUR_MS)
  await drain(() => sender.runOnce())
  assert.deepEqual(await progressOf(webhooks, hookId), [])
})

test('a notification for a hook that the service disabled ends at once, counts as given up, and is not sent', async () => {
  const { hookId, app } = await listening('http://127.0.0.1:9/')
  await webhooks.db.sql`update hooks set active = false, disabled_reason = 'failing' where hook_id = ${hookId}`
  const sent: unknown[] = []
  const dispatch = { recorded: (rows: readonly unknown[]) => void sent.push(...rows), changed() {} }
  const gaveUp: object[] = []
  const watch = { gaveUp: (ended: readonly object[]) => gaveUp.push(...ended) }
  const ports = { ...webhooks.ports, dispatch, telemetry: watch as never }
  await webhooks.db.transaction(tx => recordNotifications(tx, ports, [billingEvent(webhooks, app)]))
  assert.deepEqual(await progressOf(webhooks, hookId), [])
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['ERRORED hook_inactive 0'])
  assert.deepEqual(sent, [])
  assert.deepEqual(
    gaveUp.map(given => ({ ...given, notificationId: '' })),
    [{ notificationId: '', hookId, reason: 'hook_inactive' }],
  )
})

test('a delivery that is paused for 72 h ends as expired, without an attempt', async () => {
  const { hookId, record } = await listening('http://127.0.0.1:9/')
  await record(20)
  await drain(() => webhooks.sender().runOnce())
  const tried = (await attemptsOf(webhooks, hookId)).length
  webhooks.pass(72 * HOUR_MS - 1)
  assert.equal(await endUndeliverable(webhooks.ports), 0)
  webhooks.pass(1)
  // The hook looks as if a probe had just been sent.
  await webhooks.db.sql`update hook_health set open_until = ${new Date(webhooks.now().getTime() + 1)}`
  assert.equal(await endUndeliverable(webhooks.ports), 20)
  const ended = await outcomesOf(webhooks, hookId)
  assert.equal(ended.filter(text => text === 'ERRORED expired 0').length, 20 - tried)
  assert.deepEqual(await progressOf(webhooks, hookId), [])
})

test('410 for a day disables the hook as gone, and later notifications wait until it is enabled', async t => {
  const listener = await openListener(t, 410)
  const { hookId, record, isActive, healthOf } = await listening(listener.url)
  const sender = webhooks.sender()
  await record(1)
  await drain(() => sender.runOnce())
  for (let hour = 0; hour < 24; hour++) {
    assert.equal((await isActive())?.active, true)
    webhooks.pass(HOUR_MS)
    await record(1)
    await drain(() => sender.runOnce())
  }
  assert.deepEqual(await isActive(), { active: false, reason: 'gone' })
  assert.equal(sender.state().hooksDisabled, 1)
  const [message, ...others] = await mailsOf(webhooks)
  assert.equal(message?.to, 'dev@acme.example')
  assert.match(message?.text ?? '', new RegExp(`${new URL(listener.url).host} is[^]*410[^]*${hookId}`))
  assert.ok(!message?.text.includes(listener.url), 'its path may hold a secret')
  assert.deepEqual(others, [])
  const tried = listener.received.length
  await record(2)
  webhooks.pass(HOUR_MS)
  await drain(() => sender.runOnce())
  assert.equal(listener.received.length, tried)

  listener.reply = 200
  await webhooks.db.sql`update hooks set active = true, disabled_reason = null where hook_id = ${hookId}`
  await resetHookHealth(webhooks.db.sql, [hookId])
  assert.equal(await healthOf(), undefined)
  webhooks.pass(24 * HOUR_MS)
  await drain(() => sender.runOnce())
  assert.deepEqual(await progressOf(webhooks, hookId), [])
})

test('three days of failures disable the hook, and enabling it with resendMissed sends each missed notification once', async t => {
  const listener = await openListener(t, 500)
  const { app, hookId, record, isActive } = await listening(listener.url)
  const startedAt = webhooks.now()
  const sender = webhooks.sender()
  await record(1)
  for (let run = 0; run < 20 && (await isActive())?.active; run++) {
    await sender.runOnce()
    const [waiting] = await progressOf(webhooks, hookId)
    if (waiting && waiting.dueAt > webhooks.now()) webhooks.setNow(waiting.dueAt)
    else webhooks.pass(3 * HOUR_MS)
    if (webhooks.now().getTime() - startedAt.getTime() >= 72 * HOUR_MS) await record(1)
  }
  assert.deepEqual(await isActive(), { active: false, reason: 'failing' })
  assert.deepEqual(
    (await mailsOf(webhooks)).map(({ text }) => /for three days/.test(text)),
    [true],
  )

  webhooks.pass(73 * HOUR_MS)
  await endUndeliverable(webhooks.ports)
  assert.deepEqual(await progressOf(webhooks, hookId), [])
  const missed = await outcomesOf(webhooks, hookId)
  assert.ok(missed.every(text => text.startsWith('ERRORED')))
  listener.reply = 200
  listener.received.length = 0
  const enabled = await webhooks.call(app.app, 'PATCH', `/hooks/${hookId}`, { active: true, resendMissed: true })
  assert.equal(enabled.status, 200)
  await drain(() => runRedeliveries(webhooks.ports))
  await drain(() => sender.runOnce())
  assert.equal(listener.received.length, missed.length)
  assert.ok((await outcomesOf(webhooks, hookId)).every(text => text === 'DELIVERED 1'))
})

test('a dead endpoint with an event every few days is disabled: the first notification is given up, and the next one fails', async t => {
  const listener = await openListener(t, 500)
  const { hookId, record, isActive } = await listening(listener.url)
  const sender = webhooks.sender()
  await record(1)
  for (let attempt = 1; attempt <= 11; attempt++) {
    const [waiting] = await progressOf(webhooks, hookId)
    if (waiting && waiting.dueAt > webhooks.now()) webhooks.setNow(waiting.dueAt)
    await drain(() => sender.runOnce())
  }
  const [outcome] = await outcomesOf(webhooks, hookId)
  assert.match(outcome ?? '', /^ERRORED attempts_exhausted 11$/)
  assert.equal((await isActive())?.active, true)
  webhooks.pass(100 * HOUR_MS)
  await record(1)
  await drain(() => sender.runOnce())
  assert.deepEqual(await isActive(), { active: false, reason: 'failing' })
})

test('the same hook registered again closes its breaker', async () => {
  const { hookId, record, stateOf, app } = await listening('http://127.0.0.1:9/')
  await record(8)
  await drain(() => webhooks.sender().runOnce())
  assert.equal(await stateOf(), 'OPEN')
  const { body: hook } = await webhooks.call(app.app, 'GET', `/hooks/${hookId}`)
  const again = await webhooks.call(app.app, 'POST', '/hooks', { ...hook, secret: 'new' })
  assert.equal(again.status, 200)
  assert.equal(await stateOf(), 'HEALTHY')
})

test('failures of one hook do not affect another hook', async t => {
  const healthy = await openListener(t)
  const broken = await listening('http://127.0.0.1:9/')
  const whole = await listening(healthy.url)
  await broken.record(10)
  await whole.record(10)
  await drain(() => webhooks.sender().runOnce())
  assert.equal(await broken.stateOf(), 'OPEN')
  assert.equal(await whole.stateOf(), 'HEALTHY')
  assert.equal(healthy.received.length, 10)
})
