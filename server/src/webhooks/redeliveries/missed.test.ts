import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { OPERATOR } from '../../../test/support/tenants.ts'
import { untilWaiting } from '../../../test/support/waiting.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  START,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Event } from '../../core/event.ts'
import { endParked } from '../deliveries/parked.ts'
import { drain, outcomesOf } from '../deliveries/sender.fixture.ts'
import { recordNotifications } from '../notifications/record.ts'
import { registerHook } from '../notifications/register-hook.ts'
import { changeHook } from './change-hook.ts'
import { runRedeliveries } from './run.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const EVENT_TYPES = [START, 'ORDER_OPENED']

async function listening(deliveryUrl: string) {
  const app = await newListening(webhooks)
  const hook = { applicationId: app.appId, deliveryUrl, eventTypes: EVENT_TYPES, secret: 'shhh' }
  const hookId = await newHook(webhooks, app.app, hook)
  const patch = (body: object) => webhooks.call(app.app, 'PATCH', `/hooks/${hookId}`, body)
  const register = () => webhooks.call(app.app, 'POST', '/hooks', hook)
  return { ...app, hookId, deliveryUrl, patch, register }
}

/** As the service does, before anything was sent. */
function disable(hookId: string) {
  const now = webhooks.now()
  return webhooks.db.sql`
    update hooks set active = false, disabled_reason = 'failing', off_since = ${now} where hook_id = ${hookId}`
}

const runJobs = () => drain(() => runRedeliveries(webhooks.ports))
const send = () => drain(() => webhooks.sender().runOnce())

async function queuedFor(hookId: string): Promise<string[]> {
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from deliveries where hook_id = ${hookId} order by notification_id`
  return rows.map(({ id }) => id)
}

async function recordedFor(hookId: string): Promise<string[]> {
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where hook_id = ${hookId} order by notification_id`
  return rows.map(({ id }) => id)
}

/** What happened to one subscription, one after the other. */
async function recordStory(of: { uuid: string; businessId: string }, from: number, to: number, resourceId: string) {
  for (let resourceSeq = from; resourceSeq <= to; resourceSeq++) {
    await webhooks.record(billingEvent(webhooks, of, { resourceId, resourceSeq }))
    webhooks.pass(1_000)
  }
}

function orderOf(businessId: string): Event {
  const place = { storeId: v7(), deviceId: `urn:tid:${v7()}`, resourceId: v7(), resourceSeq: 1 }
  return { eventType: 'ORDER_OPENED', businessId, ...place, occurredAt: webhooks.now() }
}

test('what a disabled hook misses is in its history as ERRORED and never queued; another hook of the app, and of another one, is told', async t => {
  const listener = await openListener(t)
  const [hook, other] = [await listening(listener.url), await listening(listener.url)]
  const well = await newHook(webhooks, hook.app, { applicationId: hook.appId, deliveryUrl: `${listener.url}well` })
  await disable(hook.hookId)
  await webhooks.record(billingEvent(webhooks, hook), billingEvent(webhooks, other), billingEvent(webhooks, hook))
  assert.deepEqual(
    (await Promise.all([hook.hookId, well, other.hookId].map(queuedFor))).map(({ length }) => length),
    [0, 2, 1],
  )
  for (const query of ['', '&status=ERRORED']) {
    const path = `/apps/${hook.appId}/deliveries?hookId=${hook.hookId}${query}`
    const { deliveries } = (await webhooks.call(hook.app, 'GET', path)).body
    assert.deepEqual(
      deliveries.map(({ status, reason, attempt, nextAttemptAt }: Record<string, unknown>) => ({
        ...{ status, reason, attempt, nextAttemptAt },
      })),
      Array(2).fill({ status: 'ERRORED', reason: 'hook_inactive', attempt: 0, nextAttemptAt: undefined }),
    )
  }
})

