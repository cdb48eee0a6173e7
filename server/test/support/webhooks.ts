import assert from 'node:assert/strict'
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { type Logger, pino } from 'pino'
import { v7 } from 'uuid'
import { createAuthorizer } from '../../src/access/rights/authorize.ts'
import { createRevocations } from '../../src/access/tokens/revocations.ts'
import { appRoutes } from '../../src/catalog/apps/routes.ts'
import { organizationRoutes } from '../../src/catalog/organizations/routes.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Event } from '../../src/core/event.ts'
import { dayOfId } from '../../src/core/id.ts'
import type { Principal } from '../../src/core/principal.ts'
import { approvalRoutes } from '../../src/merchants/approvals/routes.ts'
import { businessRoutes } from '../../src/merchants/businesses/routes.ts'
import { createAuditor } from '../../src/platform/audit/store.ts'
import { openDatabase } from '../../src/platform/db/db.ts'
import { parseNetworks } from '../../src/platform/egress/addresses.ts'
import { createPost, type Post } from '../../src/platform/egress/post.ts'
import { createHttpServer } from '../../src/platform/http/server.ts'
import { createLogMail } from '../../src/platform/mail/mail.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import type { Ports } from '../../src/ports.ts'
import { createBacklog } from '../../src/webhooks/deliveries/backlog.ts'
import { ensurePartitions } from '../../src/webhooks/deliveries/partitions.ts'
import { createSender, type Sender, type SenderOptions } from '../../src/webhooks/deliveries/sender.ts'
import { hookRoutes } from '../../src/webhooks/hooks/routes.ts'
import { recordNotifications } from '../../src/webhooks/notifications/record.ts'
import { revocationRoutes } from '../../src/webhooks/notifications/revoke-approval.ts'
import { notificationRoutes } from '../../src/webhooks/notifications/routes.ts'
import { limitHookTests } from '../../src/webhooks/notifications/test-hook.ts'
import { orderRoutes } from '../../src/webhooks/orders/routes.ts'
import { redeliveryRoutes } from '../../src/webhooks/redeliveries/routes.ts'
import { listenHttp } from './egress/listeners.ts'
import { noteExercised } from './exercised.ts'
import { freshDatabase } from './postgres.ts'
import { newBusiness, newDeveloper, noIdempotency, OPERATOR, type Tenants } from './tenants.ts'

/** Hooks, deliveries and orders over a real database, the real edge and the real way out, to loopback only. */
export interface Webhooks extends Pick<Tenants, 'db' | 'call' | typeof Symbol.asyncDispose> {
  readonly ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'post' | 'log' | 'settings' | 'wake' | 'backlog'>
  /** Of the database. */
  readonly url: string
  now(): Date
  setNow(at: Date): void
  /** Lets time pass for everything but the network. */
  pass(ms: number): void
  /** Another one is another process. No jitter unless the test brings it. */
  sender(options?: Partial<SenderOptions> & { post?: Post; clock?: Clock }): Sender
  record(...events: Event[]): Promise<void>
  /** Hooks that the routes have reported as changed. */
  readonly forgotten: string[]
}

export const HOUR_MS = 3_600_000
const BASE_URL = 'https://api.test'

