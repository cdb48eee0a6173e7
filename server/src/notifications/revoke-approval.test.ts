import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { untilWaiting } from '../../test/support/waiting.ts'
import {
  ALL_ORDERS,
  billingEvent,
  newHook,
  newListening,
  openWebhooks,
  START,
  type Webhooks,
} from '../../test/support/webhooks.ts'
import type { Event } from '../core/event.ts'
import type { Db } from '../db/db.ts'
import { createRevocations } from '../tokens/revocations.ts'
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

test('an approval that is revoked ends what waits to tell the app of orders, and nothing else', async () => {
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

test('an order that is recorded while its merchant revokes does not stay queued, whichever comes first', async () => {
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
