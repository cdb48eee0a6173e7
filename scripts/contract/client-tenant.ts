import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTillhook } from '../../sdk/typescript/src/client.ts'
import { signAssertion } from '../../sdk/typescript/src/token.ts'
import { removeElsewhere } from '../../server/test/start/data.ts'
import { killPrograms, startMain } from '../../server/test/start/program.ts'

/** A service with an app that has two subscriptions, and a token of the app. */
export async function openTenant() {
  const dataDir = await mkdtemp(join(tmpdir(), 'tillhook-clients-data-'))
  const key = randomUUID()
  const url = await startMain({ TILLHOOK_OPERATOR_KEY: key, TILLHOOK_DATA_DIR: dataDir }).ready()
  const operator = createTillhook({ baseUrl: url, token: key })
  const { organizationId } = await operator.createOrganization({
    body: { name: 'Lakeside', email: 'a@lakeside.example' },
  })
  const { appId } = await operator.createApp({
    body: { organizationId, name: 'Planner', packageName: 'com.example.planner' },
  })
  const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
  const plans = [{ name: 'Basic', interval: 'MONTH' as const, scope: 'BUSINESS' as const, amounts }]
  const { releaseId } = await operator.submitRelease({ appId, body: { version: '1.0', plans } })
  await operator.approveRelease({ appId, releaseId })
  const { list } = await operator.listPlans({ appId })
  const planId = list[0]?.planId ?? ''
  for (const name of ['Corner', 'Harbor']) {
    const business = { legalName: name, emailAddress: 'c@shop.example', country: 'US', type: 'TEST_MERCHANT' as const }
    const { businessId } = await operator.createBusiness({ body: business })
    await operator.addPaymentMethod({ businessId, body: { gateway: 'sandbox', token: 'tok_ok' } })
    await operator.subscribe({ appId, body: { businessId, planId } })
  }
  const subscriptions = await operator.listSubscriptions({ appId })
  const { kid, privateKey = '' } = await operator.addAppKey({ appId, body: {} })
  const assertion = await signAssertion({ appId, keyId: kid, privateKey }, url, Date.now())
  const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const response = await fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams({ grantType, assertion }) })
  const { accessToken } = (await response.json()) as { accessToken: string }
  return {
    settings: { TILLHOOK_URL: url, TILLHOOK_APP: appId, TILLHOOK_TOKEN: accessToken },
    subscriptionIds: subscriptions.list.map(({ subscriptionId }) => subscriptionId).toSorted(),
    async [Symbol.asyncDispose]() {
      await killPrograms()
      await removeElsewhere(dataDir)
      await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
