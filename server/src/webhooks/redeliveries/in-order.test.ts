import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { endParked } from '../deliveries/parked.ts'
import { drain } from '../deliveries/sender.fixture.ts'
import { findEarlier } from './earlier.ts'
import { runRedeliveries } from './run.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const send = () => drain(() => webhooks.sender().runOnce())

for (const asked of ['what was missed', 'a range']) {
  test(`of ${asked}, what happened to one resource is tried in that order, also where the end of a batch and a clock that is behind are between`, async t => {
    const listener = await openListener(t)
    const app = await newListening(webhooks)
    const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
    const change = (body: object) => webhooks.call(app.app, 'PATCH', `/hooks/${hookId}`, body)
    const resourceId = v7()
    const told = (resourceSeq: number) => webhooks.record(billingEvent(webhooks, app, { resourceId, resourceSeq }))
    await webhooks.record(...Array.from({ length: 498 }, () => billingEvent(webhooks, app)))
    const at = webhooks.now().getTime()
    // Two processes: that of the even ones is behind, and the order of ids is 2, 4, 1, 3, 5.
    for (const [resourceSeq, afterMs] of [
      [1, 4_000],
      [2, 1_000],
      [3, 5_000],
      [4, 2_000],
      [5, 6_000],
    ] as const) {
      webhooks.setNow(new Date(at + afterMs))
      await told(resourceSeq)
    }
    await change({ active: false })
    webhooks.pass(73 * HOUR_MS)
    await drain(() => endParked(webhooks.ports))
    if (asked === 'a range') {
      await change({ active: true })
      const body = { since: new Date(at - HOUR_MS).toISOString() }
      assert.equal((await webhooks.call(app.app, 'POST', `/apps/${app.appId}/deliveries/redeliver`, body)).status, 202)
    } else {
      await change({ active: true, resendMissed: true })
    }
    await runRedeliveries(webhooks.ports)
    await send()
    const bodies = () => listener.received.map(({ body }) => body)
    assert.equal(
      bodies().filter(body => body.resourceId === resourceId).length,
      4,
      'a batch, and what is before its last',
    )
    await drain(() => runRedeliveries(webhooks.ports))
    await send()
    const ids = await webhooks.db.sql<{ id: string }[]>`
      select notification_id as id from notifications where resource_id = ${resourceId} order by resource_seq`
    const first = [...new Set(bodies().flatMap(body => (body.resourceId === resourceId ? [body.id] : [])))]
    assert.deepEqual(
      first,
      ids.map(({ id }) => id),
    )
  })
}

test('what may stand behind a batch is looked up by its resource: a hook of which much is known costs no more', async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.record(...Array.from({ length: 3_000 }, () => billingEvent(webhooks, app)))
  await webhooks.db.transaction(async ({ sql }) => {
    const queued = await sql<{ id: string }[]>`
      select notification_id as id from deliveries where app_id = ${app.uuid} order by notification_id limit 500`
    const readSoFar = async () => {
      const [row] = await sql<{ read: number }[]>`
        select sum(seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
        where relname like 'notifications%' or relname = 'deliveries'`
      return row?.read ?? Number.NaN
    }
    const before = await readSoFar()
    const ids = queued.map(({ id }) => id)
    assert.deepEqual(await findEarlier(sql, ids, { endAt: new Date(webhooks.now().getTime() + HOUR_MS) }), [])
    const read = (await readSoFar()) - before
    assert.ok(read < 5_000, `${read} read`)
  })
})
