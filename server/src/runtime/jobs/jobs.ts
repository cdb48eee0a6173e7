import { sendResetLinks } from '../../access/accounts/request-reset.ts'
import { purgeResets } from '../../access/accounts/reset-store.ts'
import { purgeTerminalSessions } from '../../access/business-users/session-store.ts'
import { purgeDeviceLogins } from '../../access/device-logins/store.ts'
import { purgeInvitations } from '../../access/invitations/store.ts'
import { purgeSessions } from '../../access/sessions/store.ts'
import { purgeTokens } from '../../access/tokens/purge.ts'
import { refreshRevocations } from '../../access/tokens/revocations.ts'
import { rotateOldSigningKey } from '../../access/tokens/rotate-signing-key.ts'
import type { TokenMemory } from '../../access/tokens/token-memory.ts'
import { addDays } from '../../core/calendar.ts'
import { purgeCodes } from '../../merchants/authorizations/store.ts'
import { checkTaxIds } from '../../merchants/tax-ids/check.ts'
import { advanceDue } from '../../money/billing/advance.ts'
import { collectCharges } from '../../money/billing/collect.ts'
import { carryOutRefunds } from '../../money/billing/refund.ts'
import { sendDailySummaries } from '../../money/daily-summary/send.ts'
import { runEndings } from '../../money/endings/run.ts'
import { applyEvents, purgeEvents } from '../../money/gateway-events/apply.ts'
import { type HourlyOptions, runHourlyChecks } from '../../money/invariant-checks/run.ts'
import { foldTaxTotals } from '../../money/ledger/tax-report.ts'
import { foldTotals } from '../../money/ledger/totals.ts'
import { announceAhead } from '../../money/mails/announce.ts'
import { handOverMoneyMails, purgeMoneyMails } from '../../money/mails/send.ts'
import { runTransfers } from '../../money/payouts/transfer.ts'
import { expireDue, purgePurchases } from '../../money/purchases/purchases.ts'
import { reconcileDaily } from '../../money/reconciliations/daily.ts'
import { foldRevenueCountries } from '../../money/reports/revenue-countries.ts'
import { foldRevenueDays } from '../../money/reports/revenue-days.ts'
import { foldRevenue } from '../../money/reports/revenue-store.ts'
import { foldCounts } from '../../money/subscriptions/counts.ts'
import { lookUpTaxRates, lookUpTaxRatesAhead } from '../../money/tax/look-up.ts'
import { recordTaxes } from '../../money/tax/record.ts'
import { advanceStandingClocks, driveUndriven } from '../../money/test-clocks/advance.ts'
import { maintainApiLog } from '../../platform/api-log/partitions.ts'
import type { ApiRecorder } from '../../platform/api-log/recorder.ts'
import { createAuditPartitions, dropOldAuditPartitions } from '../../platform/audit/partitions.ts'
import { purgeBatches } from '../../platform/idempotency/once.ts'
import type { ObserveRun, Step } from '../../platform/loop.ts'
import { sendMails } from '../../platform/mail/outbox.ts'
import { purgeThrottles } from '../../platform/throttles/throttle.ts'
import type { Ports } from '../../ports.ts'
import { endUndeliverable } from '../../webhooks/deliveries/end-undeliverable.ts'
import { dropPartitions, ensurePartitions, findDatabaseTime, KEEP_DAYS } from '../../webhooks/deliveries/partitions.ts'
import { purgeStreams } from '../../webhooks/event-streams/store.ts'
import { purgeHookHours } from '../../webhooks/hooks/hours.ts'
import { purgeRedeliveries, runRedeliveries } from '../../webhooks/redeliveries/run.ts'
import type { WorkRate } from './rate.ts'

const HOUR_MS = 3_600_000
const IDLE_PER_RUN = 10
const LONGEST_IDLE_MS = 10_000
/** A run that times out has used a connection for 20 s: costly jobs use at most a quarter of the time. */
const LEAST_IDLE_PER_RUN = 3

