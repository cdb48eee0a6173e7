import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { untilWaiting } from '../../../test/support/waiting.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { endParked } from '../deliveries/parked.ts'
import { ensurePartitions } from '../deliveries/partitions.ts'
import { drain } from '../deliveries/sender.fixture.ts'
import { runRedeliveries } from './run.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const DAY_MS = 24 * HOUR_MS
const ON = { active: true }
const RESENT = { active: true, resendMissed: true }

async function listening(t: TestContext) {
  await ensurePartitions(webhooks.db, webhooks.now(), 60)
  const listener = await openListener(t)
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const path = `/apps/${app.appId}/deliveries`
  const patch = async (body: object) => {
    const changed = await webhooks.call(app.app, 'PATCH', `/hooks/${hookId}`, body)
    assert.equal(changed.status, 200)
    return changed.body
  }
  const redeliver = async (body: object) => {
    const started = await webhooks.call(app.app, 'POST', `${path}/redeliver`, body)
    assert.equal(started.status, 202)
    return started.body.redeliveryId as string
  }
  const job = async (id: string) => (await webhooks.call(app.app, 'GET', `${path}/redeliveries/${id}`)).body
  const record = (count: number) => webhooks.record(...Array.from({ length: count }, () => billingEvent(webhooks, app)))
  /** Ids of what was heard, each once. */
  const heard = () => new Set(listener.received.map(({ body }) => body.id)).size
  return { ...app, hookId, path, listener, patch, redeliver, job, record, heard }
}

type Listening = Awaited<ReturnType<typeof listening>>

const runJobs = () => drain(() => runRedeliveries(webhooks.ports))
const send = () => drain(() => webhooks.sender().runOnce())
const endAll = () => drain(() => endParked(webhooks.ports))

const OFF: readonly (readonly [how: string, switchOff: (hook: Listening) => Promise<unknown>])[] = [
  ['by its developer', ({ patch }) => patch({ active: false })],
  ['by the service', ({ hookId }) => disable(hookId)],
]

/** As the service does. */
function disable(hookId: string) {
  const now = webhooks.now()
  return webhooks.db.sql`
    update hooks set active = false, disabled_reason = 'failing', off_since = ${now} where hook_id = ${hookId}`
}

/** An old notification that was acknowledged, and was asked for once more. */
async function askedForAnOldOne(t: TestContext): Promise<Listening> {
  const hook = await listening(t)
  await hook.record(1)
  await send()
  webhooks.pass(20 * DAY_MS)
  const id = hook.listener.received[0]?.body.id
  const again = await webhooks.call(hook.app, 'POST', `${hook.path}/${id}/redeliver`)
  assert.equal(again.status, 202)
  return hook
}

for (const [off, switchOff] of OFF) {
  for (const days of [0, 4]) {
    test(`what was asked for is sent with what was missed, however old it is, of a hook that was off ${off} for ${days} days`, async t => {
      const hook = await askedForAnOldOne(t)
      await switchOff(hook)
      webhooks.pass(days * DAY_MS)
      if (days > 0) await endAll()
      await hook.patch(RESENT)
      webhooks.pass(1_000)
      await runJobs()
      await send()
      assert.equal(hook.listener.received.length, 2)
    })
  }

  for (const steps of [0, 1, 10]) {
    test(`what was missed is sent whole, also where the hook is off ${off} again after ${steps} batches of it`, async t => {
      const hook = await listening(t)
      await hook.record(600)
      await switchOff(hook)
      webhooks.pass(10 * DAY_MS)
      await endAll()
      const { redeliveryId } = await hook.patch(RESENT)
      for (let step = 0; step < steps; step++) await runRedeliveries(webhooks.ports)
      await switchOff(hook)
      await runJobs()
      assert.equal((await hook.job(redeliveryId)).state, steps === 10 ? 'DONE' : 'RUNNING')
      await hook.patch(RESENT)
      await runJobs()
      await send()
      webhooks.pass(1_000)
      await runJobs()
      await send()
      assert.deepEqual([hook.heard(), hook.listener.received.length], [600, 600])
    })
  }

  test(`a redelivery of one hook waits while that is off ${off}, and goes on once it listens, or ends with it`, async t => {
    const hook = await listening(t)
    await hook.record(60)
    await send()
    hook.listener.received.length = 0
    webhooks.pass(1_000)
    const since = '2026-02-20T00:00:00Z'
    const asked = await hook.redeliver({ since, hookId: hook.hookId })
    await switchOff(hook)
    await runJobs()
    webhooks.pass(DAY_MS)
    await runJobs()
    const waiting = await hook.job(asked)
    assert.deepEqual([waiting.state, waiting.progress], ['RUNNING', { percent: 0, queued: 0, skipped: 0 }])
    await hook.patch(ON)
    await runJobs()
    const { state, progress } = await hook.job(asked)
    assert.deepEqual([state, progress], ['DONE', { percent: 100, queued: 60, skipped: 0 }])
    await send()
    assert.deepEqual([hook.heard(), hook.listener.received.length], [60, 60])

    const next = await hook.redeliver({ since, hookId: hook.hookId })
    await switchOff(hook)
    await runJobs()
    const gone = await webhooks.call(hook.app, 'DELETE', `/hooks/${hook.hookId}`)
    assert.equal(gone.status, 204)
    webhooks.pass(60_000)
    await runJobs()
    const ended = await hook.job(next)
    assert.deepEqual([ended.state, ended.progress], ['DONE', { percent: 100, queued: 0, skipped: 60 }])
  })
}

