import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  billingEvent,
  newListening,
  openListener,
  openWebhooks,
  START,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { hideQuery, revealQuery } from './secret.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const HIDDEN: [url: string, shown: string][] = [
  ['https://a.example/hook', 'https://a.example/hook'],
  ['https://a.example/hook?', 'https://a.example/hook?'],
  ['https://a.example/?token=abc&x=1', 'https://a.example/?token=********&x=********'],
  ['https://a.example/?abc', 'https://a.example/?********'],
  ['https://a.example/?a=b=c&&d=&=e', 'https://a.example/?a=********&&d=&=********'],
  ['https://a.example/?a=1#b?c=2', 'https://a.example/?a=********'],
  ['https://a.example/#a?b=1', 'https://a.example/#a?b=1'],
]

test('the values of a query are masked, and deliveries use the registered URL', () => {
  for (const [url, shown] of HIDDEN) {
    const { deliveryUrl, query } = hideQuery(url)
    assert.equal(deliveryUrl, shown)
    assert.equal(revealQuery(deliveryUrl, query), url)
  }
})

test('a token in the query of a delivery URL reaches the endpoint and is hidden everywhere else', async t => {
  const listener = await openListener(t)
  const { app, appId, ...ids } = await newListening(webhooks)
  const body = { applicationId: appId, deliveryUrl: `${listener.url}?token=hush1`, secret: 's', eventTypes: [START] }
  const post = (change: object = {}) => webhooks.call(app, 'POST', '/hooks', { ...body, ...change })
  const made = await post()
  const { id, deliveryUrl } = made.body
  assert.deepEqual([made.status, deliveryUrl], [201, `${listener.url}?token=********`])

  const patch = (change: object) => webhooks.call(app, 'PATCH', `/hooks/${id}`, change)
  const sent = async () => {
    await webhooks.record(billingEvent(webhooks, ids))
    await webhooks.sender().runOnce()
    return listener.received.at(-1)?.path
  }
  assert.equal(await sent(), '/hook?token=hush1')
  assert.equal((await webhooks.call(app, 'POST', `/hooks/${id}/test`)).body.acknowledged, true)
  assert.equal(listener.received.at(-1)?.path, '/hook?token=hush1')

  // A client that sends back what it has read changes nothing.
  assert.equal((await patch({ deliveryUrl, secret: 'newer' })).status, 200)
  assert.equal(await sent(), '/hook?token=hush1')
  assert.equal((await patch({ deliveryUrl: `${listener.url}?token=hush2` })).body.deliveryUrl, deliveryUrl)
  assert.equal(await sent(), '/hook?token=hush2')
  for (const answer of [await post({ deliveryUrl }), await patch({ deliveryUrl: `${listener.url}?other=********` })]) {
    assert.equal(answer.status, 400)
    assert.match(answer.body.developerMessage, /hidden value/)
  }

  // The token tells two hooks apart, as their whole URLs do.
  assert.equal((await post()).status, 201)
  const again = await post({ deliveryUrl: `${listener.url}?token=hush2`, secret: 'third' })
  assert.deepEqual([again.status, again.body.id], [200, id])
  assert.equal((await patch({ deliveryUrl: `${listener.url}?token=hush1` })).body.code, 'HOOK_EXISTS')

  const rows = await webhooks.db.sql`
    select to_jsonb(h)::text as text from hooks as h union all select to_jsonb(n)::text from notifications as n
    union all select to_jsonb(a)::text from audit_entries as a`
  assert.ok(rows.length > 3)
  for (const { text } of rows) assert.doesNotMatch(text, /hush|6875736831|6875736832/)
})
