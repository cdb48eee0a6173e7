import { type Api, type ApiRequest, openApi } from './api.ts'
import { type AppKey, signAssertion, tokenForm } from './assertion.ts'

/** A terminal that can create orders. */
export interface Terminal {
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
}

export interface Seeded {
  /** The app of all subscriptions. */
  readonly app: AppKey
  readonly accessToken: string
  readonly subscriptionIds: readonly string[]
  /** One for each business. */
  readonly terminals: readonly Terminal[]
}

interface SeedOptions {
  readonly baseUrl: string
  /** `TILLHOOK_BASE_URL` of several processes. Default: `baseUrl`. */
  readonly audience?: string
  readonly operatorKey: string
  readonly listenerUrl: string
  readonly signal: AbortSignal
}

const BUSINESSES = 100
/** Each business subscribes to each plan, which makes 1,000 subscriptions. */
const PLANS = 10
/** Each app has one hook and an eighth of the merchants, because a hook has at most 32 concurrent attempts. */
const LISTENING_APPS = 8
/** Enough to keep the service busy. */
const CONNECTIONS = 16

/** Fills a new service through its API. Trials last a year, so no charge is due and the jobs have no work. */
export async function seed({
  baseUrl,
  audience = baseUrl,
  operatorKey,
  listenerUrl,
  signal,
}: SeedOptions): Promise<Seeded> {
  await using api = openApi(baseUrl, { connections: CONNECTIONS })
  const post: Post = (path, body) =>
    sendForJson(api, { method: 'POST', path, bearer: operatorKey, json: JSON.stringify(body) })

  const { organizationId } = await post('/organizations', { name: 'Bench', email: 'bench@example.com' })
  const apps = await inTurns(LISTENING_APPS, signal, index =>
    makeListeningApp(post, organizationId, index, listenerUrl),
  )
  const [app] = apps
  if (app === undefined) throw new Error('There must be an app.')
  const planIds = await sellPlans(post, app.appId)
  const terminals = await inTurns(BUSINESSES, signal, index =>
    makeMerchant(post, index, apps[index % apps.length]?.appId ?? app.appId),
  )
  const sales = terminals.flatMap(({ businessId }) => planIds.map(planId => ({ businessId, planId })))
  const subscriptionIds = await inTurns(sales.length, signal, async index => {
    const { subscriptionId } = await post(`/apps/${app.appId}/subscriptions`, sales[index] ?? {})
    return subscriptionId
  })
  const { accessToken } = await sendForJson(api, {
    method: 'POST',
    path: '/token',
    form: tokenForm(await signAssertion(app, audience)),
  })
  return { app, accessToken, subscriptionIds, terminals }
}

/** The fields of responses that the seed uses. */
type Json = Record<
  | 'organizationId'
  | 'appId'
  | 'kid'
  | 'privateKey'
  | 'releaseId'
  | 'businessId'
  | 'storeId'
  | 'deviceId'
  | 'subscriptionId'
  | 'accessToken',
  string
> & { readonly plans: readonly { readonly planId: string }[] }
type Post = (path: string, body: object) => Promise<Json>

export async function sendForJson(api: Api, request: ApiRequest): Promise<Json> {
  const { status, text } = await api.send(request)
  if (status > 299) throw new Error(`${request.method} ${request.path} was answered ${status}:\n${text}`)
  return JSON.parse(text)
}

async function makeListeningApp(post: Post, organizationId: string, index: number, url: string): Promise<AppKey> {
  const {
    appId = '',
    kid = '',
    privateKey = '',
  } = await post('/apps', {
    organizationId,
    name: `Bench ${index}`,
    packageName: `com.example.bench${index}`,
  })
  await post('/hooks', {
    applicationId: appId,
    deliveryUrl: url,
    secret: `secret of bench ${index}`,
    eventTypes: ['ORDER_OPENED'],
  })
  return { appId, kid, privateKey }
}

async function sellPlans(post: Post, appId: string): Promise<string[]> {
  const plans = Array.from({ length: PLANS }, (_, index) => ({
    name: `Plan ${index}`,
    amounts: [{ country: 'US', currency: 'USD', value: 500 + index }],
    interval: 'MONTH',
    scope: 'BUSINESS',
    trialPeriodDays: 365,
    trialEligibility: 'ALWAYS',
  }))
  const release = await post(`/apps/${appId}/releases`, { version: '1.0.0', plans })
  await post(`/apps/${appId}/releases/${release.releaseId}/approve`, {})
  return release.plans.map(({ planId }) => planId)
}

async function makeMerchant(post: Post, index: number, appId: string): Promise<Terminal> {
  const { businessId } = await post('/businesses', {
    legalName: `Merchant ${index}`,
    emailAddress: `merchant${index}@example.com`,
    country: 'US',
    type: 'TEST_MERCHANT',
  })
  const { storeId } = await post(`/businesses/${businessId}/stores`, { displayName: 'Store' })
  const { deviceId } = await post(`/businesses/${businessId}/stores/${storeId}/devices`, {
    name: 'Terminal',
    serialNumber: `SN-${index}`,
  })
  await post(`/businesses/${businessId}/approvals`, { appId })
  return { businessId, storeId, deviceId }
}

/** Makes `count` things, several at a time, in the order of their index. */
async function inTurns<T>(count: number, signal: AbortSignal, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  const indexes = Array.from({ length: count }, (_, index) => index).values()
  const work = async () => {
    for (const index of indexes) {
      signal.throwIfAborted()
      made[index] = await make(index)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return made
}
