import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Json } from '../../../test/support/world.ts'

/* The simulator shows what an app on a terminal receives: the Android service is tested with the same file. */

const FILE = new URL('../../../../contract/terminal/billing.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(FILE, 'utf8').replaceAll('{base_url}', 'https://service.example'))
// The type check of the server excludes the scripts of pages.
const { createBilling } = await import(new URL('script/billing.js', import.meta.url).href)

/** Answers with `last`, if the case has one, then with the answer of the case. */
function terminalOf({ method, path, sent, status, body }: Json, last?: Json) {
  const answers = [...(last ? [{ status: 200, body: last }] : []), { status, body }]
  return {
    async ask(...asked: [string, string, { body?: unknown }?]) {
      assert.deepEqual([asked[0], asked[1], asked[2]?.body], [method, path, sent])
      return answers.shift()
    },
  }
}

/** Replaces the instant of a stale list, which is the time of the test. */
const withoutInstant = (text: string) =>
  text.replace(/"staleSince":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/, '"staleSince":"{timestamp}"')

for (const { name, operation, requestId, extras, last, server, expect } of cases) {
  test(`the simulator: ${name}`, async () => {
    const billing = createBilling({ terminal: terminalOf(server, last) })
    if (operation === 'getBillingIntent') {
      const bundle = await billing.getBillingIntent('com.example.till', extras)
      assert.deepEqual(Object.keys(bundle).sort(), expect.keys)
      assert.deepEqual(bundle.BUY_INTENT, expect.opens)
      assert.deepEqual([bundle.RESPONSE_CODE, bundle.ERROR], [expect.RESPONSE_CODE, expect.ERROR])
      return
    }
    const responses: [string | null, unknown, string][] = []
    const ask = () =>
      billing[operation]('com.example.till', requestId, (...answer: (typeof responses)[0]) => responses.push(answer))
    if (last) await ask()
    await ask()
    const wanted = expect.result === 'server.body' ? server.body : expect.result
    const [text, error, answered] = responses.at(-1) ?? assert.fail('no answer')
    assert.deepEqual([text && JSON.parse(withoutInstant(text)), error, answered], [wanted, expect.error, requestId])
  })
}

test('a completed purchase whose payment was declined is not bought', async () => {
  const statusOf = (body: object) =>
    createBilling({ terminal: { ask: async () => ({ status: 200, body }) } }).statusOf({ purchaseId: 'p' })
  assert.equal(await statusOf({ status: 'COMPLETED', payment: { status: 'DECLINED' } }), 'DECLINED')
  assert.equal(await statusOf({ status: 'COMPLETED', payment: { status: 'PENDING' } }), 'COMPLETED')
})
