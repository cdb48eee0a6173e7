import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../../core/clock.ts'
import type { LatestChecks } from '../../money/invariant-checks/run.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Egress } from '../../platform/egress/post.ts'
import type { OnRequestDone } from '../../platform/http/send.ts'
import type { ObserveRun } from '../../platform/loop.ts'
import type { Telemetry } from '../../ports.ts'
import type { Sender } from '../../webhooks/deliveries/sender.ts'
import { type HookGauges, readGauges, readHookGauges, type Waiting } from './gauges.ts'
import { billingMetrics } from './metrics/billing.ts'
import { deliveryMetrics, senderMetrics } from './metrics/deliveries.ts'

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
  const build = { name: 'tillhook_build_info', help: 'Always 1', labelNames: ['version', 'role'] }
  new Gauge({ ...build, registers: [registry] }).set({ version, role }, 1)
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
  const requests = new Histogram({
    name: 'tillhook_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
    registers: [registry],
  })
  return (route, method, status, seconds) => requests.observe({ route, method, status: String(status) }, seconds)
}

/** The background jobs of this process. */
function loopMetrics(registry: Registry): ObserveRun {
  const [labelNames, registers] = [['loop'], [registry]]
  const runs = new Counter({ name: 'tillhook_loop_runs_total', help: 'Runs of a loop', labelNames, registers })
  const failures = new Counter({
    name: 'tillhook_loop_failures_total',
    help: 'Failed runs of a loop; the loop runs again after a second',
    labelNames,
    registers,
  })
  const found = new Counter({
    name: 'tillhook_loop_found_total',
    help: 'Work found by the runs of a background job',
    labelNames,
    registers,
  })
  const seconds = new Counter({
    name: 'tillhook_loop_seconds_total',
    help: 'Duration of the runs of a loop',
    labelNames,
    registers,
  })
  const endedAt = new Gauge({
    name: 'tillhook_loop_succeeded_timestamp_seconds',
    help: 'Unix time of the last successful run of a loop',
    labelNames,
    registers,
  })
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
  const checks = new Gauge({
    name: 'tillhook_check_violations',
    help: 'Violations found by the last hourly run of an invariant check (counted up to 20); -1: the check did not finish',
    labelNames: ['check'],
    registers: [registry],
  })
  return () => {
    for (const { check, status, violations } of latestChecks.results()) {
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
  const registers = [registry]
  const up = new Gauge({ name: 'tillhook_database_up', help: '1 if the database answers, else 0', registers })
  const gauges = Object.entries(GAUGES).map(([key, help]) => ({
    key: key as keyof typeof GAUGES,
    gauge: new Gauge({ name: `tillhook_${snake(key)}`, help, registers }),
  }))
  new Gauge({
    name: 'tillhook_database_statements_pending',
    help: 'Statements of this process without an answer, including those that wait for a connection',
    registers,
    collect() {
      this.set(db.state().awaited)
    },
  })
  new Counter({
    name: 'tillhook_database_reconnects_total',
    help: 'Times that the process replaced all its connections, because one was lost or silent',
    registers,
    collect() {
      this.reset()
      this.inc(db.state().left)
    },
  })
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

/** Shows a counter with each of these labels before anything is counted: Prometheus sees no increase in a series that begins at 1. */
export function fromZero<L extends string>(counter: Counter<L>, label: NoInfer<L>, values: readonly string[]): void {
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
