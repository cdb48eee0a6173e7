import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../../core/clock.ts'
import { BILLING_EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../core/event.ts'
import type { LatestChecks } from '../../money/invariant-checks/run.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Egress } from '../../platform/egress/post.ts'
import type { OnRequestDone } from '../../platform/http/send.ts'
import type { ObserveRun } from '../../platform/loop.ts'
import type { Attempted, Charged, Refunded, Telemetry } from '../../ports.ts'
import type { Sender } from '../../webhooks/deliveries/sender.ts'
import { type HookGauges, readGauges, readHookGauges, type Waiting } from './gauges.ts'

export interface Metrics {
  /** Prometheus text. While the database is unavailable, its gauges are left out, and the metrics of the process remain. */
  print(): Promise<{ type: string; content: string }>
  readonly requestDone: OnRequestDone
  readonly watch: Telemetry
  readonly watchRun: ObserveRun
  /** Adds the state of the sender from now on. */
  showSender(sender: Pick<Sender, 'state'>, egress: Pick<Egress, 'state'>): void
}

export function createMetrics(
  ports: { db: Pick<Database, 'sql' | 'transaction' | 'state'>; clock: Clock; latestChecks: LatestChecks },
  { version, role }: { version: string; role: string },
): Metrics {
  const [registry, processRegistry] = [new Registry(), ofProcess()]
  gauge(registry, 'tillhook_build_info', 'Always 1', ['version', 'role']).set({ version, role }, 1)
  const readDatabase = databaseMetrics(registry, ports)
  const showChecks = checkMetrics(registry, ports.latestChecks)
  return {
    print: async () => {
      await readDatabase()
      showChecks()
      const content = await Promise.all([processRegistry.metrics(), registry.metrics()])
      return { type: registry.contentType, content: content.join('') }
    },
    requestDone: requestMetrics(registry),
    watch: { ...deliveryMetrics(registry), ...billingMetrics(registry) },
    watchRun: loopMetrics(registry),
    showSender: (sender, egress) => senderMetrics(registry, sender, egress),
  }
}

let ofThisProcess: Registry | undefined

/**
 * The metrics of Node and of the process, shared by all services of the process. The monitors of the event loop and the garbage collector
 * live as long as the process, and a test process opens hundreds of services.
 */
function ofProcess(): Registry {
  if (ofThisProcess === undefined) {
    ofThisProcess = new Registry()
    collectDefaultMetrics({ register: ofThisProcess })
  }
  return ofThisProcess
}

function requestMetrics(registry: Registry): OnRequestDone {
  const requests = histogram(registry, 'tillhook_http_request_seconds', 'Time to answer a request', {
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
  })
  return (route, method, status, seconds) => requests.observe({ route, method, status: String(status) }, seconds)
}

/** The background jobs of this process. */
function loopMetrics(registry: Registry): ObserveRun {
  const ofLoops = (name: string, help: string) => counter(registry, `tillhook_loop_${name}_total`, help, ['loop'])
  const runs = ofLoops('runs', 'Runs of a loop')
  const failures = ofLoops('failures', 'Failed runs of a loop; the loop runs again after a second')
  const found = ofLoops('found', 'Work found by the runs of a background job')
  const seconds = ofLoops('seconds', 'Duration of the runs of a loop')
  const endedAt = gauge(
    registry,
    'tillhook_loop_succeeded_timestamp_seconds',
    'Unix time of the last successful run of a loop',
    ['loop'],
  )
  return async (loop, run) => {
    const from = performance.now()
    fromZero(failures, 'loop', [loop])
    try {
      const count = await run()
      found.inc({ loop }, count)
      endedAt.setToCurrentTime({ loop })
      return count
    } catch (error) {
      failures.inc({ loop })
      throw error
    } finally {
      runs.inc({ loop })
      seconds.inc({ loop }, (performance.now() - from) / 1_000)
    }
  }
}

/** The results of the last hourly run. Returns the update. */
function checkMetrics(registry: Registry, latestChecks: LatestChecks): () => void {
  const checks = gauge(
    registry,
    'tillhook_check_violations',
    'Violations found by the last hourly run of an invariant check (counted up to 20); -1: the check did not finish',
    ['check'],
  )
  return () => {
    for (const { check, status, violations } of latestChecks.results) {
      checks.set({ check }, status === 'UNKNOWN' ? -1 : violations.length)
    }
  }
}

const GAUGES: Readonly<Record<keyof Waiting | keyof HookGauges, string>> = {
  deliveriesDue: 'Due deliveries (counted up to 10000)',
  oldestDeliverySeconds: 'Age of the oldest due delivery of all hooks, in seconds',
  oldestFirstAttemptSeconds:
    'Age of the oldest due first attempt that no process has taken, without hooks that fail, in seconds',
  chargesUnsettled: 'Charges without an outcome',
  chargesUnknown: 'Charges whose outcome the gateway does not know yet',
  refundsUnsettled: 'Refunds without an outcome',
  subscriptionsDue: 'Subscriptions with a due action (counted up to 10000)',
  quarantined: 'Quarantined rows: their handling failed and is retried',
  hooksFailing: 'Active hooks whose last attempt failed (counted up to 10000)',
  breakersOpen: 'Failing hooks with an open breaker; such a hook gets one probe at a time',
  partitionDaysAhead:
    'Days after today for which every partitioned table has a partition; below 0 nothing can be recorded',
}

/**
 * The queues in the database, equal in every process. Returns a function that reads them before each scrape; concurrent scrapes share one
 * read.
 */
function databaseMetrics(
  registry: Registry,
  { db, clock }: { db: Pick<Database, 'sql' | 'transaction' | 'state'>; clock: Clock },
): () => Promise<void> {
  const up = gauge(registry, 'tillhook_database_up', '1 if the database answers, else 0')
  const gauges = Object.entries(GAUGES).map(([key, help]) => ({
    key: key as keyof typeof GAUGES,
    gauge: gauge(registry, `tillhook_${snake(key)}`, help),
  }))
  state(
    registry,
    'tillhook_database_statements_pending',
    'Statements of this process without an answer, including those that wait for a connection',
    () => db.state().awaited,
  )
  total(
    registry,
    'tillhook_database_reconnects_total',
    'Times that the process replaced all its connections, because one was lost or silent',
    () => db.state().left,
  )
  return inOne(async () => {
    const now = clock.now()
    const read = await Promise.all([readGauges(db, now), readHookGauges(db, now)]).catch(() => null)
    up.set(read === null ? 0 : 1)
    const values: Partial<Waiting & HookGauges> = read === null ? {} : { ...read[0], ...read[1] }
    for (const { key, gauge } of gauges) {
      // Gauges that the database did not answer, or not in time, are left out, because 0 would be wrong.
      const value = values[key]
      if (value === undefined) gauge.remove()
      else gauge.set(value)
    }
  })
}

function snake(camel: string): string {
  return camel.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/**
 * From milliseconds, for a healthy endpoint, to a day. Later acknowledgements, up to the 72 h after which attempts stop, appear in the
 * count only.
 */
const TO_DELIVERED_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3_600, 86_400]
/** Up to the 2 s of an attempt, and what a busy process adds. */
const ATTEMPT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5]

