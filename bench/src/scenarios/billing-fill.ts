import { openDatabase, type Sql } from '../../../server/src/platform/db/db.ts'
import { type Api, openApi } from '../api.ts'
import { sendForJson } from '../seed.ts'
import type { World } from '../world.ts'

const DAY_MS = 86_400_000
/** The limit of one statement. A statement writes 100,000 rows of one table. */
export const FILL_WITHIN_MS = 900_000

/** Subscriptions of one app whose hook listens to payments. Each subscription has its own merchant with one card. */
export interface Fill {
  readonly subscriptions: number
  /** The due instant of the n-th subscription. */
  dueAt(n: number): Date
}

type Filling = Pick<World, 'baseUrl' | 'operatorKey' | 'databaseUrl' | 'inbox'>

export interface Filled {
  readonly appId: string
  readonly subscriptionIds: readonly string[]
}

/** Creates the app through the API. Writes merchants, cards and subscriptions directly, because the API would take an hour. */
export async function fillDue(world: Filling, fill: Fill): Promise<Filled> {
  await using api = openApi(world.baseUrl, { connections: 1 })
  const app = await makeApp(world, api)
  const ids = idsOf(Date.now())
  const db = openDatabase({ url: world.databaseUrl, maxConnections: 1, answerWithinMs: FILL_WITHIN_MS })
  try {
    await insertAll(db.sql, { ...app, ids, fill })
  } finally {
    await db.close()
  }
  const subscriptionIds = Array.from({ length: fill.subscriptions }, (_, n) => `${ids.subscription}${hex(n)}`)
  return { appId: app.appId, subscriptionIds }
}

interface MadeApp {
  readonly appId: string
  readonly organizationId: string
  readonly planId: string
}

/** The plan is daily, so every period has the same length. */
async function makeApp({ operatorKey, inbox }: Filling, api: Api): Promise<MadeApp> {
  const post = (path: string, body: object) =>
    sendForJson(api, { method: 'POST', path, bearer: operatorKey, json: JSON.stringify(body) })
  const { organizationId } = await post('/organizations', { name: 'Billing', email: 'billing@example.com' })
  const packageName = `com.example.billing${Date.now()}`
  const { appId } = await post('/apps', { organizationId, name: 'Billing', packageName })
  await post('/hooks', {
    applicationId: appId,
    deliveryUrl: inbox.url,
    secret: 'secret of billing',
    eventTypes: ['APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS'],
  })
  const plan = { name: 'Day', amounts: [{ country: 'US', currency: 'USD', value: 500 }], interval: 'DAY' }
  const release = await post(`/apps/${appId}/releases`, { version: '1.0.0', plans: [{ ...plan, scope: 'BUSINESS' }] })
  await post(`/apps/${appId}/releases/${release.releaseId}/approve`, {})
  return { appId, organizationId, planId: release.plans[0]?.planId ?? '' }
}

/** UUIDv7 ids in order of creation; the last twelve digits are a counter. */
function idsOf(nowMs: number) {
  const ms = hex(nowMs)
  const prefix = `${ms.slice(0, 8)}-${ms.slice(8)}-7000`
  return { business: `${prefix}-8000-`, method: `${prefix}-8001-`, subscription: `${prefix}-8002-` }
}

function hex(n: number): string {
  return n.toString(16).padStart(12, '0')
}

interface All extends MadeApp {
  readonly ids: ReturnType<typeof idsOf>
  readonly fill: Fill
}

async function insertAll(sql: Sql, { appId: urn, organizationId, planId, ids, fill }: All): Promise<void> {
  const appId = urn.slice('urn:aid:'.length)
  const last = fill.subscriptions - 1
  const at = new Date()
  await sql`
    insert into businesses (
      business_id, type, status, legal_name, doing_business_as, email_address, country, timezone, created_at, updated_at)
    select (${ids.business} || lpad(to_hex(n), 12, '0'))::uuid, 'MERCHANT', 'ACTIVE', 'Shop', 'Shop', 'shop@example.com',
      'US', 'UTC', ${at}, ${at}
    from generate_series(0, ${last}) as n`
  await sql`
    insert into sandbox_payment_methods (reference, key, behaviour, created_at)
    select 'pm_' || ${ids.method} || n, ${ids.method} || n, 'tok_ok', ${at} from generate_series(0, ${last}) as n`
  await sql`
    insert into payment_methods (payment_method_id, business_id, gateway, reference, label, preferred_at, created_at)
    select (${ids.method} || lpad(to_hex(n), 12, '0'))::uuid, (${ids.business} || lpad(to_hex(n), 12, '0'))::uuid,
      'sandbox', 'pm_' || ${ids.method} || n, 'Test card ok', ${at}, ${at}
    from generate_series(0, ${last}) as n`
  const dueAt = Array.from({ length: fill.subscriptions }, (_, n) => fill.dueAt(n).toISOString())
  await sql`
    insert into subscriptions (
      subscription_id, app_id, organization_id, business_id, plan_id, bundle_id, merchant_type, country, currency, amount,
      phase, status, payment_status, start_at, started_at, anchor_at, term, period_index, current_period_start,
      current_period_end, last_trigger_at, resource_seq, created_at, updated_at, next_action_at)
    select (${ids.subscription} || lpad(to_hex(n), 12, '0'))::uuid, ${appId}, ${organizationId},
      (${ids.business} || lpad(to_hex(n), 12, '0'))::uuid, ${planId}, gen_random_uuid(), 'MERCHANT', 'US', 'USD', 500,
      'FULL', 'ACTIVE', 'CURRENT', date_trunc('day', began), began, began, 0, 0, began, due, began, 1, began, began, due
    from (
      select place - 1 as n, due, due - make_interval(secs => ${DAY_MS / 1_000}) as began
      from unnest(${dueAt}::text[]::timestamptz[]) with ordinality as x (due, place)) as drawn`
  await sql`vacuum (analyze)`
}
