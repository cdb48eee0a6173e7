import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { drain, outcomesOf } from '../../../test/support/deliveries.ts'
import { OPERATOR } from '../../../test/support/tenants.ts'
import { untilWaiting } from '../../../test/support/waiting.ts'
import {
  ALL_ORDERS,
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  START,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { createRevocations } from '../../access/tokens/revocations.ts'
import type { Event } from '../../core/event.ts'
import type { Db } from '../../platform/db/db.ts'
import { endUndeliverable } from '../deliveries/end-undeliverable.ts'
import { recordNotifications } from './record.ts'
import { revokeApproval } from './revoke-approval.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks[Symbol.asyncDispose]())

function orderOf(businessId: string): Event {
  return {
    ...{ eventType: 'ORDER_OPENED', businessId, storeId: v7(), deviceId: v7(), resourceId: v7() },
    ...{ resourceSeq: 1, occurredAt: webhooks.now() },
  }
}

const revoking = () => ({ ...webhooks.ports, revocations: createRevocations(webhooks.now()) })

test("revoking an approval ends exactly the app's queued order notifications", async () => {
  const app = await newListening(webhooks)
  const other = await newListening(webhooks)
  const hook = { deliveryUrl: 'http://127.0.0.1:9/', eventTypes: [START, ...ALL_ORDERS] }
  await newHook(webhooks, app.app, { ...hook, applicationId: app.appId })
  await newHook(webhooks, other.app, { ...hook, applicationId: other.appId })
  await webhooks.record(orderOf(app.businessId), orderOf(other.businessId), billingEvent(webhooks, app))
  const of = { businessId: app.businessId, appId: app.uuid }
  const ports = revoking()
  assert.equal(await revokeApproval(ports, of), true)
  assert.equal(await revokeApproval(ports, of), false)

  const ended = await webhooks.db.sql`select app_id, status, reason, attempts from outcomes`
  assert.deepEqual([...ended], [{ app_id: app.uuid, status: 'ERRORED', reason: 'approval_revoked', attempts: 0 }])
  const waiting = await webhooks.db.sql<{ type: string }[]>`
    select n.event_type as type from deliveries join notifications as n using (notification_id) order by 1`
  assert.deepEqual(
    waiting.map(({ type }) => type),
    [START, 'ORDER_OPENED'],
  )
})

test('after a revocation nothing of a long queue of orders is sent, all of it ends, and other queues are unchanged', async t => {
  const many = 11_000
  const listener = await openListener(t)
  const [app, other] = [await newListening(webhooks), await newListening(webhooks)]
  const approvals = `/businesses/${other.businessId}/approvals`
  assert.equal((await webhooks.call(OPERATOR, 'POST', approvals, { appId: app.appId })).status, 201)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const otherId = await newHook(webhooks, other.app, { applicationId: other.appId, deliveryUrl: listener.url })
  const queuedOf = async (id: string) => (await webhooks.db.sql`select 1 from deliveries where hook_id = ${id}`).length
  await webhooks.record(...Array.from({ length: many }, () => orderOf(app.businessId)))
  await webhooks.record(orderOf(other.businessId), billingEvent(webhooks, app))

  const forgotten: string[] = []
  const dispatch = { recorded() {}, changed: (ids: readonly string[]) => void forgotten.push(...ids) }
  await revokeApproval({ ...revoking(), dispatch }, { businessId: app.businessId, appId: app.uuid })
  assert.deepEqual([await queuedOf(hookId), forgotten], [many - 10_000 + 2, [hookId]])
  const gaveUp: string[] = []
  const watch = { gaveUp: (ended: readonly { reason: string }[]) => gaveUp.push(...ended.map(({ reason }) => reason)) }
  await drain(() => endUndeliverable({ ...webhooks.ports, telemetry: watch as never }))
  assert.deepEqual([await queuedOf(hookId), gaveUp], [2, Array(many - 10_000).fill('approval_revoked')])

  await drain(() => webhooks.sender().runOnce())
  const outcomes = await outcomesOf(webhooks, hookId)
  assert.deepEqual(outcomes.slice(-2), ['DELIVERED 1', 'DELIVERED 1'])
  assert.deepEqual(
    [outcomes.length, new Set(outcomes.slice(0, many))],
    [many + 2, new Set(['ERRORED approval_revoked 0'])],
  )
  assert.deepEqual([await outcomesOf(webhooks, otherId), listener.received.length], [['DELIVERED 1'], 3])
})

test('an order recorded during a revocation does not stay queued, in any order of the commits', async () => {
  for (const first of ['recorded', 'revoked']) {
    const app = await newListening(webhooks)
    const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const record = (db: Pick<Db, 'transaction'>): Promise<unknown> =>
      db.transaction(tx => recordNotifications(tx, webhooks.ports, [orderOf(app.businessId)]))
    const revoke = (db: Webhooks['db']): Promise<unknown> =>
      revokeApproval({ ...revoking(), db }, { businessId: app.businessId, appId: app.uuid })
    const turns = first === 'recorded' ? [record, revoke] : [revoke, record]
    const both = turns.map(async (turn, place) => {
      if (place === 1) return begun.promise.then<unknown>(() => turn(webhooks.db))
      return webhooks.db.transaction(async tx => {
        await turn(tx as unknown as Webhooks['db'])
        begun.resolve()
        await held.promise
      })
    })
    await begun.promise
    await untilWaiting(webhooks.db.sql, 1)
    held.resolve()
    await Promise.all(both)
    const [left] = await webhooks.db.sql`select count(*)::integer as queued from deliveries where hook_id = ${hookId}`
    assert.equal(left?.queued, 0, `${first} first`)
  }
})
