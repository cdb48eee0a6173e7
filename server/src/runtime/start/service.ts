import type { Logger } from 'pino'
import { type App, type AppOptions, createApp } from '../../app.ts'
import { type Config, type Role, urlOf } from '../../config.ts'
import { startEmbedded } from '../../platform/db/embedded/start.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import { VERSION } from '../../version.ts'
import { OWN_DUTIES } from '../jobs/duties.ts'
import type { Tracing } from '../operations/tracing.ts'
import { checkDatabase } from './check-database.ts'
import { checkStripe } from './check-stripe.ts'
import { freePort } from './free-port.ts'
import { masterKeyOf } from './master-key.ts'
import { StartRefused } from './start-refused.ts'

export interface Service {
  readonly url: string
  /** The operator key, when this start made it: shown once. */
  readonly madeOperatorKey?: string
  /** Finishes what is in flight, then stops; the data stays. */
  stop(): Promise<void>
}

/** Starts the service: database, migrations, loops, listening. What it started it stops again when a later part fails. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const part of started.reverse()) await part.stop()
    started.length = 0
  }
  try {
    const embedded = config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log }) : null
    if (embedded) started.push(embedded)
    const databaseUrl = embedded?.url ?? config.databaseUrl ?? ''
    await checkDatabase(databaseUrl)
    for (const name of await migrate({ url: databaseUrl })) log.info({ migration: name }, 'migrated')
    const { stripe } = stripeOf(config)
    if (stripe) await checkStripe({ databaseUrl, log }, stripe)
    const port = config.port === 0 ? await freePort(config.host) : config.port
    const baseUrl = config.baseUrl ?? urlOf(config.host, port)
    const tracing = await tracingOf(config)
    if (tracing) started.push(stopsIfItCan(tracing, log))
    const app = await createApp({
      role: config.role,
      ...(tracing && { tracing }),
      databaseUrl,
      databaseAnswersWithinMs: config.databaseTimeout * 1_000,
      masterKey: config.masterKey ?? (await masterKeyOf(config.dataDir)),
      ...(config.operatorKey === undefined ? {} : { operatorKey: config.operatorKey }),
      ...(config.metricsToken === undefined ? {} : { metricsToken: config.metricsToken }),
      settings: {
        baseUrl,
        billingUrl: config.billingUrl ?? baseUrl,
        allowedNetworks: config.allowedNetworks,
        requireHttps: config.requireHttps,
        operatorShare: config.operatorShare,
        ...(config.auditMonths === undefined ? {} : { auditMonths: config.auditMonths }),
      },
      ...(stripe && { stripe }),
      ...(config.smtpUrl !== undefined &&
        config.mailFrom !== undefined && { smtp: { url: config.smtpUrl, from: config.mailFrom } }),
      isDevelopment: isDevelopment(config),
      sandboxDelayMs: config.sandboxDelayMs,
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
    return { url, stop, ...(app.madeOperatorKey === undefined ? {} : { madeOperatorKey: app.madeOperatorKey }) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** An installation that only its own machine reaches: the embedded database, and loopback addresses. */
function isDevelopment({ databaseUrl, host, baseUrl }: Config): boolean {
  const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || name === '::1' || /^127\./.test(name)
  return (
    databaseUrl === undefined && isLoopback(host) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname))
  )
}

/** Loaded only where somebody wants traces. */
async function tracingOf(config: Config): Promise<Tracing | null> {
  const { otlpEndpoint, otlpTracesEndpoint, otelDisabled, otelSamplerArg: ratio, role } = config
  if (otelDisabled || (otlpEndpoint ?? otlpTracesEndpoint) === undefined) return null
  const { startTracing } = await import('../operations/start-tracing.ts')
  return startTracing({ version: VERSION, role, ratio })
}

/** The last traces are worth a try, and no failed stop. */
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
      throw new StartRefused(`Port ${port} on ${host} is taken. Stop what listens there, or set TILLHOOK_PORT.`)
    }
    if (code === 'EACCES') {
      throw new StartRefused(`Port ${port} may not be opened by this user. Set TILLHOOK_PORT to 1024 or higher.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartRefused(`${host} is no address of this machine. Set TILLHOOK_HOST to one, for example 127.0.0.1.`)
    }
    throw error
  }
}

/** Starts everything that runs by itself in this role. */
function run(app: App, role: Role, log: Logger): { stop(): Promise<void> } {
  const loops = new Map<string, Loop>()
  const isOwn = (key: string) => (OWN_DUTIES as readonly string[]).includes(key)
  for (const [key, duty] of Object.entries(app.duties)) {
    if (role !== 'api' || isOwn(key)) loops.set(key, startLoop({ ...duty, log }))
  }
  // Where nothing is sent from here, what is recorded is left in the queue, and the senders elsewhere are told.
  if (role !== 'api') app.sender.start()
  app.onWake({
    charges: () => loops.get('charges')?.wake(),
    refunds: () => loops.get('refunds')?.wake(),
    deliveries: hookIds => app.sender.wake(hookIds),
    gatewayEvents: () => loops.get('gatewayEvents')?.wake(),
  })
  return {
    stop: async () => {
      await Promise.all([...loops.values()].map(loop => loop.stop()))
    },
  }
}