test('what is queued when a hook is disabled ends piece by piece, also by two at once; what waits for one that its developer switched off does not', async t => {
  const listener = await openListener(t)
  const [hook, paused] = [await listening(listener.url), await listening(listener.url)]
  await webhooks.record(
    ...Array.from({ length: 4_100 }, () => billingEvent(webhooks, hook)),
    billingEvent(webhooks, paused),
  )
  await disable(hook.hookId)
  await paused.patch({ active: false })
  assert.equal(await endParked(webhooks.ports), 2_000)
  await Promise.all([endParked(webhooks.ports), endParked(webhooks.ports)])
  await drain(() => endParked(webhooks.ports))
  assert.deepEqual([(await queuedFor(hook.hookId)).length, (await queuedFor(paused.hookId)).length], [0, 1])
  const outcomes = await outcomesOf(webhooks, hook.hookId)
  assert.deepEqual([outcomes.length, new Set(outcomes)], [4_100, new Set(['ERRORED hook_inactive 0'])])
})

test('of a long queue of a hook that is made active again some ends at once, and none of the rest is sent but by the job that it asks for, the oldest first', async t => {
  const listener = await openListener(t)
  const [asking, silent, other] = [
    await listening(`${listener.url}asking`),
    await listening(`${listener.url}silent`),
    await listening(`${listener.url}other`),
  ]
  const LONG = 10_200
  for (const hook of [asking, silent]) {
    await webhooks.record(...Array.from({ length: LONG }, () => billingEvent(webhooks, hook)))
    await disable(hook.hookId)
  }
  await webhooks.record(billingEvent(webhooks, other))
  await disable(other.hookId)
  webhooks.pass(60_000)
  const before = await recordedFor(asking.hookId)
  const [asked, registered] = await Promise.all([
    asking.patch({ active: true, resendMissed: true }),
    silent.register(),
    silent.patch({ active: true }),
  ])
  assert.deepEqual([asked.status, registered.status, registered.body.active], [200, 200, true])
  const lengths = async () => Promise.all([asking, silent].map(async ({ hookId }) => (await queuedFor(hookId)).length))
  assert.deepEqual(await lengths(), [LONG - 10_000, LONG - 10_000])

  await webhooks.record(billingEvent(webhooks, asking), billingEvent(webhooks, silent))
  await runJobs()
  await webhooks.sender().runOnce()
  await drain(() => endParked(webhooks.ports))
  await send()
  const heard = listener.received.map(({ body }) => body.hookId).sort()
  assert.deepEqual(heard, [asking.hookId, silent.hookId].sort(), 'what comes then is sent, and nothing of before')
  assert.deepEqual(await lengths(), [0, 0])
  for (const { hookId } of [asking, silent]) {
    const missed = (await outcomesOf(webhooks, hookId)).filter(outcome => outcome === 'ERRORED hook_inactive 0')
    assert.equal(missed.length, LONG)
  }

  webhooks.pass(1_000)
  await runJobs()
  assert.deepEqual(await queuedFor(asking.hookId), before.slice(0, 2_000), 'the oldest, as many as there is room for')
  assert.deepEqual(await queuedFor(silent.hookId), [])
  assert.deepEqual(await queuedFor(other.hookId), [])
})