/** Of this process. No label names a hook: there may be a million of them. */
function deliveryMetrics(registry: Registry): Pick<Telemetry, 'attempted' | 'gaveUp'> {
  const attempts = counter(registry, 'tillhook_delivery_attempts_total', 'Attempts by outcome and priority', [
    'outcome',
    'priority',
  ])
  const attemptSeconds = histogram(
    registry,
    'tillhook_delivery_attempt_seconds',
    'Time from the start of an attempt to the headers of the response or the failure',
    { buckets: ATTEMPT_SECONDS },
  )
  const toDelivered = histogram(
    registry,
    'tillhook_accept_to_delivered_seconds',
    'Time from the recording of a notification to its acknowledgement, without replays',
    { buckets: TO_DELIVERED_SECONDS },
  )
  const givenUp = counter(
    registry,
    'tillhook_deliveries_failed_total',
    'Deliveries that ended without acknowledgement',
    ['reason'],
  )
  // Every final reason of core/delivery.ts.
  fromZero(givenUp, 'reason', ['attempts_exhausted', 'expired'])
  return {
    attempted: attempt => {
      const { priority, durationMs, acknowledged, recordedAt, finishedAt, next } = attempt
      attempts.inc({ outcome: outcomeOf(attempt), priority })
      attemptSeconds.observe(durationMs / 1_000)
      // Two processes' clocks differ: the recording process may be ahead.
      const seconds = Math.max(0, finishedAt.getTime() - recordedAt.getTime()) / 1_000
      if (acknowledged && priority !== 'REPLAY') toDelivered.observe(seconds)
      if ('reason' in next) givenUp.inc({ reason: next.reason })
    },
    gaveUp: ended => {
      for (const { reason } of ended) givenUp.inc({ reason })
    },
  }
}

/** Acknowledged; else a word of egress or the class of the status. */
function outcomeOf({ acknowledged, reason, httpStatus = 0 }: Attempted): string {
  if (acknowledged) return 'acknowledged'
  return reason ?? `${Math.floor(httpStatus / 100)}xx`
}

