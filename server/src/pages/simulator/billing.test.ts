import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Json } from '../../../test/support/world.ts'

/* The simulator shows what an app on a terminal receives: the Android service is tested with the same file. */

const FILE = new URL('../../../../contract/terminal/billing.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(FILE, 'utf8').replaceAll('{base_url}', 'https://service.example'))
// Scripts of pages have no types.
const { createBilling } = await import(new URL('script/billing.js', import.meta.url).href)

function terminalOf({ method, path, sent, status, body }: Json) {
  return {
    async ask(...asked: [string, string, { body?: unknown }?]) {
      assert.deepEqual([asked[0], asked[1], asked[2]?.body], [method, path, sent])
      return { status, body }
    },
  }
}

for (const { name, operation, requestId, extras, server, expect } of cases) {
  test(`the simulator: ${name}`, async () => {
    const billing = createBilling({ terminal: terminalOf(server) })
    if (operation === 'getBillingIntent') {
      const bundle = await billing.getBillingIntent('com.example.till', extras)
      assert.deepEqual(Object.keys(bundle).sort(), expect.keys)
      assert.deepEqual(bundle.BUY_INTENT, expect.opens)
      assert.deepEqual([bundle.RESPONSE_CODE, bundle.ERROR], [expect.RESPONSE_CODE, expect.ERROR])
      return
    }
    const heard: unknown[] = []
    await billing[operation]('com.example.till', requestId, (...answer: unknown[]) => heard.push(answer))
    const result = expect.result === null ? null : JSON.stringify(server.body)
    assert.deepEqual(heard, [[result, expect.error, requestId]])
  })
}

test('a completed purchase whose payment was declined is not bought', async () => {
  const statusOf = (body: object) =>
    createBilling({ terminal: { ask: async () => ({ status: 200, body }) } }).statusOf({ purchaseId: 'p' })
  assert.equal(await statusOf({ status: 'COMPLETED', payment: { status: 'DECLINED' } }), 'DECLINED')
  assert.equal(await statusOf({ status: 'COMPLETED', payment: { status: 'PENDING' } }), 'COMPLETED')
})
