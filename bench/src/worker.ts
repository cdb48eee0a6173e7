import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { type App, createApp } from '../../server/src/app.ts'
import type { AppOptions } from '../../server/src/app-options.ts'
import type { Event } from '../../server/src/core/event.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { parseNetworks } from '../../server/src/platform/egress/addresses.ts'
import { sealSecrets } from '../../server/src/webhooks/hooks/secret.ts'
import { recordNotifications } from '../../server/src/webhooks/notifications/record.ts'

/** An event of an app's resource, for one merchant, or for an unknown one. */
export type Fact = readonly [appId: string, resourceId: string, businessId?: string | null]

/** The hooks of an app to create. */
export type AppToMake = readonly HookToMake[]

export interface HookToMake {
  readonly deliveryUrl: string
  /** A merchant created with the app. Absent: the app's existing merchants. */
  readonly businessId?: string
}

export type WorkerRequest =
  | { readonly make: readonly AppToMake[] }
  | { readonly batch: number; readonly facts: readonly Fact[] }

export type WorkerAnswer =
  | { readonly isReady: true }
  /** Ids of the created apps, in the order of the request. */
  | { readonly made: readonly string[] }
  /** The batch was recorded and committed. */
  | { readonly batch: number }
  | { readonly batch: number; readonly error: string }

const EVENT_TYPE = 'APPLICATION_SUBSCRIPTION_START'

/** The service without HTTP and background jobs, in a process of its own: records events in batches, as billing does, and delivers them. */
const quiet = () => {}
const say = (...said: unknown[]) => process.stderr.write(`${inspect(said)}\n`)
const url = process.env.WORKER_DATABASE_URL ?? ''
await migrate({ url })
const app = await createApp({
  databaseUrl: url,
  masterKey: randomBytes(32),
  settings: {
    baseUrl: 'http://bench.test',
    billingUrl: 'http://bench.test',
    allowedNetworks: parseNetworks('127.0.0.0/8'),
    requireHttps: false,
    operatorShare: 2_000,
  },
  limits: {},
  log: { debug: quiet, info: quiet, warn: say, error: say } as unknown as AppOptions['log'],
})
app.sender.start()
process.on('message', (request: WorkerRequest) => void answerTo(request).then(report))
process.once('disconnect', () => process.exit())
process.once('SIGTERM', () => app.close().then(() => process.exit()))
report({ isReady: true })

async function answerTo(request: WorkerRequest): Promise<WorkerAnswer> {
  if ('make' in request) return { made: await makeApps(app, request.make) }
  const { batch } = request
  try {
    await app.ports.db.transaction(tx => recordNotifications(tx, app.ports, request.facts.map(eventOf)))
    return { batch }
  } catch (error) {
    return { batch, error: String(error) }
  }
}

function eventOf([appId, resourceId, businessId]: Fact): Event {
  return {
    eventType: EVENT_TYPE,
    merchantType: 'MERCHANT',
    appId,
    businessId: businessId ?? app.ports.newId(),
    resourceId,
    resourceSeq: 1,
    occurredAt: new Date(),
  }
}

/** Writes the apps directly, because their creation is not measured. Returns the ids of the apps. */
async function makeApps({ ports }: App, apps: readonly AppToMake[]): Promise<string[]> {
  const { newId } = ports
  const { sql } = ports.db
  const at = new Date()
  const organizationId = newId()
  await sql`insert into organizations values (${organizationId}, 'Bench', 'bench@example.com', ${at}, ${at})`
  const appIds = apps.map(() => newId())
  await sql`
    insert into apps
    select app_id, ${organizationId}, 'Bench', 'com.example.' || replace(app_id::text, '-', ''), '{}', 'ACTIVE', ${at}, ${at}
    from unnest(${appIds}::uuid[]) as x (app_id)`
  const hooks = apps.flatMap((ofApp, index) => ofApp.map(hook => ({ appId: appIds[index] ?? '', ...hook })))
  await sql`
    insert into businesses (
      business_id, type, status, legal_name, doing_business_as, email_address, country, timezone, created_at, updated_at)
    select business_id, 'MERCHANT', 'ACTIVE', 'Bench', 'Bench', 'bench@example.com', 'US', 'UTC', ${at}, ${at}
    from unnest(${hooks.flatMap(({ businessId }) => businessId ?? [])}::uuid[]) as x (business_id)`
  const secret = sealSecrets(ports.vault, { secret: 'secret of the bench' })
  await sql`
    insert into hooks (
      hook_id, app_id, business_id, delivery_url, secret, event_types, fingerprint, active, created_at, updated_at)
    select hook_id, app_id, business_id, delivery_url, ${secret}, array[${EVENT_TYPE}::text],
      sha256(hook_id::text::bytea), true, ${at}, ${at}
    from unnest(
      ${hooks.map(() => newId())}::uuid[], ${hooks.map(({ appId }) => appId)}::uuid[],
      ${hooks.map(({ businessId }) => businessId ?? null)}::uuid[],
      ${hooks.map(({ deliveryUrl }) => deliveryUrl)}::text[]) as x (hook_id, app_id, business_id, delivery_url)`
  return appIds
}

function report(answer: WorkerAnswer): void {
  process.send?.(answer)
}
