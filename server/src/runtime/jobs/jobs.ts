import { sendResetLinks } from '../../access/accounts/request-reset.ts'
import { purgeResets } from '../../access/accounts/reset-password.ts'
import { forgetTerminalSessions } from '../../access/business-users/session.ts'
import { purgeInvitations } from '../../access/invitations/purge.ts'
import { purgeSessions } from '../../access/sessions/purge.ts'
import { purgeTokens } from '../../access/tokens/purge.ts'
import { refreshRevocations } from '../../access/tokens/revocations.ts'
import { rotateOldSigningKey } from '../../access/tokens/rotate-signing-key.ts'
import type { TokenMemory } from '../../access/tokens/token-memory.ts'
import { addDays } from '../../core/calendar.ts'
import { purgeCodes } from '../../merchants/authorizations/code.ts'
import { advanceDue } from '../../money/billing/advance.ts'
import { collectCharges } from '../../money/billing/collect.ts'
import { carryOutRefunds } from '../../money/billing/refund.ts'
import { applyEvents, purgeEvents } from '../../money/gateway-events/apply.ts'
import { type HourlyOptions, runHourlyChecks } from '../../money/invariant-checks/run.ts'
import { foldTotals } from '../../money/ledger/totals.ts'
import { expireDue, purgePurchases } from '../../money/purchases/purchases.ts'
import { reconcileDaily } from '../../money/reconciliations/daily.ts'
import { foldRevenue } from '../../money/reports/revenue-store.ts'
import { foldCounts } from '../../money/subscriptions/counts.ts'
import { advanceStandingClocks, driveUndriven } from '../../money/test-clocks/advance.ts'
import { createAuditPartitions, dropOldAuditPartitions } from '../../platform/audit/partitions.ts'
import { purgeBatches } from '../../platform/idempotency/once.ts'
import type { Step, WatchRun } from '../../platform/loop.ts'
import { sendMails } from '../../platform/mail/outbox.ts'
import { purgeFailures } from '../../platform/set-aside/purge.ts'
import { purgeThrottles } from '../../platform/throttles/throttle.ts'
import type { Ports } from '../../ports.ts'
import { endParked } from '../../webhooks/deliveries/parked.ts'
import { dropPartitions, ensurePartitions, findDatabaseTime, KEEP_DAYS } from '../../webhooks/deliveries/partitions.ts'
import { purgeRedeliveries, runRedeliveries } from '../../webhooks/redeliveries/run.ts'
import type { Pace } from './rate.ts'

const HOUR_MS = 3_600_000
const REST_PER_LOOK = 10
const REST_AT_MOST_MS = 10_000
/** But a quarter of its time at most: one that the database gives up has kept a connection busy for 20 s, and found nothing. */
const REST_PER_LOOK_AT_LEAST = 3

