import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { billingEvent, newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import { runRedeliveries } from './run.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const LONG_AGO = '2026-02-20T00:00:00Z'

async function runAll(ports = webhooks.ports): Promise<void> {
  for (let run = 0; run < 100 && (await runRedeliveries(ports)) > 0; run++);
}

async function started() {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.record(billingEvent(webhooks, app))
  await webhooks.db.sql`delete from deliveries where hook_id = ${hookId}`
  webhooks.pass(1_000)
  const jobs = `/apps/${app.appId}/deliveries`
  const { redeliveryId } = (await webhooks.call(app.app, 'POST', `${jobs}/redeliver`, { since: LONG_AGO })).body
  const path = `${jobs}/redeliveries/${redeliveryId}`
  const shown = async () => (await webhooks.call(app.app, 'GET', path)).body
  const cancel = () => webhooks.call(app.app, 'DELETE', path)
  const setLater = (later: string) =>
    webhooks.db.sql`update redeliveries set later = ${later}::text::jsonb where redelivery_id = ${redeliveryId}`
  return { redeliveryId, shown, cancel, setLater }
}

const aside = () => webhooks.db.sql`select row_id as id, failures from set_aside where kind = 'redelivery'`

test('a redelivery whose step throws stands aside, holds up no other one, and goes on once it can', async () => {
  const broken = await started()
  await broken.setLater('{"no id": null}')
  const other = await started()
  await runAll()
  assert.deepEqual([(await broken.shown()).state, (await other.shown()).state], ['RUNNING', 'DONE'])
  assert.deepEqual([...(await aside())], [{ id: broken.redeliveryId, failures: 1 }])
  webhooks.pass(60_000)
  await runAll()
  webhooks.pass(60_000)
  await runAll()
  assert.deepEqual([...(await aside())], [{ id: broken.redeliveryId, failures: 2 }])

  await broken.setLater('{}')
  webhooks.pass(60_000)
  await runAll()
  const { state, progress } = await broken.shown()
  assert.deepEqual([state, progress.queued], ['DONE', 1])
  assert.deepEqual([...(await aside())], [])
})

test('one that stands aside can be cancelled, and is forgotten', async () => {
  const broken = await started()
  await broken.setLater('{"no id": null}')
  await runAll()
  assert.equal((await aside()).length, 1)
  assert.equal((await broken.cancel()).body.state, 'CANCELLED')
  assert.deepEqual([...(await aside())], [])
})

test('one that is cancelled just when its step has thrown is not set aside after that', async () => {
  const broken = await started()
  await broken.setLater('{"no id": null}')
  const { db } = webhooks.ports
  const transaction: typeof db.transaction = async work => {
    try {
      return await db.transaction(work)
    } catch (error) {
      await broken.cancel()
      throw error
    }
  }
  await runAll({ ...webhooks.ports, db: { ...db, transaction } })
  assert.equal((await broken.shown()).state, 'CANCELLED')
  assert.deepEqual([...(await aside())], [])
})