/** Every background job except the webhook sender, which has its own loop in webhooks/deliveries/. */
export function backgroundJobs(
  ports: Ports,
  {
    revocations,
    checks,
    workRate,
    apiRecorder,
  }: Pick<TokenMemory, 'revocations'> & {
    readonly checks: HourlyOptions
    readonly workRate: WorkRate
    readonly apiRecorder: ApiRecorder
  },
) {
  return {
    renewals: job('renewals', 250, () => workRate.step(() => advanceDue(ports))),
    charges: job('charges', 250, isStopped =>
      workRate.step(step => collectCharges(ports, { step: until(isStopped, step) })),
    ),
    refunds: job('refunds', 250, () => carryOutRefunds(ports)),
    appEndings: job('endings of apps', 1_000, () => runEndings(ports)),
    subscriptionCounts: job('subscription counts', 500, () => foldCounts(ports.db.sql)),
    ledgerTotals: job(
      'ledger totals',
      500,
      async () => (await foldTotals(ports.db.sql)) + (await foldTaxTotals(ports.db.sql)),
    ),
    revenueSums: job(
      'revenue sums',
      500,
      async () =>
        (await foldRevenue(ports.db.sql)) +
        (await foldRevenueDays(ports.db.sql)) +
        (await foldRevenueCountries(ports.db.sql)),
    ),
    testClocks: job('test clocks', 1_000, isStopped => driveUndriven(ports, isStopped)),
    standingTestClocks: costlyJob('standing test clocks', 1_000, isStopped => advanceStandingClocks(ports, isStopped)),
    purchases: job('open purchases', 60_000, () => expireDue(ports)),
    oldPurchases: job('old purchases', HOUR_MS, () => purgePurchases(ports)),
    revocations: job('revocations', 500, () => refreshRevocations({ ...ports, revocations })),
    deliveryBacklog: costlyJob('delivery backlog', 1_000, async () => (await ports.backlog?.check()) ?? 0),
    redeliveries: job('redeliveries', 1_000, () => runRedeliveries(ports)),
    undeliverableWebhooks: job('undeliverable webhooks', 60_000, () => endUndeliverable(ports)),
    eventStreams: job('event streams', 10_000, () => purgeStreams(ports)),
    gatewayEvents: job('gateway events', 1_000, () => applyEvents(ports)),
    reconciliation: job('reconciliation', HOUR_MS, isStopped => reconcileDaily(ports, isStopped)),
    resetRequests: job('password reset requests', 1_000, () => sendResetLinks(ports)),
    payoutTransfers: job('payouts', 5_000, isStopped => runTransfers(ports, isStopped)),
    taxIds: job('tax ids', 10_000, isStopped => checkTaxIds(ports, isStopped)),
    taxRates: job('tax rates', 10_000, isStopped => lookUpTaxRates(ports, isStopped)),
    taxRatesAhead: job('tax rates of renewals', HOUR_MS, () => lookUpTaxRatesAhead(ports)),
    taxRecords: job('tax records', 5_000, isStopped => recordTaxes(ports, isStopped)),
    moneyMails: pacedJob('mails about money', 250, () => handOverMoneyMails(ports)),
    moneyMailsAhead: job('mails ahead of time', HOUR_MS, () => announceAhead(ports)),
    oldMoneyMails: job('old mails about money', HOUR_MS, () => purgeMoneyMails(ports)),
    dailySummaries: job('daily summaries', HOUR_MS, () => sendDailySummaries(ports)),
    mails: job('mails', 1_000, () => sendMails(ports)),
    sessions: job('old sessions', HOUR_MS, () => purgeSessions(ports)),
    deviceLogins: job('old device logins', HOUR_MS, () => purgeDeviceLogins(ports)),
    invitations: job('old invitations', HOUR_MS, () => purgeInvitations(ports)),
    passwordResets: job('old password resets', HOUR_MS, () => purgeResets(ports)),
    throttles: job('old attempts', HOUR_MS, () => purgeThrottles(ports)),
    oldGatewayEvents: job('old gateway events', HOUR_MS, () => purgeEvents(ports)),
    partitions: job('partitions', 60_000, () => createPartitions(ports)),
    oldHookHours: job('old health of hooks', HOUR_MS, () => purgeHookHours(ports)),
    oldPartitions: job('old partitions', HOUR_MS, () => dropOldPartitions(ports)),
    apiLog: job('API log', 1_000, () => apiRecorder.flush()),
    apiLogPartitions: job('days of the API log', HOUR_MS, () => maintainApiLog(ports)),
    auditPartitions: job('audit partitions', HOUR_MS, async () => {
      await createAuditPartitions(ports)
      return dropOldAuditPartitions(ports)
    }),
    terminalSessions: job('old terminal sessions', HOUR_MS, () => purgeTerminalSessions(ports)),
    authorizationCodes: job('old authorization codes', HOUR_MS, () => purgeCodes(ports)),
    tokens: job('old tokens', HOUR_MS, () => purgeTokens(ports)),
    endedRedeliveries: job('ended redeliveries', HOUR_MS, () => purgeRedeliveries(ports)),
    signingKeys: job('signing keys', HOUR_MS, () => rotateOldSigningKey(ports)),
    idempotency: job('old answers', HOUR_MS, () => purgeBatches(ports)),
    checks: job('checks', HOUR_MS, isStopped => runHourlyChecks(ports, checks, isStopped)),
  }
}