test('a hook that its developer switches off and on is sent what it was being sent again, also where nothing was missed', async t => {
  const hook = await listening(t)
  await hook.record(600)
  await hook.patch({ active: false })
  webhooks.pass(10 * DAY_MS)
  await endAll()
  await hook.patch(RESENT)
  await runRedeliveries(webhooks.ports)
  await hook.patch({ active: false })
  await runJobs()
  webhooks.pass(HOUR_MS)
  await hook.patch(ON)
  await runJobs()
  await send()
  assert.deepEqual([hook.heard(), hook.listener.received.length], [600, 600])
})

test('what was sent again and failed for three days is missed, too', async t => {
  const hook = await askedForAnOldOne(t)
  hook.listener.reply = 500
  const sender = webhooks.sender()
  for (let hour = 0; hour < 80; hour += 4) {
    await hook.record(1)
    await drain(() => sender.runOnce())
    webhooks.pass(4 * HOUR_MS)
  }
  await endAll()
  const { active, disabledReason } = (await webhooks.call(hook.app, 'GET', `/hooks/${hook.hookId}`)).body
  assert.deepEqual([active, disabledReason], [false, 'failing'])
  hook.listener.reply = 200
  hook.listener.received.length = 0
  webhooks.pass(30_000)
  await hook.patch(RESENT)
  await runJobs()
  await send()
  assert.equal(hook.heard(), 21)
})

test('what was missed does not count among the redeliveries that an app may have, nor does one that waits for its hook', async t => {
  const hook = await listening(t)
  const hookOf = (path: string) =>
    newHook(webhooks, hook.app, { applicationId: hook.appId, deliveryUrl: `${hook.listener.url}${path}` })
  const change = (hookId: string, body: object) => webhooks.call(hook.app, 'PATCH', `/hooks/${hookId}`, body)
  const missing = await Promise.all(Array.from({ length: 10 }, (_, n) => hookOf(`missing${n}`)))
  for (const hookId of missing) await change(hookId, RESENT)
  const off = await hookOf('off')
  webhooks.pass(1_000)
  const since = '2026-02-20T00:00:00Z'
  for (let job = 0; job < 10; job++) await hook.redeliver({ since, hookId: off })
  const refused = () => webhooks.call(hook.app, 'POST', `${hook.path}/redeliver`, { since })
  assert.equal((await refused()).body.code, 'TOO_MANY_REDELIVERIES')
  await change(off, { active: false })
  await hook.redeliver({ since, hookId: hook.hookId })
})

/** As `db`; `meanwhile` runs once, between the answer to the first statement of a transaction that has this text and whoever asked. */
function interrupted(db: Db, text: RegExp, meanwhile: () => Promise<void>): Db {
  let isDone = false
  const during = (sql: Sql): Sql =>
    new Proxy(sql, {
      apply: (target, self, args) => {
        const made = Reflect.apply(target, self, args)
        if (isDone || !Array.isArray(args[0]) || !text.test(args[0].join('?'))) return made
        isDone = true
        return (async () => {
          const rows = await made
          await meanwhile()
          return rows
        })()
      },
    })
  return { ...db, transaction: work => db.transaction(tx => work({ ...tx, sql: during(tx.sql) })) }
}

test('a redelivery goes on at once, though a batch of it has just found its hook off when that is switched on', async t => {
  const hook = await listening(t)
  await runJobs()
  await hook.record(1)
  await send()
  webhooks.pass(1_000)
  const redeliveryId = await hook.redeliver({ since: '2026-02-20T00:00:00Z', hookId: hook.hookId })
  await hook.patch({ active: false })
  let switched: Promise<unknown> | undefined
  const db = interrupted(webhooks.db, /from hooks as h where hook_id = /, async () => {
    switched = hook.patch(ON)
    await Promise.race([switched, untilWaiting(webhooks.db.sql, 1)])
  })
  await runRedeliveries({ ...webhooks.ports, db })
  assert.ok(switched, 'it was looked for')
  await switched
  await runJobs()
  assert.equal((await hook.job(redeliveryId)).state, 'DONE')
})
