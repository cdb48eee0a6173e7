import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { accountRoutes, passwordResetRoutes } from './access/accounts/routes.ts'
import { businessListRoutes } from './access/business-lists/routes.ts'
import { businessUserRoutes, terminalSessionRoutes } from './access/business-users/routes.ts'
import { deviceLoginRoutes } from './access/device-logins/routes.ts'
import { invitationRoutes } from './access/invitations/routes.ts'
import { membershipRoutes } from './access/memberships/routes.ts'
import { ensureOperatorKey, type OperatorKey } from './access/operator-keys/ensure-operator-key.ts'
import { createAuthorizer } from './access/rights/authorize.ts'
import { sessionRoutes } from './access/sessions/routes.ts'
import { createWebSessions } from './access/sessions/web-sessions.ts'
import { needsSetUp } from './access/sign-up/set-up.ts'
import { createAuthenticator } from './access/tokens/authenticator.ts'
import { tokenRoutes } from './access/tokens/routes.ts'
import { createTokenMemory, type TokenMemory } from './access/tokens/token-memory.ts'
import { userRoutes } from './access/users/routes.ts'
import type { AppOptions } from './app-options.ts'
import { appIconRoutes } from './catalog/apps/icon-routes.ts'
import { appRoutes } from './catalog/apps/routes.ts'
import { organizationRoutes, sellerRoutes } from './catalog/organizations/routes.ts'
import { planRoutes } from './catalog/plans/routes.ts'
import { releaseRoutes } from './catalog/releases/routes.ts'
import { approvalRoutes } from './merchants/approvals/routes.ts'
import { businessRoutes } from './merchants/businesses/routes.ts'
import { findBusiness } from './merchants/businesses/store.ts'
import { createVies } from './merchants/tax-ids/vies.ts'
import { moneyRoutes } from './money/billing/money-routes.ts'
import { purchaseRoutes } from './money/billing/purchase-routes.ts'
import { subscriptionActRoutes, subscriptionChangeRoutes } from './money/billing/subscription-routes.ts'
import { catchUpRoutes } from './money/catch-up/routes.ts'
import { endingRoutes } from './money/endings/routes.ts'
import type { Gateway } from './money/gateway/gateway.ts'
import { slowness } from './money/gateway/sandbox/payments.ts'
import { createSandbox, eventSecretOf } from './money/gateway/sandbox/sandbox.ts'
import type { StripeOptions } from './money/gateway/stripe/client.ts'
import { gatewayEventRoutes } from './money/gateway-events/routes.ts'
import { checkRoutes } from './money/invariant-checks/routes.ts'
import { HOURLY_MAX_MS, type LatestChecks } from './money/invariant-checks/run.ts'
import { invoiceRoutes } from './money/invoices/routes.ts'
import { ledgerRoutes } from './money/ledger/routes.ts'
import { taxReportRoutes } from './money/ledger/tax-report-routes.ts'
import { listRoutes } from './money/lists/routes.ts'
import { payoutRoutes } from './money/payouts/routes.ts'
import { transferRoutes } from './money/payouts/transfer-routes.ts'
import type { Transfers } from './money/payouts/transfers.ts'
import { reconciliationRoutes } from './money/reconciliations/routes.ts'
import { revenueRoutes } from './money/reports/revenue-routes.ts'
import { reportRoutes } from './money/reports/routes.ts'
import { subscriptionRoutes } from './money/subscriptions/routes.ts'
import type { TaxProvider } from './money/tax/provider.ts'
import { taxRoutes } from './money/tax/routes.ts'
import type { StripeTaxOptions } from './money/tax/stripe-tax.ts'
import { testClockRoutes } from './money/test-clocks/routes.ts'
import { invoiceArchiveRoutes } from './pages/merchant/invoice-files.ts'
import type { SystemReadings } from './pages/ops/system.ts'
import { allPages } from './pages/pages.ts'
import { createSurround } from './pages/shell/surroundings.ts'
import { SIMULATOR_ASSETS } from './pages/simulator/pages.ts'
import { createApiLogPartitions } from './platform/api-log/partitions.ts'
import { createApiRecorder } from './platform/api-log/recorder.ts'
import { apiLogRoutes } from './platform/api-log/routes.ts'
import { createAuditPartitions } from './platform/audit/partitions.ts'
import { auditRoutes } from './platform/audit/routes.ts'
import { createAuditor } from './platform/audit/store.ts'
import { type CurrentBrand, createCurrentBrand } from './platform/brand/current.ts'
import { brandRoutes } from './platform/brand/routes.ts'
import { type Database, openDatabase } from './platform/db/db.ts'
import { createPost } from './platform/egress/post.ts'
import type { AnyPage } from './platform/http/page.ts'
import type { AnyRoute } from './platform/http/route.ts'
import { createHttpServer } from './platform/http/server.ts'
import { createIdempotency } from './platform/idempotency/once.ts'
import type { ObserveRun } from './platform/loop.ts'
import { createLogMail, createUnconfiguredMail, type Mail } from './platform/mail/mail.ts'
import { openIds } from './platform/new-id.ts'
import { createVault } from './platform/vault/vault.ts'
import type { Ports, Wake } from './ports.ts'
import { backgroundJobs, createPartitions, dropOldPartitions, observeJobs } from './runtime/jobs/jobs.ts'
import { createLatestRuns } from './runtime/jobs/latest-runs.ts'
import { openWorkRate } from './runtime/jobs/rate.ts'
import { contractRoutes } from './runtime/openapi/routes.ts'
import { readGauges, readHookGauges } from './runtime/operations/gauges.ts'
import { createMetrics } from './runtime/operations/metrics.ts'
import { operationRoutes } from './runtime/operations/routes.ts'
import { combineTelemetry, logTelemetry, observeGateways } from './runtime/operations/watch.ts'
import { installedAppRoutes } from './terminals/installed-apps/routes.ts'
import { terminalRoutes } from './terminals/terminal-api/routes.ts'
import { terminalListRoutes } from './terminals/terminal-lists/routes.ts'
import { VERSION } from './version.ts'
import { createBacklog } from './webhooks/deliveries/backlog.ts'
import { createNotices } from './webhooks/deliveries/notices.ts'
import { createSender, type Sender } from './webhooks/deliveries/sender.ts'
import { eventStreamRoutes } from './webhooks/event-streams/routes.ts'
import { createEventStreams, type EventStreams } from './webhooks/event-streams/streams.ts'
import { hookRoutes } from './webhooks/hooks/routes.ts'
import { revocationRoutes } from './webhooks/notifications/revoke-approval.ts'
import { notificationRoutes } from './webhooks/notifications/routes.ts'
import { type HookTests, limitHookTests } from './webhooks/notifications/test-hook.ts'
import { orderRoutes } from './webhooks/orders/routes.ts'
import { redeliveryRoutes } from './webhooks/redeliveries/routes.ts'

