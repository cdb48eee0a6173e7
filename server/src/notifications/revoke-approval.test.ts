import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
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
import { createRevocations } from '../tokens/revocations.ts'
import { revokeApproval } from './revoke-approval.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks[Symbol.asyncDispose]())

test('an approval that is revoked ends what waits to tell the app of orders, and nothing else', async () => {
  const app = await newListening(webhooks)
  const other = await newListening(webhooks)
  const hook = { deliveryUrl: 'http://127.0.0.1:9/', eventTypes: [START, ...ALL_ORDERS] }
  await newHook(webhooks, app.app, { ...hook, applicationId: app.appId })
  await newHook(webhooks, other.app, { ...hook, applicationId: other.appId })
  const orderOf = (businessId: string): Event => ({
    ...{ eventType: 'ORDER_OPENED', businessId, storeId: v7(), deviceId: v7(), resourceId: v7() },
    ...{ resourceSeq: 1, occurredAt: webhooks.now() },
  })
  await webhooks.record(orderOf(app.businessId), orderOf(other.businessId), billingEvent(webhooks, app))
  const of = { businessId: app.businessId, appId: app.uuid }
  const ports = { ...webhooks.ports, revocations: createRevocations(webhooks.now()) }
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