export async function openWebhooks(log: Logger = pino({ level: 'silent' })): Promise<Webhooks> {
  const fresh = await freshDatabase()
  const db = openDatabase({ url: fresh.url })
  const allowedNetworks = parseNetworks('127.0.0.0/8')
  const egress = createPost({ allowedNetworks })
  let now = new Date('2026-03-01T10:00:00Z')
  const ports = {
    db,
    clock: { now: () => now },
    newId: newIdAt(() => now),
    vault: createVault(Buffer.alloc(32, 7)),
    post: egress.post,
    log,
    settings: {
      baseUrl: BASE_URL,
      billingUrl: 'https://billing.test',
      allowedNetworks,
      requireHttps: false,
      operatorShare: 2_000,
    },
    wake: { charges() {}, refunds() {}, gatewayEvents() {} },
    gateways: {} as Ports['gateways'],
    mail: createLogMail(log),
    // Only looked at by tests: at first nothing is behind.
    backlog: createBacklog({ db, clock: { now: () => now }, log }),
  }
  const forgotten: string[] = []
  const dispatch = {
    recorded() {},
    changed: (hookIds: readonly string[]) => void forgotten.push(...hookIds),
  }
  await ensurePartitions(db, now, 60)
  const slices = [organizationRoutes, appRoutes, businessRoutes, approvalRoutes]
  const app = createHttpServer({
    ...ports,
    routes: [...slices, hookRoutes, notificationRoutes, revocationRoutes, redeliveryRoutes, orderRoutes].flatMap(
      routes => routes({ ...ports, dispatch, ...limitHookTests(ports), revocations: createRevocations(now) }),
    ),
    authenticator: { authenticate: async header => JSON.parse(header ?? '{"kind":"anonymous"}') },
    authorizer: createAuthorizer(ports),
    idempotency: noIdempotency(db),
    auditor: createAuditor(ports),
    limits: { ratePerApp: 1e6, ratePerAddress: 1e6 },
  })
  noteExercised(app)
  return {
    db,
    ports,
    forgotten,
    url: fresh.url,
    now: () => now,
    setNow: at => {
      now = at
    },
    pass: ms => {
      now = new Date(now.getTime() + ms)
    },
    sender: ({ post = ports.post, clock = ports.clock, ...options } = {}) =>
      createSender({ ...ports, post, clock }, { version: '0.0.0-test', random: () => 0.5, ...options }),
    record: (...events) => db.transaction(tx => recordNotifications(tx, ports, events)),
    async call(as, method, url, body) {
      const reply = await app.inject({
        method,
        url: url.replace(BASE_URL, ''),
        headers: { ...(as && { authorization: JSON.stringify(as) }) },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() }
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await egress.close()
      await db.close()
      await fresh.drop()
    },
  }
}

/** Ids of the test's own time, in ascending order. */
function newIdAt(now: () => Date): () => string {
  let made = 0
  return () => v7({ msecs: now().getTime(), seq: ++made })
}

/** A request that the listener received. */
export interface Received {
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads fields of a body and asserts each.
  readonly body: any
}

type Reply = number | ((received: Received, response: ServerResponse) => void)

/** A listener on loopback. `reply` may be changed between runs; at first everything is acknowledged. */
export async function openListener(t: TestContext, first: Reply = 200) {
  const received: Received[] = []
  const listener = { received, reply: first as Reply }
  const onRequest: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const got = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) }
      received.push(got)
      const { reply } = listener
      if (typeof reply === 'number') response.writeHead(reply).end()
      else reply(got, response)
    })
  }
  return Object.assign(listener, await listenHttp(t, onRequest))
}

/** An app with a merchant that approved it. */
export async function newListening(webhooks: Webhooks) {
  // They only make calls.
  const tenants = webhooks as unknown as Tenants
  const developer = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const approved = await webhooks.call(OPERATOR, 'POST', `/businesses/${businessId}/approvals`, {
    appId: developer.appId,
  })
  assert.equal(approved.status, 201)
  return { ...developer, businessId }
}

export const ALL_ORDERS = ['ORDER_OPENED', 'ORDER_COMPLETED', 'ORDER_CANCELLED', 'ORDER_UPDATED']
export const START = 'APPLICATION_SUBSCRIPTION_START'

/** Registers a hook and returns its id. */
export async function newHook(
  webhooks: Webhooks,
  as: Principal,
  hook: { applicationId: string; deliveryUrl: string; businessId?: string; eventTypes?: string[]; secret?: string },
): Promise<string> {
  const made = await webhooks.call(as, 'POST', '/hooks', {
    secret: 'shhh',
    eventTypes: [START, 'APPLICATION_SUBSCRIPTION_END', ...ALL_ORDERS],
    ...hook,
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body.id
}

/** A fact about some subscription of the app; of the same one where `resourceId` is given. */
export function billingEvent(
  webhooks: Webhooks,
  of: { uuid: string; businessId: string },
  { resourceId = v7(), resourceSeq = 1 }: { resourceId?: string; resourceSeq?: number } = {},
): Event {
  const { uuid: appId, businessId } = of
  const occurredAt = webhooks.now()
  return { eventType: START, merchantType: 'MERCHANT', appId, businessId, resourceId, resourceSeq, occurredAt }
}

/** Records attempts with these answers, as after repeated replays. */
export async function addAttempts(
  { db, newId }: Pick<Ports, 'db' | 'newId'>,
  notificationId: string,
  answers: readonly string[],
): Promise<void> {
  await db.sql`
    insert into attempts (
      recorded_day, notification_id, attempt_id, attempt, attempted_at, duration_ms, http_status, answer)
    select ${dayOfId(notificationId)}::date, ${notificationId}, attempt_id, 1, now(), 1, 200, answer
    from unnest(${answers.map(() => newId())}::uuid[], ${[...answers]}::text[]) as t (attempt_id, answer)`
}
