import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as standard from 'standardwebhooks'
import * as svix from 'svix'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Received,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { signHmacSha1 } from '../../core/signature.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const FIRST = 'whsec_dGhlIGZpcnN0IHNlY3JldCBvZiB0aGUgaG9vaw=='
const DAY_MS = 86_400_000

/** Verifies like a receiver, at the time of the delivery, with the registered secret. The libraries of Standard Webhooks and Svix agree. */
function accepts(secret: string, { headers, text }: Received): boolean {
  const now = Date.now
  Date.now = () => Number(headers['webhook-timestamp']) * 1_000
  try {
    const [byStandard, bySvix] = [standard.Webhook, svix.Webhook].map(Webhook => {
      try {
        new Webhook(secret).verify(text, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    })
    assert.equal(bySvix, byStandard)
    return byStandard ?? false
  } finally {
    Date.now = now
  }
}

async function listening(t: Parameters<typeof openListener>[0]) {
  const listener = await openListener(t)
  const app = await newListening(webhooks)
  const hook = { applicationId: app.appId, deliveryUrl: `${listener.url}?token=hush`, secret: FIRST }
  const hookId = await newHook(webhooks, app.app, hook)
  const deliver = async () => {
    await webhooks.record(billingEvent(webhooks, app))
    await webhooks.sender().runOnce()
    return listener.received.at(-1) as Received
  }
  const rotate = (body: unknown = {}, as = app.app) => webhooks.call(as, 'POST', `/hooks/${hookId}/rotate-secret`, body)
  return { ...app, hookId, deliver, rotate }
}

test('for a day both secrets verify with the libraries of Standard Webhooks and Svix, then only the new secret', async t => {
  const { deliver, rotate } = await listening(t)
  assert.ok(accepts(FIRST, await deliver()))
  const { status, body } = await rotate()
  assert.equal(status, 200)
  assert.match(body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const during = await deliver()
  assert.deepEqual([accepts(body.secret, during), accepts(FIRST, during)], [true, true])
  assert.equal(during.headers['service-webhook-signature'], signHmacSha1(body.secret, during.text))
  assert.equal(during.path, '/hook?token=hush', 'the query stays')
  webhooks.pass(DAY_MS)
  assert.equal(new Date(body.previousSecretUntil).getTime(), webhooks.now().getTime())
  const later = await deliver()
  assert.deepEqual([accepts(body.secret, later), accepts(FIRST, later)], [true, false])
})

test('a repeated rotation keeps the secret that the endpoint still uses', async t => {
  const { deliver, rotate } = await listening(t)
  const answers = await Promise.all([rotate(), rotate({ secret: 'chosen by the developer' })])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  const during = await deliver()
  assert.ok(accepts(FIRST, during))
  for (let times = 0; times < 6; times++) await rotate()
  assert.ok(String((await deliver()).headers['webhook-signature']).split(' ').length <= 10)
})

test('a secret that a PATCH replaced no longer signs', async t => {
  const { app, hookId, deliver, rotate } = await listening(t)
  await rotate()
  const patched = await webhooks.call(app, 'PATCH', `/hooks/${hookId}`, { secret: 'whsec_bmV3ZXN0' })
  assert.equal(patched.status, 200)
  const next = await deliver()
  assert.deepEqual([accepts('whsec_bmV3ZXN0', next), accepts(FIRST, next)], [true, false])
})

test('wrong input and another organization change nothing', async t => {
  const { rotate, deliver, app, hookId } = await listening(t)
  const other = await newListening(webhooks)
  assert.equal((await rotate({}, other.app)).status, 404)
  for (const secret of ['', 'x'.repeat(256), null, 5]) assert.equal((await rotate({ secret })).status, 400)
  assert.equal((await webhooks.call(app, 'POST', '/hooks/not-an-id/rotate-secret', {})).status, 400)
  assert.ok(accepts(FIRST, await deliver()))
  await webhooks.call(app, 'DELETE', `/hooks/${hookId}`)
  assert.equal((await rotate()).status, 404)
})