/** The sender's current state, read at each scrape. */
function senderMetrics(registry: Registry, sender: Pick<Sender, 'state'>, egress: Pick<Egress, 'state'>): void {
  new Gauge({
    name: 'tillhook_deliveries_in_progress',
    help: 'Attempts in progress in this process',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [kind, value] of Object.entries(sender.state().underWay)) this.set({ kind }, value)
    },
  })
  const { state: read } = sender
  state(
    registry,
    'tillhook_deliveries_in_memory',
    'Deliveries in memory whose attempt has not begun',
    () => read().queued,
  )
  state(registry, 'tillhook_delivery_shards', 'Shards of hooks that this process owns, of 256', () => read().shards)
  total(
    registry,
    'tillhook_deliveries_loaded_total',
    'Deliveries read from the queue; all others are sent from memory',
    () => read().loaded,
  )
  total(
    registry,
    'tillhook_hooks_disabled_total',
    'Hooks that this process disabled because they failed for too long',
    () => read().hooksDisabled,
  )
  total(
    registry,
    'tillhook_webhook_connections_opened_total',
    'Connections opened to endpoints; every other attempt reuses a connection',
    () => egress.state().connectionsOpened,
  )
}

/** A gateway gives up after a minute and more. */
const GATEWAY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90]

const CHARGE_OUTCOMES: readonly Charged['status'][] = ['SUCCEEDED', 'DECLINED_SOFT', 'DECLINED_HARD', 'WITHDRAWN']
const REFUND_OUTCOMES: readonly Refunded['status'][] = ['SUCCEEDED', 'FAILED']

/** Counted in this process after the commit. */
function billingMetrics(registry: Registry): Pick<Telemetry, 'gatewayCalled' | 'billed' | 'charged' | 'refunded'> {
  const invoices = counter(
    registry,
    'tillhook_invoices_issued_total',
    'Invoices by period: the first of a term, or a renewal',
    ['period'],
  )
  const events = counter(registry, 'tillhook_billing_events_total', 'Subscription events by type', ['event'])
  const charges = counter(registry, 'tillhook_charges_total', 'Settled charges by outcome', ['outcome'])
  const refunds = counter(registry, 'tillhook_refunds_total', 'Settled refunds by outcome', ['outcome'])
  fromZero(invoices, 'period', ['first', 'renewal'])
  fromZero(events, 'event', [...BILLING_EVENT_TYPES, ...OPT_IN_EVENT_TYPES])
  fromZero(charges, 'outcome', CHARGE_OUTCOMES)
  fromZero(refunds, 'outcome', REFUND_OUTCOMES)
  const gateway = histogram(registry, 'tillhook_gateway_seconds', 'Duration of a call to a payment gateway', {
    labelNames: ['gateway', 'call', 'outcome'],
    buckets: GATEWAY_SECONDS,
  })
  return {
    gatewayCalled: ({ gateway: name, call, outcome, seconds }) =>
      gateway.observe({ gateway: name, call, outcome }, seconds),
    billed: changes => {
      for (const change of changes) {
        for (const event of change.events) events.inc({ event })
        for (const { periodIndex } of change.issued) invoices.inc({ period: periodIndex === 0 ? 'first' : 'renewal' })
      }
    },
    charged: ({ status }) => charges.inc({ outcome: status }),
    refunded: ({ status }) => refunds.inc({ outcome: status }),
  }
}

function counter<L extends string>(registry: Registry, name: string, help: string, labelNames: L[] = []): Counter<L> {
  return new Counter({ name, help, labelNames, registers: [registry] })
}

function gauge<L extends string>(registry: Registry, name: string, help: string, labelNames: L[] = []): Gauge<L> {
  return new Gauge({ name, help, labelNames, registers: [registry] })
}

function histogram<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  options: { buckets: number[]; labelNames?: L[] },
): Histogram<L> {
  return new Histogram({ name, help, ...options, registers: [registry] })
}

/** A gauge whose value another module keeps. */
function state(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

/** A counter whose value another module keeps. */
function total(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

/** Shows a counter with each of these labels before anything is counted: Prometheus sees no increase in a series that begins at 1. */
function fromZero<L extends string>(counter: Counter<L>, label: NoInfer<L>, values: readonly string[]): void {
  for (const value of values) counter.inc({ [label]: value } as Record<L, string>, 0)
}

/** Concurrent calls share the read that is under way, so the database reads once for all of them. */
export function inOne<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined
  return () => {
    underWay ??= read().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}
