import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createTillhook, nodeWebhookHandler, TillhookError, type WebhookEvent } from '@tillhook/sdk'

/* The program of a developer in a project of its own: the published package against a real service. */

const { TILLHOOK_URL: baseUrl = '', TILLHOOK_KEY: token = '' } = process.env
const secret = 'whsec_dGlsbGhvb2stc2RrLXRlc3Qtc2VjcmV0'
const operator = createTillhook({ baseUrl, token })

async function newApp(name: string) {
  const { organizationId } = await operator.createOrganization({ body: { name, email: 'dev@lakeside.example' } })
  const packageName = `com.example.${name}`
  const { appId } = await operator.createApp({ body: { organizationId, name, packageName } })
  const { kid, privateKey } = await operator.addAppKey({ appId, body: {} })
  assert.ok(privateKey)
  return { appId, keyId: kid, privateKey, app: createTillhook({ baseUrl, appId, keyId: kid, privateKey, retries: 0 }) }
}

/** As in the guide SDKs. */
async function printActive({ appId, keyId, privateKey }: { appId: string; keyId: string; privateKey: string }) {
  const tillhook = createTillhook({ baseUrl, appId, keyId, privateKey })
  for await (const subscription of tillhook.each('listSubscriptions', { status: 'ACTIVE' })) {
    console.log(subscription.businessId, subscription.planId)
  }
}

/** As in the README. */
async function cancel(tillhook: ReturnType<typeof createTillhook>, subscriptionId: string) {
  try {
    await tillhook.cancelSubscription({ subscriptionId })
  } catch (error) {
    if (!(error instanceof TillhookError) || error.code !== 'ALREADY_ENDED') throw error
  }
}

const planner = await newApp('planner')
const { appId, app } = planner
const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
const plans = ['Basic', 'Pro', 'Max'].map(name => ({
  name,
  interval: 'MONTH' as const,
  scope: 'BUSINESS' as const,
  amounts,
}))
const { releaseId } = await operator.submitRelease({ appId, body: { version: '1.0', plans } })
await operator.approveRelease({ appId, releaseId })

const names: string[] = []
let planId = ''
for await (const plan of app.each('listPlans', { count: 1 })) {
  names.push(plan.name)
  planId = plan.planId
}
assert.deepEqual(names.toSorted(), ['Basic', 'Max', 'Pro'])

const events: WebhookEvent[] = []
const store = (event: WebhookEvent) => events.push(event)
const handle = nodeWebhookHandler({ secret, onEvent: event => store(event) })
const listener = createServer((request, response) => void handle(request, response))
listener.listen(0, '127.0.0.1')
await once(listener, 'listening')
const { port } = listener.address() as { port: number }
const eventTypes = ['APPLICATION_SUBSCRIPTION_START' as const]
await app.registerHook({
  body: { applicationId: appId, deliveryUrl: `http://127.0.0.1:${port}/webhooks`, secret, eventTypes },
})

const { businessId } = await operator.createBusiness({
  body: { legalName: 'Corner Cafe', emailAddress: 'cafe@corner.example', country: 'US', type: 'TEST_MERCHANT' },
})
await operator.addPaymentMethod({ businessId, body: { gateway: 'sandbox', token: 'tok_ok' } })
const idempotencyKey = crypto.randomUUID()
const subscribe = () => operator.subscribe({ appId, body: { businessId, planId } }, { idempotencyKey })
const first = await subscribe()
assert.deepEqual(await subscribe(), first, 'the same key returns the first response')

const walked: string[] = []
for await (const { subscriptionId } of app.each('listSubscriptions', { count: 1 })) walked.push(subscriptionId)
assert.equal(walked.length, 1)
for (let i = 0; events.length === 0 && i < 300; i++) await new Promise(resolve => setTimeout(resolve, 100))
assert.deepEqual([events[0]?.eventType, events[0]?.resourceId], ['APPLICATION_SUBSCRIPTION_START', walked[0]])
let deliveries = 0
for await (const delivery of app.each('listAppDeliveries', { limit: 1 })) {
  assert.equal(delivery.applicationId, appId)
  deliveries++
}
assert.equal(deliveries, 1)

const stranger = await newApp('stranger')
const rejected = (call: Promise<unknown>, status: number, code: string) =>
  assert.rejects(call, error => {
    assert.ok(error instanceof TillhookError, String(error))
    assert.deepEqual([error.status, error.code], [status, code])
    assert.ok(error.requestId)
    return true
  })
await rejected(stranger.app.getSubscription({ appId, subscriptionId: walked[0] ?? '' }), 404, 'APPLICATION_NOT_FOUND')
await rejected(stranger.app.getSubscription({ subscriptionId: walked[0] ?? '' }), 404, 'SUBSCRIPTION_NOT_FOUND')
await rejected(createTillhook({ baseUrl, token: 'wrong', appId }).listPlans(), 401, 'INVALID_ACCESS_TOKEN')

listener.close()
await printActive(planner)
for (let i = 0; i < 2; i++) await cancel(app, walked[0] ?? '')
process.stdout.write('the SDK works\n')
