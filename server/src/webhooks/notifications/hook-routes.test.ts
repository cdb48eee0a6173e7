import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newHook, newListening, openListener, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import { signHmacSha1 } from '../../core/signature.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const URL = 'http://127.0.0.1:9/'

async function listening(deliveryUrl = URL) {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl })
  return { ...app, hookId }
}

async function disable(hookId: string): Promise<void> {
  await webhooks.db.sql`update hooks set active = false, disabled_reason = 'failing' where hook_id = ${hookId}`
}

test('a test is signed like any notification, reports its outcome, appears in the history, and a failed test does not change the hook', async t => {
  const listener = await openListener(t, (_received, response) => void response.writeHead(500).end('no \0 thanks'))
  const hook = await listening(listener.url)
  await disable(hook.hookId)
  const path = `/hooks/${hook.hookId}/test`
  const { status, body } = await webhooks.call(hook.app, 'POST', path)
  const { durationMs, deliveryId, ...rest } = body
  assert.equal(status, 200)
  assert.ok(durationMs >= 0)
  const at = webhooks.now().toISOString().replace('.000Z', 'Z')
  assert.deepEqual(rest, { acknowledged: false, at, httpStatus: 500, answer: 'no \ufffd thanks' })
  const [received] = listener.received
  assert.equal(received?.headers['service-webhook-signature'], signHmacSha1('shhh', received?.text ?? ''))
  assert.equal(received?.headers['webhook-id'], deliveryId)
  const { eventType, resourceId, businessId } = received?.body ?? {}
  assert.deepEqual([eventType, resourceId, businessId], ['TEST', hook.hookId, hook.organizationId])
  const [shown] = (await webhooks.call(hook.app, 'GET', `/apps/${hook.appId}/deliveries?eventType=TEST`)).body
    .deliveries
  assert.deepEqual([shown.id, shown.status, shown.reason], [deliveryId, 'ERRORED', 'test_failed'])
  assert.equal((await webhooks.call(hook.app, 'GET', `/hooks/${hook.hookId}`)).body.health, undefined)
  assert.equal(await webhooks.sender().runOnce(), 0, 'it is sent once')
  listener.reply = 200
  const good = (await webhooks.call(hook.app, 'POST', path)).body
  assert.equal(good.acknowledged, true)
  const one = await webhooks.call(hook.app, 'GET', `/apps/${hook.appId}/deliveries/${good.deliveryId}`)
  assert.deepEqual([one.body.status, one.body.attempts.length], ['DELIVERED', 1])
  const rejected = await listening()
  const nobody = (await webhooks.call(rejected.app, 'POST', `/hooks/${rejected.hookId}/test`)).body
  assert.deepEqual([nobody.reason, nobody.httpStatus, nobody.answer], ['refused', undefined, ''])
})

test('an app that sends too many tests is throttled, and another app is not', async () => {
  const [mine, other] = [await listening(), await listening()]
  const statuses = new Set<number>()
  for (let number = 0; number < 32; number++) {
    const { status } = await webhooks.call(mine.app, 'POST', `/hooks/${mine.hookId}/test`)
    statuses.add(status)
  }
  assert.deepEqual([...statuses], [200, 429])
  assert.equal((await webhooks.call(other.app, 'POST', `/hooks/${other.hookId}/test`)).status, 200)
})
