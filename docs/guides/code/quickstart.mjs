const { TILLHOOK_KEY, TILLHOOK_URL = 'http://127.0.0.1:8080', WEBHOOK_SECRET, PORT = '3000' } = process.env

async function post(path, body) {
  const response = await fetch(TILLHOOK_URL + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${TILLHOOK_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${answer.developerMessage}`)
  console.log(`POST ${path} → ${response.status}`)
  return answer
}

// A developer's app with a plan, which the operator approves.
const { organizationId } = await post('/organizations', { name: 'Lakeside Apps', email: 'dev@lakeside.example' })
const packageName = `com.example.planner${Date.now()}`
const { appId } = await post('/apps', { organizationId, name: 'Table Planner', packageName })
const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
const plans = [{ name: 'Pro', interval: 'MONTH', scope: 'BUSINESS', amounts }]
const { releaseId } = await post(`/apps/${appId}/releases`, { version: '1.0', plans })
const approved = await post(`/apps/${appId}/releases/${releaseId}/approve`, {})

// The app's endpoint.
const eventTypes = ['APPLICATION_SUBSCRIPTION_START', 'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS']
const deliveryUrl = `http://127.0.0.1:${PORT}/webhooks`
await post('/hooks', { applicationId: appId, deliveryUrl, secret: WEBHOOK_SECRET, eventTypes })

// A test merchant subscribes with a sandbox card, and the first charge follows.
const merchant = { legalName: 'Corner Cafe', emailAddress: 'cafe@corner.example', country: 'US' }
const { businessId } = await post('/businesses', { ...merchant, type: 'TEST_MERCHANT' })
await post(`/businesses/${businessId}/payment-methods`, { gateway: 'sandbox', token: 'tok_ok' })
await post(`/apps/${appId}/subscriptions`, { businessId, planId: approved.plans[0].planId })
console.log('The listener prints two verified webhooks.')
