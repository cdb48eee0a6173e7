import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HOUR_MS, newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import { endParked } from './parked.ts'

/** Of a queue that stands for a day. */
const MANY = 3_000

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

test('of a long queue that waits for less than 72 h nothing is read to find what has waited longer', async () => {
  const { app, appId } = await newListening(webhooks)
  const hookId = await newHook(webhooks, app, { applicationId: appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.db.sql`update hooks set active = false where hook_id = ${hookId}`
  const recordedAt = webhooks.now()
  await webhooks.db.sql`
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, lane, attempts, due_at,
      recorded_at)
    select u.notification_id, ${recordedAt.toISOString().slice(0, 10)}::date, ${hookId}, gen_random_uuid(),
      gen_random_uuid(), gen_random_uuid(), 1, 'FIRST', 0, ${recordedAt}, ${recordedAt}
    from unnest(${Array.from({ length: MANY }, () => webhooks.ports.newId())}::uuid[]) as u (notification_id)`
  webhooks.pass(24 * HOUR_MS)
  let read = Number.NaN
  const { db } = webhooks
  await endParked({
    ...webhooks.ports,
    db: {
      ...db,
      transaction: work =>
        db.transaction(async tx => {
          const ended = await work(tx)
          const [row] = await tx.sql<{ read: number }[]>`
            select (seq_tup_read + idx_tup_fetch)::integer as read
            from pg_stat_xact_user_tables where relname = 'deliveries'`
          read = row?.read ?? Number.NaN
          return ended
        }),
    },
  })
  assert.ok(read < MANY / 10, `${read} rows were read`)
})
