import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type App, createApp } from '../app.ts'
import type { AppOptions } from '../app-options.ts'
import { type Config, urlOf } from '../config.ts'
import type { StripeOptions } from '../money/gateway/stripe/client.ts'
import { connectOnce, openDatabase } from '../platform/db/db.ts'
import { freePort } from '../platform/db/embedded/postmaster.ts'
import { exists, writeDurably } from '../platform/db/embedded/site.ts'
import { startEmbedded } from '../platform/db/embedded/start.ts'
import { migrate } from '../platform/db/migrate.ts'
import { parseNetworks } from '../platform/egress/addresses.ts'
import { type Loop, startLoop } from '../platform/loop.ts'
import { parseMasterKey } from '../platform/vault/vault.ts'
import { OWN_JOBS } from '../runtime/jobs/jobs.ts'
import type { Tracing } from '../runtime/operations/tracing.ts'
import type { Role } from '../setting-values.ts'
import { VERSION } from '../version.ts'

export interface Service {
  readonly url: string
  /** Webhooks may reach this machine, because only this machine reaches the service. */
  readonly allowsLoopback: boolean
  /** The operator key if this start created it. Shown once. */
  readonly madeOperatorKey?: string
  /** Where the first operator is created, while no person can sign in as the operator. */
  readonly setUpUrl?: string
  /** Finishes the requests and attempts under way, then stops. The data stays. */
  stop(): Promise<void>
}

/** Starts the service: database, migrations, background jobs, listening. If a part fails, the parts started before it are stopped. */
export async function startService(
  config: Config,
  log: Logger,
  shownSettings: AppOptions['shownSettings'] = [],
): Promise<Service> {
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const part of started.reverse()) await part.stop()
    started.length = 0
  }
  try {
    const embedded = config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log }) : null
    if (embedded) started.push(embedded)
    const databaseUrl = embedded?.url ?? config.databaseUrl ?? ''
    const directUrl = config.databaseDirectUrl ?? databaseUrl
    await checkDatabase(directUrl)
    if (directUrl !== databaseUrl) await checkDatabase(databaseUrl, { isPooled: true })
    for (const name of await migrate({ url: directUrl })) log.info({ migration: name }, 'migrated')
    const { stripe } = stripeOf(config)
    if (stripe) await checkStripe({ databaseUrl: directUrl, log }, stripe)
    const port = config.port === 0 ? await freePort(config.host) : config.port
    const baseUrl = config.baseUrl ?? urlOf(config.host, port)
    const tracing = await tracingOf(config)
    if (tracing) started.push(stopsIfItCan(tracing, log))
    const app = await createApp({
      role: config.role,
      shownSettings,
      ...(tracing && { tracing }),
      databaseUrl,
      ...(directUrl === databaseUrl ? {} : { databaseDirectUrl: directUrl }),
      databaseAnswersWithinMs: config.databaseTimeout * 1_000,
      masterKey: config.masterKey ?? (await masterKeyOf(config.dataDir)),
      ...(config.operatorKey === undefined ? {} : { operatorKey: config.operatorKey }),
      ...(config.metricsToken === undefined ? {} : { metricsToken: config.metricsToken }),
      settings: {
        baseUrl,
        billingUrl: config.billingUrl ?? baseUrl,
        allowedNetworks: config.allowedNetworks ?? (isDevelopment(config) ? LOOPBACK : []),
        requireHttps: config.requireHttps,
        operatorShare: config.operatorShare,
        developersPayFees: config.developersPayFees,
        endsDisputed: config.endDisputed,
        catchUpHours: config.catchUpHours,
        offlineHours: config.offlineHours,
        hasApiLog: config.apiLog,
        isJoinOpen: config.join ?? isDevelopment(config),
        quotas: {
          ...{ apps: config.maxApps, releases: config.maxReleases, packageBytes: config.maxPackagesTotal },
          ...{ testMerchants: config.maxTestMerchants, testClockYears: config.maxTestClockYears },
        },
        ...(config.auditMonths === undefined ? {} : { auditMonths: config.auditMonths }),
      },
      ...(stripe && { stripe }),
      ...(config.smtpUrl !== undefined &&
        config.mailFrom !== undefined && { smtp: { url: config.smtpUrl, from: config.mailFrom } }),
      isDevelopment: isDevelopment(config),
      sandboxDelayMs: config.sandboxDelayMs,
      paysByConnect: config.payouts === 'stripe',
      ...(config.tax === 'stripe' && {
        stripeTax: config.taxCode === undefined ? {} : { taxCode: config.taxCode },
      }),
      ...(config.viesUrl === undefined ? {} : { viesUrl: config.viesUrl }),
      ...(config.simulator === undefined ? {} : { simulator: config.simulator }),
      limits: { ratePerApp: config.ratePerApp, ratePerAddress: config.ratePerAddress },
      trustedProxies: config.trustedProxies,
      maxPackageBytes: config.maxPackage,
      log,
    })
    started.push({ stop: app.close })
    await listen(app, config.host, port)
    started.push(run(app, config.role, log))
    const url = urlOf(config.host, port)
    const allowsLoopback = config.allowedNetworks === undefined && isDevelopment(config)
    return {
      url,
      stop,
      allowsLoopback,
      ...(app.needsSetUp && config.role !== 'worker' && { setUpUrl: `${baseUrl}/setup` }),
      ...(app.madeOperatorKey === undefined ? {} : { madeOperatorKey: app.madeOperatorKey }),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const LOOPBACK = parseNetworks('127.0.0.0/8,::1/128')

/** An installation that only its own machine can reach: the embedded database and loopback addresses. */
function isDevelopment({ databaseUrl, host, baseUrl }: Config): boolean {
  const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || name === '::1' || /^127\./.test(name)
  return (
    databaseUrl === undefined && isLoopback(host) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname))
  )
}

