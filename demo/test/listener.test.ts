import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { openInbox } from '../src/inbox.ts'
import type { Receipt } from '../src/listener.ts'

test('the listener rejects its first notification once, verifies signatures, and stops on request', async () => {
  const receipts: Receipt[] = []
  const inbox = await openInbox(receipt => receipts.push(receipt))
  try {
    const one = notification('1', 'APPLICATION_SUBSCRIPTION_START')
    const two = notification('2', 'APPLICATION_SUBSCRIPTION_END')
    assert.equal(await post(inbox.url, one, sign(one, inbox.secret)), 500)
    assert.equal(await post(inbox.url, one, sign(one, inbox.secret)), 200)
    assert.equal(await post(inbox.url, two, sign(two, 'another secret')), 200)
    assert.equal(await post(inbox.url, 'no JSON'), 400)
    assert.equal(await post(inbox.url, 'x'.repeat(20_000)), 400)
    assert.equal(await inbox.waitForAccepted(2, { withinMs: 5_000, signal: new AbortController().signal }), true)
    assert.equal(await inbox.waitForAccepted(3, { withinMs: 50, signal: new AbortController().signal }), false)
    assert.deepEqual(
      receipts.map(({ id, attempt, signatureValid, status }) => [id, attempt, signatureValid, status]),
      [
        ['1', 1, true, 500],
        ['1', 2, true, 200],
        ['2', 1, false, 200],
      ],
    )
  } finally {
    await inbox[Symbol.asyncDispose]()
  }
  await assert.rejects(fetch(inbox.url))
})

function notification(id: string, eventType: string): string {
  return JSON.stringify({ id, eventType, resourceId: 'r', createdAt: '2026-01-31T09:30:00Z' })
}

function sign(body: string, secret: string): string {
  return createHmac('sha1', secret).update(body).digest('base64')
}

async function post(url: string, body: string, signature?: string): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(signature && { 'service-webhook-signature': signature }) }
  return (await fetch(url, { method: 'POST', body, headers })).status
}
