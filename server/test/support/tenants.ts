import { pino } from 'pino'
import { v7 } from 'uuid'
import { businessListRoutes } from '../../src/access/business-lists/routes.ts'
import { createAuthorizer } from '../../src/access/rights/authorize.ts'
import { createRevocations } from '../../src/access/tokens/revocations.ts'
import { appRoutes } from '../../src/catalog/apps/routes.ts'
import { organizationRoutes } from '../../src/catalog/organizations/routes.ts'
import { planRoutes } from '../../src/catalog/plans/routes.ts'
import { releaseRoutes } from '../../src/catalog/releases/routes.ts'
import type { Principal } from '../../src/core/principal.ts'
import { approvalRoutes } from '../../src/merchants/approvals/routes.ts'
import { businessRoutes } from '../../src/merchants/businesses/routes.ts'
import { findBusiness } from '../../src/merchants/businesses/store.ts'
import { createAuditor } from '../../src/platform/audit/store.ts'
import { type Database, type Db, openDatabase, type Sql } from '../../src/platform/db/db.ts'
import { parseNetworks } from '../../src/platform/egress/addresses.ts'
import type { Idempotency } from '../../src/platform/http/ports.ts'
import { createHttpServer } from '../../src/platform/http/server.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import type { Settings } from '../../src/ports.ts'
import { revocationRoutes } from '../../src/webhooks/notifications/revoke-approval.ts'
import { noteExercised } from './exercised.ts'
import { freshDatabase } from './postgres.ts'
import { untilWaiting } from './waiting.ts'

/** A response as tests read it: the body by field. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads fields of many shapes and asserts each.
  readonly body: any
}

export interface Tenants extends AsyncDisposable {
  readonly db: Database
  /** Sends a request as a caller; without one, as nobody. */
  call(as: Principal | null, method: Method, url: string, body?: unknown, headers?: Headers): Promise<Answer>
  /**
   * Makes calls collide: holds a row, starts all calls, and releases the row once each waits for a lock. All calls have then read the old
   * state, so a missing lock shows.
   */
  atOnce(row: HeldRow, calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]>
  /** The time that the service's clock shows, or how it is read. */
  setNow(at: Date | (() => Date)): void
}

interface HeldRow {
  readonly table: 'organizations' | 'apps' | 'businesses' | 'plans' | 'releases'
  readonly column: string
  readonly id: string
}

type Headers = Readonly<Record<string, string>>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export const OPERATOR: Principal = { kind: 'operator', role: 'ADMIN', name: 'test' }

/**
 * Tenants over a real database and the real HTTP layer, without tokens: the test names the caller. Idempotency stores nothing here; each
 * request's work is one transaction, as with a key.
 */