/** The connected service. No port is open and no job runs yet. */
export interface App {
  readonly http: FastifyInstance
  readonly routes: readonly AnyRoute[]
  readonly pages: readonly AnyPage[]
  readonly ports: Ports
  readonly sender: Sender
  readonly jobs: ReturnType<typeof backgroundJobs>
  /** Present if this start created the key. */
  readonly madeOperatorKey?: string
  /** No person can sign in as the operator yet. */
  readonly needsSetUp: boolean
  /** Connects commits to the loops. Without a connection, polling finds the work. */
  onWake(wake: Partial<Wake>): void
  close(): Promise<void>
}

/** Connects every slice to its ports. No other file knows all slices. */
export async function createApp(options: AppOptions): Promise<App> {
  const clock = options.clock ?? { now: () => new Date() }
  const { log, settings, role = 'all', tracing, wrap = ports => ports } = options
  const { databaseUrl: url, databaseAnswersWithinMs: answerWithinMs } = options
  const { databaseConnectsWithinMs: connectWithinMs, databaseDirectUrl: directUrl = url } = options
  const database = {
    url,
    isPooled: directUrl !== url,
    ...(answerWithinMs !== undefined && { answerWithinMs }),
    ...(connectWithinMs !== undefined && { connectWithinMs }),
  }
  const db = openDatabase(database)
  const gatewayDb = openDatabase({ ...database, maxConnections: 4, applicationName: 'tillhook sandbox' })
  const egress = createPost({ allowedNetworks: settings.allowedNetworks })
  const mail = options.mail ?? (await mailOf(options))
  const wake: { -readonly [K in keyof Wake]: Wake[K] } = {
    charges() {},
    refunds() {},
    gatewayEvents() {},
  }
  const newId = openIds()
  const workRate = options.workRate ?? openWorkRate()
  const notices = createNotices({ db, url: directUrl, log })
  let sender: Sender | undefined
  const latestChecks: LatestChecks = { results: [] }
  const checks = {
    latestChecks,
    // The second connection cancels the first.
    openDatabase: () =>
      openDatabase({
        url: directUrl,
        maxConnections: 2,
        answerWithinMs: HOURLY_MAX_MS,
        applicationName: 'tillhook checks',
      }),
  }
  const latestRuns = createLatestRuns(clock)
  const metrics = createMetrics({ db, clock, latestChecks }, { version: VERSION, role })
  const watch = combineTelemetry([metrics.watch, logTelemetry(log), ...(tracing ? [tracing.watch] : [])])
  const gateways = {
    sandbox: createSandbox({
      ...{ db: gatewayDb, clock, newId, settings, eventSecret: eventSecretOf(options.masterKey) },
      isStrict: options.stripe !== undefined,
      ...(options.sandboxDelayMs ? { faults: slowness(options.sandboxDelayMs) } : {}),
    }),
    ...(options.stripe && {
      stripe: await stripeOf({ ...options.stripe, db: gatewayDb, clock, returnUrl: settings.baseUrl }),
    }),
  }
  const ports = wrap({
    db,
    clock,
    newId,
    vault: createVault(options.masterKey),
    gateways: observeGateways({ clock, telemetry: watch }, gateways),
    post: egress.post,
    ...(options.stripe &&
      options.paysByConnect && {
        transfers: await connectOf({ ...options.stripe, db: gatewayDb, clock, returnUrl: settings.baseUrl }),
      }),
    ...(options.stripe &&
      options.stripeTax && {
        taxProvider: await stripeTaxOf({
          ...{ ...options.stripe, ...options.stripeTax, db: gatewayDb, clock },
          returnUrl: settings.baseUrl,
        }),
      }),
    ...(options.viesUrl !== undefined && { taxIds: createVies({ post: egress.post, url: options.viesUrl }) }),
    mail,
    log,
    telemetry: watch,
    wake: {
      charges: () => wake.charges(),
      refunds: () => wake.refunds(),
      gatewayEvents: () => wake.gatewayEvents(),
    },
    backlog: createBacklog({ db, clock, log }),
    dispatch: {
      recorded: rows => sender?.recorded(rows),
      changed: hookIds => sender?.changed(hookIds),
    },
    settings,
  })
  const apiRecorder = createApiRecorder(ports)
  try {
    await createPartitions(ports)
    await dropOldPartitions(ports)
    await createAuditPartitions(ports)
    await createApiLogPartitions(ports)
    const operatorKey = await ensureOperatorKey(ports, options.operatorKey)
    const tokens = createTokenMemory(ports, answerWithinMs)
    const streams = createEventStreams(ports)
    const currentBrand = createCurrentBrand(ports)
    const system: SystemReadings = {
      ...{ version: VERSION, role, settings: options.shownSettings ?? [], jobs: latestRuns.list },
      ...{ process: `${hostname()}:${process.pid}`, startedAt: clock.now() },
      mail: options.smtp ? 'relay' : options.isDevelopment ? 'log' : 'none',
      health: async () => {
        const now = clock.now()
        const [waiting, hooks] = await Promise.all([readGauges(db, now), readHookGauges(db, now)])
        return { ...waiting, ...hooks }
      },
    }
    const wired = { ...ports, ...tokens, ...limitHookTests(ports), operatorKey, currentBrand, streams, system }
    const ofOperations = operationRoutes(ports, {
      ...{ metrics, version: VERSION, isOperatorKey: operatorKey.verify },
      ...(options.metricsToken !== undefined && { metricsToken: options.metricsToken }),
    })
    const described = [
      ...tokenRoutes(wired),
      ...routesOf(wired),
      ...businessUserRoutes(wired),
      ...terminalRoutes(wired),
      ...installedAppRoutes(ports),
      ...terminalListRoutes(ports),
      ...terminalSessionRoutes(wired),
      ...ofOperations,
    ]
    const everything = () => [
      ...described,
      ...contractRoutes(described, { ...settings, version: VERSION }, currentBrand),
    ]
    const routes = role === 'worker' ? ofOperations : everything()
    const hasSimulator = options.simulator ?? options.stripe === undefined
    const pages = role === 'worker' ? [] : allPages(wired, hasSimulator)
    const http = createHttpServer({
      ...ports,
      routes,
      web: {
        ...{ pages, sessions: createWebSessions(ports), masterKey: options.masterKey, served: settings },
        surround: createSurround(ports),
        brand: currentBrand,
        ...(hasSimulator && { assets: SIMULATOR_ASSETS }),
      },
      authenticator: createAuthenticator({ ...ports, ...tokens, operatorKey }),
      authorizer: createAuthorizer(ports),
      idempotency: createIdempotency(ports),
      auditor: createAuditor(ports),
      limits: options.limits,
      ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
      ...(options.maxPackageBytes !== undefined && { maxFileBytes: options.maxPackageBytes }),
      checkAnswers: options.checkAnswers ?? false,
      onRequestDone: (...done) => {
        workRate.answered()
        metrics.requestDone(...done)
      },
      ...(settings.hasApiLog !== false && { onAppRequest: apiRecorder.record }),
      ...(tracing && { follow: tracing.follow }),
    })
    const running = createSender(ports, { version: VERSION, notices, observeRun: metrics.watchRun })
    sender = running
    metrics.showSender(running, egress)
    const watchRun: ObserveRun = (loop, run) =>
      latestRuns.observe(loop, () =>
        metrics.watchRun(loop, tracing === undefined ? run : () => tracing.watchRun(loop, run)),
      )
    return {
      http,
      routes,
      pages,
      ports,
      sender: running,
      jobs: observeJobs(backgroundJobs(ports, { ...tokens, checks, workRate, apiRecorder }), watchRun),
      ...(operatorKey.made === undefined ? {} : { madeOperatorKey: operatorKey.made }),
      needsSetUp: await needsSetUp(db.sql),
      onWake: given => Object.assign(wake, given),
      close: async () => {
        streams.close()
        await http.close()
        await running.stop()
        await notices.close()
        await egress.close()
        mail.close()
        await closeAll([db, gatewayDb])
      },
    }
  } catch (error) {
    await notices.close()
    await egress.close()
    mail.close()
    await closeAll([db, gatewayDb])
    throw error
  }
}