for (const off of ['by the service', 'by its developer']) {
  test(`what a hook missed that was off ${off} is sent in the order things happened, what had ended and what still waited alike`, async t => {
    const listener = await openListener(t)
    const hook = await listening(listener.url)
    const stories = [v7(), v7(), v7()]
    const record = async (from: number, to: number) => {
      for (const resourceId of stories) await recordStory(hook, from, to, resourceId)
    }
    await record(1, 3)
    webhooks.pass(HOUR_MS)
    await record(4, 5)
    if (off === 'by the service') await disable(hook.hookId)
    else await hook.patch({ active: false })
    if (off === 'by the service') await record(6, 7)
    webhooks.pass(71.5 * HOUR_MS)
    assert.ok((await endParked(webhooks.ports)) >= 9)
    const [one, two] = await Promise.all([1, 2].map(() => hook.patch({ active: true, resendMissed: true })))
    assert.deepEqual([one?.status, two?.status], [200, 200])
    await runJobs()
    const senders = [webhooks.sender(), webhooks.sender()]
    for (let run = 0; run < 100 && (await queuedFor(hook.hookId)).length > 0; run++) {
      await Promise.all(senders.map(sender => sender.runOnce()))
    }
    for (const resourceId of stories) {
      const heard = listener.received.filter(({ body }) => body.resourceId === resourceId).map(({ body }) => body.id)
      assert.deepEqual(heard, heard.toSorted())
      assert.equal(heard.length, off === 'by the service' ? 7 : 5)
    }
  })
}

const RESENT = { active: true, resendMissed: true }
type Hook = Awaited<ReturnType<typeof listening>>
type Work = (db: Webhooks['db'], hook: Hook) => Promise<unknown>
const SWITCHED_ON: readonly (readonly [how: string, switchOn: Work])[] = [
  ['made active', (db, { uuid: appId, hookId }) => changeHook({ ...webhooks.ports, db }, { appId, hookId }, RESENT)],
  [
    'registered again',
    (db, { uuid: appId, deliveryUrl }) =>
      registerHook({ ...webhooks.ports, db }, { appId, deliveryUrl, eventTypes: EVENT_TYPES, secret: 'shhh' }),
  ],
]

for (const [how, switchOn] of SWITCHED_ON) {
  for (const first of ['recorded', 'switched on']) {
    test(`what is told to a disabled hook while it is ${how} is missed by nobody, ${first} first`, async t => {
      const listener = await openListener(t)
      const [hook, other] = [await listening(listener.url), await listening(listener.url)]
      await disable(hook.hookId)
      await disable(other.hookId)
      const record: Work = (db, of) =>
        db.transaction(tx => recordNotifications(tx, webhooks.ports, [billingEvent(webhooks, of)]))
      const [turn, next] = first === 'recorded' ? [record, switchOn] : [switchOn, record]
      let nextIsDone: Promise<unknown> = Promise.resolve()
      await webhooks.db.transaction(async tx => {
        await turn(tx as unknown as Webhooks['db'], hook)
        nextIsDone = next(webhooks.db, hook)
        await untilWaiting(webhooks.db.sql, 1)
        // Of another app: nobody waits.
        await record(webhooks.db, other)
      })
      await nextIsDone
      const outcomes = await outcomesOf(webhooks, hook.hookId)
      assert.deepEqual(outcomes, first === 'recorded' ? ['ERRORED hook_inactive 0'] : [])
      webhooks.pass(1_000)
      // Who registers again asks for nothing, and may do so later.
      if (how === 'registered again' && first === 'recorded') await hook.patch(RESENT)
      await runJobs()
      await send()
      assert.deepEqual(
        listener.received.map(({ body }) => body.hookId),
        [hook.hookId],
      )
      assert.deepEqual(await outcomesOf(webhooks, other.hookId), ['ERRORED hook_inactive 0'])
    })
  }
}

test('an order that a disabled hook missed is not sent once its merchant has revoked', async t => {
  const listener = await openListener(t)
  const hook = await listening(listener.url)
  await disable(hook.hookId)
  await webhooks.record(orderOf(hook.businessId), billingEvent(webhooks, hook))
  const path = `/businesses/${hook.businessId}/approvals/${hook.appId}`
  assert.equal((await webhooks.call(OPERATOR, 'DELETE', path)).status, 204)
  await webhooks.record(orderOf(hook.businessId))
  webhooks.pass(1_000)
  await hook.patch({ active: true, resendMissed: true })
  await runJobs()
  await send()
  assert.deepEqual(
    listener.received.map(({ body }) => body.eventType),
    [START],
  )
})