export async function openTenants(settings: Partial<Settings> = {}): Promise<Tenants> {
  const fresh = await freshDatabase()
  const db = openDatabase({ url: fresh.url })
  let now = () => new Date('2026-03-01T10:00:00Z')
  const revocations = createRevocations(now())
  const findCountry = async (sql: Sql, id: string) => (await findBusiness(sql, id))?.country
  const ports = {
    vault: createVault(Buffer.alloc(32, 7)),
    db,
    clock: { now: () => now() },
    newId: () => v7(),
    settings: { ...SETTINGS, ...settings },
    revocations,
    findCountry,
  }
  const slices = [
    organizationRoutes,
    appRoutes,
    planRoutes,
    releaseRoutes,
    businessListRoutes,
    businessRoutes,
    approvalRoutes,
    revocationRoutes,
  ]
  const app = createHttpServer({
    ...ports,
    routes: slices.flatMap(routes => routes(ports)),
    authenticator: { authenticate: async header => JSON.parse(header ?? '{"kind":"anonymous"}') },
    authorizer: createAuthorizer(ports),
    idempotency: noIdempotency(db),
    auditor: createAuditor(ports),
    log: pino({ level: 'silent' }),
    limits: { ratePerApp: 1e6, ratePerAddress: 1e6 },
  })
  noteExercised(app)
  return {
    db,
    setNow: at => {
      now = typeof at === 'function' ? at : () => at
    },
    atOnce: async (row, calls) => {
      const started = await db.transaction(async ({ sql }) => {
        await sql`select 1 from ${sql(row.table)} where ${sql(row.column)} = ${row.id} for update`
        const running = calls.map(call => call())
        await untilWaiting(db.sql, calls.length)
        // In a list: a promise that a transaction returned would be waited for while it holds the row.
        return [running]
      })
      return Promise.all(started.flat())
    },
    async call(as, method, url, body, headers = {}) {
      const reply = await app.inject({
        method,
        url,
        headers: { ...(as && { authorization: JSON.stringify(as) }), 'idempotency-key': v7(), ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() }
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await db.close()
      await fresh.drop()
    },
  }
}

const SETTINGS = {
  ...{ baseUrl: 'https://api.example.test', billingUrl: 'https://api.example.test' },
  ...{ allowedNetworks: parseNetworks(''), requireHttps: false, operatorShare: 0 },
}

/** A developer's organization with an app, both new. `appId` is the URN, `developer` and `app` are callers. */
export async function newDeveloper(tenants: Tenants) {
  const { body: organization } = await tenants.call(OPERATOR, 'POST', '/organizations', {
    name: 'Acme',
    email: 'dev@acme.example',
  })
  const organizationId: string = organization.organizationId
  const developer: Principal = { kind: 'developer', role: 'ADMIN', userId: v7(), organizationId }
  const { body: made } = await tenants.call(developer, 'POST', '/apps', {
    organizationId,
    name: 'Till',
    packageName: newPackageName(),
    publicKey: PUBLIC_KEY,
  })
  const appId: string = made.appId
  const uuid = appId.slice('urn:aid:'.length)
  const app: Principal = { kind: 'app', appId: uuid, organizationId, grantId: v7() }
  return { organizationId, developer, appId, uuid, app }
}

/** A merchant of the operator's, or with an organization its test merchant. */
export async function newBusiness(tenants: Tenants, { organizationId, country = 'US' }: NewBusiness = {}) {
  const { body } = await tenants.call(OPERATOR, 'POST', '/businesses', {
    legalName: 'Corner Shop Inc.',
    emailAddress: 'owner@corner.example',
    country,
    type: organizationId === undefined ? 'MERCHANT' : 'TEST_MERCHANT',
    ...(organizationId === undefined ? {} : { organizationId }),
  })
  const businessId: string = body.businessId
  return businessId
}

interface NewBusiness {
  readonly organizationId?: string
  readonly country?: string
}

/** A live or an ended subscription, written directly: all that these slices know of one is that it is there. */
export async function writeSubscription(
  sql: Sql,
  of: { appId: string; organizationId: string; businessId: string; planId: string; status: 'ACTIVE' | 'ENDED' },
): Promise<void> {
  const at = new Date('2026-03-01T00:00:00Z')
  const end = new Date('2026-04-01T00:00:00Z')
  const ended = of.status === 'ENDED'
  await sql`
    insert into subscriptions (
      subscription_id, app_id, organization_id, business_id, plan_id, bundle_id, merchant_type, country, currency,
      amount, phase, status, payment_status, start_at, started_at, anchor_at, term, period_index,
      current_period_start, current_period_end, ended_at, end_reason, last_trigger_at, resource_seq, created_at,
      updated_at)
    values (
      ${v7()}, ${of.appId}, ${of.organizationId}, ${of.businessId}, ${of.planId}, ${v7()}, 'MERCHANT', 'US', 'USD',
      500, 'FULL', ${of.status}, 'CURRENT', ${at}, ${at}, ${at}, 1, 0, ${at}, ${end}, ${ended ? at : null},
      ${ended ? 'CANCELLED' : null}, ${at}, 1, ${at}, ${at})`
}

export const newPackageName = () => `com.acme.t${v7().replaceAll('-', '')}`

export const PLAN = {
  name: 'Basic',
  amounts: [{ country: 'US', currency: 'USD', value: 500 }],
  interval: 'MONTH',
  scope: 'BUSINESS',
}

/** Plans of an approved release. Returns their ids in the order given. */
export async function newPlans(tenants: Tenants, appId: string, plans: readonly unknown[] = [PLAN]): Promise<string[]> {
  const submitted = await tenants.call(OPERATOR, 'POST', `/apps/${appId}/releases`, { version: '1.0', plans })
  const path = `/apps/${appId}/releases/${submitted.body.releaseId}/approve`
  const approved = await tenants.call(OPERATOR, 'POST', path)
  return approved.body.plans.map((plan: { planId: string }) => plan.planId)
}

/** From a key pair whose private half was discarded. */
const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAs+P1Ohy/xRC6SPtwcTWO
yKFuHX+vAj2b+UVrd4lO6HdM6B3EDYmROFY9wF4pMfzjWg6G7Wjqk9EjvENSatAb
ji1z2vWk4NhTqfB+5PIudoO6pK3MNPv/sAP+Z7PvsGACerZuy7PIDqJY9YX4JF2x
+w70Wf1CLHSry+8Sv8zw/7BlW0qs6reY1RHhYoim0ZE1n31LUs5SzYMWXbzEtr5q
MI4kV2fycMqzc7tlsU0t3vU3d/2DGNMhOsgsRO5iGA6P1FgfamuQFY7hXj0MJoDz
wWIFUg/+6PTO3BpG1P/19Zz4GbaPt3fdgf87nedFDP+ddWlJRJheX0siQj+71xnz
5QIDAQAB
-----END PUBLIC KEY-----`

/** Runs all work, and stores no answers. */
export function noIdempotency(db: Db): Idempotency {
  return {
    find: async () => null,
    finish: async (_request, answer) => answer,
    onceEach: (requests, work) => db.transaction(async tx => [...(await work(tx, [...requests.keys()]))]),
  }
}