/** nodemailer is loaded only with a relay. */
async function mailOf({ smtp, log, isDevelopment }: Pick<AppOptions, 'smtp' | 'log' | 'isDevelopment'>): Promise<Mail> {
  if (smtp === undefined) return isDevelopment ? createLogMail(log) : createUnconfiguredMail()
  const { createSmtpMail } = await import('./platform/mail/smtp.ts')
  return createSmtpMail(smtp)
}

/** The Stripe SDK is loaded only with a Stripe key: it takes 6 MB of memory. */
async function stripeOf(options: StripeOptions): Promise<Gateway> {
  const { createStripe } = await import('./money/gateway/stripe/stripe.ts')
  return createStripe(options)
}

async function connectOf(options: StripeOptions): Promise<Transfers> {
  const { createStripeConnect } = await import('./money/payouts/stripe-connect.ts')
  return createStripeConnect(options)
}

async function stripeTaxOf(options: StripeTaxOptions): Promise<TaxProvider> {
  const { createStripeTax } = await import('./money/tax/stripe-tax.ts')
  return createStripeTax(options)
}

/** Ports, and what this process keeps in memory. */
interface Wired extends Ports, TokenMemory, HookTests {
  readonly system: SystemReadings
  readonly operatorKey: OperatorKey
  readonly currentBrand: CurrentBrand
  readonly streams: EventStreams
}