type Jobs = ReturnType<typeof backgroundJobs>

/** Jobs that refresh the memory of a process. Every role that serves requests runs them. */
export const OWN_JOBS = ['revocations', 'deliveryBacklog', 'apiLog'] as const satisfies readonly (keyof Jobs)[]

/** Wraps each run of the jobs with an observer. */
export function observeJobs(jobs: Jobs, watchRun: ObserveRun): Jobs {
  const observed = Object.entries(jobs).map(([key, one]): [string, Job] => [
    key,
    { ...one, runOnce: isStopped => watchRun(one.name, () => one.runOnce(isStopped)) },
  ])
  return Object.fromEntries(observed) as Jobs
}

function until(isStopped: () => boolean = () => false, step: Step): Step {
  return { ...step, mayContinue: () => step.mayContinue() && !isStopped() }
}

function job(name: string, idleMs: number, runOnce: Job['runOnce']): Job {
  return { name, idleMs, runOnce }
}

/** A job that runs once per interval even while more work waits, so that it leaves the machine to urgent jobs. */
function pacedJob(name: string, everyMs: number, runOnce: () => Promise<number>): Job {
  return {
    name,
    idleMs: everyMs,
    runOnce: async () => {
      await runOnce()
      return 0
    },
  }
}

/** A job whose empty runs may be slow. The idle interval grows with the duration of the last run. */
function costlyJob(name: string, idleMs: number, runOnce: (isStopped: () => boolean) => Promise<number>): Job {
  let tookMs = 0
  return {
    name,
    idleMs: () => {
      const atMostMs = Math.max(LONGEST_IDLE_MS, LEAST_IDLE_PER_RUN * tookMs)
      return Math.max(idleMs, Math.min(IDLE_PER_RUN * tookMs, atMostMs))
    },
    runOnce: async (isStopped = () => false) => {
      const beganAt = performance.now()
      try {
        return await runOnce(isStopped)
      } finally {
        tookMs = performance.now() - beganAt
      }
    },
  }
}

/** A background job. `runOnce` does the due work and returns its amount; a long run checks `isStopped` between its steps. */
interface Job {
  readonly name: string
  readonly idleMs: number | (() => number)
  runOnce(isStopped?: () => boolean): Promise<number>
}

/**
 * Creates the partitions of the next days. Nothing can be recorded without them, and a machine may wake after weeks of sleep, so the job
 * runs once a minute.
 */
export async function createPartitions({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  await ensurePartitions(db, clock.now())
  // 0: the next run is due after the idle interval.
  return 0
}

/** Drops the partitions of expired days. If this process's clock is ahead of the database's, the database's clock decides. */
export async function dropOldPartitions({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>): Promise<number> {
  const now = clock.now()
  const databaseTime = await findDatabaseTime(db.sql)
  const dropped = await dropPartitions(db, addDays(now < databaseTime ? now : databaseTime, -KEEP_DAYS))
  if (dropped.length > 0) log.info({ dropped }, 'partitions of expired notifications were dropped')
  // 0: the next run is due after the idle interval.
  return 0
}
