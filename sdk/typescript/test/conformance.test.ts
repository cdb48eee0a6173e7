import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { CallCase, Outcome } from '../../../scripts/contract/sdk-case-types.ts'
import { openConformance } from '../../conformance.ts'
import { createTillhook, type Tillhook } from '../src/client.ts'
import { TillhookConnectionError, TillhookError } from '../src/errors.ts'
import { verifyWebhook, WebhookError } from '../src/webhooks.ts'

/* The suite that all SDKs pass: contract/sdk-cases.json. */

const APP = 'urn:aid:019a3c7e-5c00-7000-8000-000000000002'
const cases = JSON.parse(readFileSync(new URL('../../../contract/sdk-cases.json', import.meta.url), 'utf8'))

let server: Awaited<ReturnType<typeof openConformance>>
let privateKey: string
before(async () => {
  server = await openConformance()
  privateKey = await (await fetch(`${server.url}/private-key`)).text()
})
after(() => server?.close())

for (const [index, one] of (cases.calls as CallCase[]).entries()) {
  test(one.name, async () => {
    const settings = {
      baseUrl: `${server.url}/cases/${index}`,
      ...(one.retries !== undefined && { retries: one.retries }),
    }
    const client =
      one.as === 'app'
        ? createTillhook({ ...settings, appId: APP, keyId: 'k1', privateKey })
        : createTillhook({ ...settings, token: 't0' })
    const body = JSON.stringify(await outcomeOf(client, one))
    const differences = await fetch(`${server.url}/outcomes/${index}`, { method: 'POST', body })
    assert.deepEqual(await differences.json(), [])
  })
}

for (const one of cases.webhooks) {
  test(`a webhook: ${one.name}`, async () => {
    const { secrets, scheme, toleranceSeconds, body, expect } = one
    const verified = verifyWebhook(body, headersOf(one), { secret: secrets, scheme, toleranceSeconds })
    if (expect.eventType) assert.equal((await verified).eventType, expect.eventType)
    else {
      await assert.rejects(verified, error => {
        assert.ok(error instanceof WebhookError, String(error))
        assert.equal(error.code, expect.code)
        assert.ok(error.message.includes(expect.message ?? ''), error.message)
        return true
      })
    }
  })
}

async function outcomeOf(client: Tillhook, { call }: CallCase): Promise<Outcome> {
  const { operation, params, body, idempotencyKey, each } = call
  const given: object = { ...params, ...(body !== undefined && { body }) }
  const options = idempotencyKey === undefined ? {} : { idempotencyKey }
  const items: unknown[] = []
  const walked = () => (each ? { items } : {})
  try {
    if (!each) return { result: (await client[operation as 'listPlans'](given, options)) ?? null }
    for await (const item of client.each(operation as 'listPlans', given, options)) items.push(item)
    return walked()
  } catch (error) {
    if (error instanceof TillhookConnectionError) return { ...walked(), noResponse: true }
    if (!(error instanceof TillhookError)) throw error
    const { status, code, requestId = null, fields } = error
    return { ...walked(), error: { status, code, requestId, fields } }
  }
}

function headersOf({ headers, signedSecondsFromNow, secrets, body }: (typeof cases.webhooks)[number]) {
  if (signedSecondsFromNow === undefined) return headers
  const timestamp = String(Math.floor(Date.now() / 1000) + signedSecondsFromNow)
  const signed = `${headers['webhook-id']}.${timestamp}.${body}`
  const signature = createHmac('sha256', secrets[0]).update(signed).digest('base64')
  return { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
