import { makeAssertion } from './assertion.ts'
import { type Client, createClient, requestTokens, type Tokens } from './client.ts'
import { drawIcon } from './icon.ts'
import { dollars } from './print.ts'
import { play, type Stage } from './stage.ts'

export interface AppRole {
  readonly appId: string
  readonly client: Client
  readonly tokens: Tokens
}

export interface MerchantRole {
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
  readonly testClockId: string
}

/** The fields of a plan that the story prints. Interface, Plan. */
interface Plan {
  readonly planId: string
  readonly name: string
  readonly amount: number
  readonly trialPeriodDays: number
}

/** Interface, Billing event types and Order event types. */
const EVENT_TYPES = [
  'APPLICATION_SUBSCRIPTION_START',
  'APPLICATION_SUBSCRIPTION_END',
  'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
  'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL',
  'APPLICATION_SUBSCRIPTION_PHASE_CHANGE',
  'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS',
  'ORDER_OPENED',
  'ORDER_COMPLETED',
  'ORDER_CANCELLED',
  'ORDER_UPDATED',
]

/** 14 days before a 31st, so that every renewal meets the end of a month. */
const STORY_BEGINS_AT = '2026-01-17T09:30:00Z'

/** The chapters before the subscription: they create the app, the plans and the merchant. */
export async function introduce(stage: Stage): Promise<{
  app: AppRole
  merchant: MerchantRole
  organizationId: string
  planId: string
  basicPlanId: string
  hookId: string
}> {
  const { operator, printer, inbox } = stage

  const developer = await play(stage, 'developer', async () => {
    const { organizationId } = await operator.post<{ organizationId: string }>('/organizations', {
      name: 'Lakeside Apps',
      email: 'hello@lakeside.example',
    })
    const made = await operator.post<{ appId: string; privateKey: string; kid: string }>('/apps', {
      organizationId,
      name: 'Table Planner',
      packageName: 'example.lakeside.tableplanner',
    })
    const icon = new FormData()
    icon.append('app', '{}')
    icon.append('icon', new Blob([drawIcon()], { type: 'image/png' }), 'icon.png')
    await operator.patchForm(`/apps/${made.appId}`, icon)
    printer.say(
      'Tillhook created a key pair for the app, returned the private key once, and stored only the public key.',
    )
    return { ...made, organizationId }
  })
  const { appId, organizationId } = developer

  await play(stage, 'release', async () => {
    const amounts = (value: number) => [{ country: 'US', currency: 'USD', value }]
    const { releaseId } = await operator.post<{ releaseId: string }>(`/apps/${appId}/releases`, {
      version: '1.0.0',
      plans: [
        { name: 'Pro', amounts: amounts(500), interval: 'MONTH', scope: 'BUSINESS', trialPeriodDays: 14 },
        { name: 'Basic', amounts: amounts(200), interval: 'MONTH', scope: 'BUSINESS' },
      ],
    })
    await operator.post(`/apps/${appId}/releases/${releaseId}/approve`, {})
  })

  const merchant = await play(stage, 'merchant', async () => {
    const { businessId } = await operator.post<{ businessId: string }>('/businesses', {
      legalName: 'Corner Café LLC',
      doingBusinessAs: 'Corner Café',
      emailAddress: 'owner@cornercafe.example',
      country: 'US',
      type: 'TEST_MERCHANT',
      organizationId,
    })
    const path = `/businesses/${businessId}`
    const { storeId } = await operator.post<{ storeId: string }>(`${path}/stores`, { displayName: 'Main Street' })
    const { deviceId } = await operator.post<{ deviceId: string }>(`${path}/stores/${storeId}/devices`, {
      name: 'Counter',
      serialNumber: 'CC-0001',
    })
    const { testClockId } = await operator.post<{ testClockId: string }>('/test-clocks', {
      businessId,
      now: STORY_BEGINS_AT,
    })
    printer.say('For the merchant it is 17 January 2026, 09:30. Months will pass in seconds.')
    await operator.post(`${path}/approvals`, { appId })
    printer.say('The merchant approves the app.')
    return { businessId, storeId, deviceId, testClockId }
  })

  const app = await play(stage, 'token', async () => {
    const assertion = makeAssertion(developer, stage.baseUrl)
    const tokens = await requestTokens(stage, { grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
    const client = createClient({ ...stage, bearer: tokens.accessToken })
    printer.say(`The token is valid for ${tokens.expiresIn / 3600} hours. With it the app reads its plans:`)
    const plans = await client.get<{ list: Plan[] }>(`/apps/${appId}/plans`)
    for (const { name, amount, trialPeriodDays } of plans.list) {
      const trial = trialPeriodDays > 0 ? `, the first ${trialPeriodDays} days free` : ''
      printer.say(`  ${name.padEnd(6)} ${dollars(amount)} a month${trial}`)
    }
    const idOf = (plan: string) => plans.list.find(({ name }) => name === plan)?.planId
    const [planId, basicPlanId] = [idOf('Pro'), idOf('Basic')]
    if (planId === undefined || basicPlanId === undefined) throw new Error('A plan is not in the list.')
    return { appId, client, tokens, planId, basicPlanId }
  })

  const hookId = await play(stage, 'hook', async () => {
    const hook = await app.client.post<{ id: string; secret: string }>('/hooks', {
      applicationId: appId,
      deliveryUrl: inbox.url,
      secret: inbox.secret,
      eventTypes: EVENT_TYPES,
    })
    printer.say(`Webhooks go to ${inbox.url}, signed with a secret that both sides know.`)
    return hook.id
  })
  return { app, merchant, organizationId, planId: app.planId, basicPlanId: app.basicPlanId, hookId }
}

/** The newest card becomes the default. */
export async function saveCard({ operator }: Stage, businessId: string, token: string): Promise<void> {
  await operator.post(`/businesses/${businessId}/payment-methods`, { gateway: 'sandbox', token })
}