/** Loaded only if tracing is configured. */
async function tracingOf(config: Config): Promise<Tracing | null> {
  const { otlpEndpoint, otlpTracesEndpoint, otelDisabled, otelSamplerArg: ratio, role } = config
  if (otelDisabled || (otlpEndpoint ?? otlpTracesEndpoint) === undefined) return null
  const { startTracing } = await import('../runtime/operations/start-tracing.ts')
  return startTracing({ version: VERSION, role, ratio })
}

/** Tries to send the last traces. A failure does not fail the stop. */
function stopsIfItCan(tracing: Tracing, log: Logger): { stop(): Promise<void> } {
  return { stop: () => tracing.stop().catch(error => log.warn({ err: error }, 'the last traces were not sent')) }
}

function stripeOf(config: Config): Pick<AppOptions, 'stripe'> {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config
  const { stripePublishableKey: publishableKey, stripeApiBase: apiBase } = config
  if (secretKey === undefined) return {}
  return {
    stripe: {
      secretKey,
      ...(webhookSecret === undefined ? {} : { webhookSecret }),
      ...(publishableKey === undefined ? {} : { publishableKey }),
      ...(apiBase === undefined ? {} : { apiBase }),
    },
  }
}

async function listen(app: App, host: string, port: number): Promise<void> {
  try {
    await app.http.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE') {
      throw new StartError(`Port ${port} on ${host} is taken. Stop what listens there, or set TILLHOOK_PORT.`)
    }
    if (code === 'EACCES') {
      throw new StartError(`Port ${port} may not be opened by this user. Set TILLHOOK_PORT to 1024 or higher.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(
        `This machine does not have the address ${host}. Set TILLHOOK_HOST to an address of this machine, for example 127.0.0.1.`,
      )
    }
    throw error
  }
}

/** Starts the background work of this role. */
function run(app: App, role: Role, log: Logger): { stop(): Promise<void> } {
  const loops = new Map<string, Loop>()
  const isOwn = (key: string) => (OWN_JOBS as readonly string[]).includes(key)
  for (const [key, duty] of Object.entries(app.jobs)) {
    if (role !== 'api' || isOwn(key)) loops.set(key, startLoop({ ...duty, log }))
  }
  // An API process leaves deliveries in the queue and notifies the senders of other processes.
  if (role !== 'api') app.sender.start()
  app.onWake({
    charges: () => loops.get('charges')?.wake(),
    refunds: () => loops.get('refunds')?.wake(),
    gatewayEvents: () => loops.get('gatewayEvents')?.wake(),
  })
  return {
    stop: async () => {
      await Promise.all([...loops.values()].map(loop => loop.stop()))
    },
  }
}

/** The oldest supported PostgreSQL: `unique nulls not distinct` appeared in this version. */
const OLDEST_MAJOR = 15

const CHECK_WITHIN_MS = 5_000
/** PgBouncer's `unsupported startup parameter`. */
const UNKNOWN_PARAMETER = '08P01'

/** Rejects an unreachable or old server in a sentence without a password. */
async function checkDatabase(url: string, { isPooled = false } = {}): Promise<void> {
  const { host, pathname } = new URL(url)
  // The connections of the pool send this parameter, which PgBouncer does not know.
  const connection = isPooled ? {} : { statement_timeout: CHECK_WITHIN_MS }
  const sql = connectOnce(url, { connection, prepare: !isPooled })
  try {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
    const major = Math.floor(Number(row?.version) / 10_000)
    if (major < OLDEST_MAJOR) {
      throw new StartError(`The PostgreSQL at ${host} is version ${major}. Tillhook needs ${OLDEST_MAJOR} or newer.`)
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    if (error instanceof Error && 'code' in error && error.code === UNKNOWN_PARAMETER) {
      throw new StartError(
        `The server at ${host} is a connection pooler. Set TILLHOOK_DATABASE_DIRECT_URL to the same database without the pooler.`,
      )
    }
    const why = error instanceof Error && error.message !== '' ? error.message : String(error)
    throw new StartError(
      `The database ${pathname.slice(1)} at ${host} cannot be used (${why}). Check that it runs, and TILLHOOK_DATABASE_URL.`,
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The start waits no longer for a gateway. A wrong account that is not found in this time is found at the first missing customer. */
const WITHIN_MS = 3_000

/** Rejects another Stripe account than the one that this database belongs to: its customers, cards and intents do not exist there. */
async function checkStripe(
  { databaseUrl, log }: { readonly databaseUrl: string; readonly log: Logger },
  keys: Pick<StripeOptions, 'secretKey' | 'apiBase'>,
): Promise<void> {
  const { openAccount, isOtherAccount } = await import('../money/gateway/stripe/client.ts')
  const db = openDatabase({ url: databaseUrl, maxConnections: 1 })
  const clock = { now: () => new Date() }
  try {
    const account = openAccount({ ...keys, db, clock, returnUrl: '', timeoutMs: WITHIN_MS })
    if (!(await isOtherAccount(account))) return
  } catch (error) {
    log.warn(
      { err: error },
      'the Stripe account could not be compared with the stored customers; the service starts without the comparison',
    )
    return
  } finally {
    await db.close()
  }
  throw new StartError(
    'The Stripe account of TILLHOOK_STRIPE_SECRET_KEY has none of the customers that were charged from this database: the key is of ' +
      'another account, or of test mode in place of live mode. Set a key of that account, or begin with a new database.',
  )
}

/**
 * The key that seals secrets at rest, stored beside the embedded database: created at the first start and never changed. A backup of the
 * folder contains both; a copy of the database alone opens nothing.
 */
async function masterKeyOf(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'master.key')
  if (!(await exists(path))) await writeDurably(path, `${randomBytes(32).toString('hex')}\n`)
  const text = await readFile(path, 'utf8')
  try {
    return parseMasterKey(text)
  } catch {
    throw new StartError(`${path} holds no master key. Restore it from a backup: secrets were sealed with it.`)
  }
}

/** The service cannot start with this configuration. The message names the cause and the fix. Exit 1, no stack. */
export class StartError extends Error {
  override name = 'StartError'
}