function routesOf(ports: Wired): AnyRoute[] {
  return [
    ...organizationRoutes(ports),
    ...sellerRoutes(ports),
    ...appRoutes(ports),
    ...appIconRoutes(ports),
    ...releaseRoutes(ports),
    ...planRoutes({ ...ports, findCountry: async (sql, id) => (await findBusiness(sql, id))?.country }),
    ...businessListRoutes(ports),
    ...businessRoutes(ports),
    ...approvalRoutes(ports),
    ...subscriptionRoutes(ports),
    ...subscriptionActRoutes(ports),
    ...subscriptionChangeRoutes(ports),
    ...purchaseRoutes(ports),
    ...invoiceRoutes(ports),
    ...invoiceArchiveRoutes(ports),
    ...listRoutes(ports),
    ...moneyRoutes(ports),
    ...endingRoutes(ports),
    ...catchUpRoutes(ports),
    ...ledgerRoutes(ports),
    ...taxReportRoutes(ports),
    ...payoutRoutes(ports),
    ...transferRoutes(ports),
    ...taxRoutes(ports),
    ...hookRoutes(ports),
    ...notificationRoutes(ports),
    ...revocationRoutes(ports),
    ...redeliveryRoutes(ports),
    ...eventStreamRoutes(ports),
    ...orderRoutes(ports),
    ...testClockRoutes(ports),
    ...auditRoutes(ports),
    ...apiLogRoutes(ports),
    ...brandRoutes(ports),
    ...reportRoutes(ports),
    ...revenueRoutes(ports),
    ...reconciliationRoutes(ports),
    ...gatewayEventRoutes(ports),
    ...checkRoutes(ports),
    ...userRoutes(ports),
    ...membershipRoutes(ports),
    ...invitationRoutes(ports),
    ...sessionRoutes(ports),
    ...deviceLoginRoutes(ports),
    ...accountRoutes(ports),
    ...passwordResetRoutes(ports),
  ]
}

async function closeAll(databases: readonly Database[]): Promise<void> {
  for (const database of databases) await database.close()
}