/** All that runs beside the requests, but for the sending of webhooks, which has a loop of its own in deliveries/. */
export function dutiesOf(
  ports: Ports,
  {
    revocations,
    checks,
    pace,
  }: Pick<TokenMemory, 'revocations'> & { readonly checks: HourlyOptions; readonly pace: Pace },
) {
  return {
    renewals: duty('renewals', 250, () => pace.step(() => advanceDue(ports))),
    charges: duty('charges', 250, isStopped =>
      pace.step(step => collectCharges(ports, { step: until(isStopped, step) })),
    ),
    refunds: duty('refunds', 250, () => carryOutRefunds(ports)),
    subscriptionCounts: duty('subscription counts', 500, () => foldCounts(ports.db.sql)),
    ledgerTotals: duty('ledger totals', 500, () => foldTotals(ports.db.sql)),
    revenueSums: duty('revenue sums', 500, () => foldRevenue(ports.db.sql)),
    testClocks: duty('test clocks', 1_000, isStopped => driveUndriven(ports, isStopped)),
    standingTestClocks: restingDuty('standing test clocks', 1_000, isStopped =>
      advanceStandingClocks(ports, isStopped),
    ),
    purchases: duty('open purchases', 60_000, () => expireDue(ports)),
    oldPurchases: duty('old purchases', HOUR_MS, () => purgePurchases(ports)),
    revocations: duty('revocations', 500, () => refreshRevocations({ ...ports, revocations })),
    deliveryBacklog: restingDuty('delivery backlog', 1_000, async () => (await ports.backlog?.look()) ?? 0),
    redeliveries: duty('redeliveries', 1_000, () => runRedeliveries(ports)),
    parkedDeliveries: duty('parked deliveries', 60_000, () => endParked(ports)),
    gatewayEvents: duty('gateway events', 1_000, () => applyEvents(ports)),
    reconciliation: duty('reconciliation', HOUR_MS, isStopped => reconcileDaily(ports, isStopped)),
    resetRequests: duty('password reset requests', 1_000, () => sendResetLinks(ports)),
    mails: duty('mails', 1_000, () => sendMails(ports)),
    sessions: duty('old sessions', HOUR_MS, () => purgeSessions(ports)),
    invitations: duty('old invitations', HOUR_MS, () => purgeInvitations(ports)),
    passwordResets: duty('old password resets', HOUR_MS, () => purgeResets(ports)),
    throttles: duty('old tries', HOUR_MS, () => purgeThrottles(ports)),
    failures: duty('old failures', HOUR_MS, () => purgeFailures(ports)),
    oldGatewayEvents: duty('old gateway events', HOUR_MS, () => purgeEvents(ports)),
    partitions: duty('partitions', 60_000, () => makePartitions(ports)),
    oldPartitions: duty('old partitions', HOUR_MS, () => dropOldPartitions(ports)),
    auditPartitions: duty('audit partitions', HOUR_MS, async () => {
      await createAuditPartitions(ports)
      return dropOldAuditPartitions(ports)
    }),
    terminalSessions: duty('old terminal sessions', HOUR_MS, () => forgetTerminalSessions(ports)),
    authorizationCodes: duty('old authorization codes', HOUR_MS, () => purgeCodes(ports)),
    tokens: duty('old tokens', HOUR_MS, () => purgeTokens(ports)),
    endedRedeliveries: duty('ended redeliveries', HOUR_MS, () => purgeRedeliveries(ports)),
    signingKeys: duty('signing keys', HOUR_MS, () => rotateOldSigningKey(ports)),
    idempotency: duty('old answers', HOUR_MS, () => purgeBatches(ports)),
    checks: duty('checks', HOUR_MS, isStopped => runHourlyChecks(ports, checks, isStopped)),
  }
}

type Duties = ReturnType<typeof dutiesOf>

/** What each process that answers requests does for itself, as it keeps what it finds in memory. */
export const OWN_DUTIES = ['revocations', 'deliveryBacklog'] as const satisfies readonly (keyof Duties)[]

/** The same duties, with something around each run. */
export function watchDuties(duties: Duties, watchRun: WatchRun): Duties {
  const watched = Object.entries(duties).map(([key, duty]): [string, Duty] => [
    key,
    { ...duty, runOnce: isStopped => watchRun(duty.name, () => duty.runOnce(isStopped)) },
  ])
  return Object.fromEntries(watched) as Duties
}

function until(isStopped: () => boolean = () => false, step: Step): Step {
  return { ...step, mayHurry: () => step.mayHurry() && !isStopped() }
}

function duty(name: string, idleMs: number, runOnce: Duty['runOnce']): Duty {
  return { name, idleMs, runOnce }
}

/** One whose every look costs: over dead rows while some transaction stays open, or at each clock. It rests so many times longer than it took. */
function restingDuty(name: string, idleMs: number, runOnce: (isStopped: () => boolean) => Promise<number>): Duty {
  let tookMs = 0
  return {
    name,
    idleMs: () => {
      const atMostMs = Math.max(REST_AT_MOST_MS, REST_PER_LOOK_AT_LEAST * tookMs)
      return Math.max(idleMs, Math.min(REST_PER_LOOK * tookMs, atMostMs))
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

/**
 * Something that the service does by itself, again and again. `runOnce` does what is due now and tells how much it found; what could go
 * on for long asks whether it was stopped.
 */
interface Duty {
  readonly name: string
  readonly idleMs: number | (() => number)
  runOnce(isStopped?: () => boolean): Promise<number>
}

/**
 * Makes the days ahead. The date may be weeks on from one look to the next, as that of a machine that slept, and until the days are there nothing
 * can be recorded: so it is looked each minute.
 */
export async function makePartitions({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  await ensurePartitions(db, clock.now())
  // Nothing is left to do for a minute, whatever was made.
  return 0
}

/**
 * Drops the days that are over: retention is a drop of tables, never a delete of rows. A process whose date is ahead drops nothing that is not
 * over by the database's, too.
 */
export async function dropOldPartitions({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>): Promise<number> {
  const now = clock.now()
  const databaseTime = await findDatabaseTime(db.sql)
  const dropped = await dropPartitions(db, addDays(now < databaseTime ? now : databaseTime, -KEEP_DAYS))
  if (dropped.length > 0) log.info({ dropped }, 'days of notifications older than history were dropped')
  // Nothing is left to do for an hour, whatever was dropped.
  return 0
}
