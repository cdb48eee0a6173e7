import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import { disableHooks, findHookHealth, saveHookHealth } from './health.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

async function hook() {
  const { app, appId } = await newListening(webhooks)
  return { app, hookId: await newHook(webhooks, app, { applicationId: appId, deliveryUrl: 'http://127.0.0.1:9/' }) }
}

const failing = (failures: number) => ({ failures, failingSince: webhooks.now(), lastFailure: '500', opened: 0 })
const healthOf = async (hookId: string) => (await findHookHealth(webhooks.db.sql, [hookId])).get(hookId)

test('the health of a hook is written for the version that was read, and deleted once the hook is healthy', async () => {
  const [one, other] = [await hook(), await hook()]
  const healths = [
    { hookId: one.hookId, version: 1, health: failing(2) },
    { hookId: other.hookId, version: 1, health: failing(3) },
  ]
  await saveHookHealth(webhooks.db.sql, healths)
  assert.equal((await healthOf(one.hookId))?.failures, 2)
  await saveHookHealth(webhooks.db.sql, [{ hookId: one.hookId, version: 1, health: undefined }])
  assert.equal(await healthOf(one.hookId), undefined)
  assert.equal((await healthOf(other.hookId))?.failures, 3)
})

test('an owner does not write the health of a hook that was changed or deleted since', async () => {
  const { app, hookId } = await hook()
  assert.equal((await webhooks.call(app, 'PATCH', `/hooks/${hookId}`, { secret: 'another secret' })).status, 200)
  await saveHookHealth(webhooks.db.sql, [{ hookId, version: 1, health: failing(5) }])
  assert.equal(await healthOf(hookId), undefined)
  assert.equal((await webhooks.call(app, 'DELETE', `/hooks/${hookId}`)).status, 204)
  await saveHookHealth(webhooks.db.sql, [{ hookId, version: 2, health: failing(5) }])
  assert.equal(await healthOf(hookId), undefined)
})

test('a hook is disabled once, with its reason and a new version', async () => {
  const { hookId } = await hook()
  const disable = () =>
    disableHooks(webhooks.db.sql, [{ hookId, reason: 'gone', since: webhooks.now() }], webhooks.now())
  assert.deepEqual((await Promise.all([disable(), disable()])).flat(), [{ hookId, reason: 'gone' }])
  const [row] = await webhooks.db.sql`select active, disabled_reason, version from hooks where hook_id = ${hookId}`
  assert.deepEqual({ ...row }, { active: false, disabled_reason: 'gone', version: 2 })
})
