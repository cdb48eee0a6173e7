import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { billingEvent, newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import type { Sql } from '../../platform/db/db.ts'
import { recordNotifications } from './record.ts'

const QUEUED = 10_000
const LEFT = 40

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

test("recording reads nothing of a hook's queue, also with a plan made for nearly empty tables", async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  const { sql } = webhooks.db
  await webhooks.record(billingEvent(webhooks, app))
  await queueMany(sql)
  // The table shrinks, its indexes keep their pages: by the numbers they are the dearer way then.
  await sql`delete from deliveries where notification_id not in (select notification_id from deliveries limit ${LEFT})`
  await sql`vacuum analyze deliveries`

  const read = await webhooks.db.transaction(async tx => {
    const record = () => recordNotifications(tx, webhooks.ports, [billingEvent(webhooks, app, { resourceSeq: 2 })])
    await tx.sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`
    await record()
    await queueMany(tx.sql)
    const before = await readSoFar(tx.sql)
    await record()
    return (await readSoFar(tx.sql)) - before
  })
  assert.ok(read < 20, `${read} rows were read for one`)
})

/** Untried, of the same hook, and of other resources. */
async function queueMany(sql: Sql): Promise<void> {
  await sql`
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, priority, attempts, due_at,
      recorded_at)
    select gen_random_uuid(), recorded_day, hook_id, app_id, business_id, gen_random_uuid(), resource_seq, priority, attempts,
      due_at, recorded_at
    from deliveries as d cross join generate_series(1, ${QUEUED})
    where d.notification_id = (select notification_id from deliveries order by notification_id limit 1)`
}

async function readSoFar(sql: Sql): Promise<number> {
  const [row] = await sql<{ read: number }[]>`
    select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'deliveries'`
  return row?.read ?? Number.NaN
}
