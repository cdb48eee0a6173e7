import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Clock } from '../../core/clock.ts'
import type { LatestChecks } from '../../money/invariant-checks/run.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Egress } from '../../platform/egress/post.ts'
import type { OnRequestDone } from '../../platform/http/send.ts'
import type { WatchRun } from '../../platform/loop.ts'
import type { Watch } from '../../ports.ts'
import type { Sender } from '../../webhooks/deliveries/sender.ts'
import { billingMetrics } from './metrics/billing.ts'
import { checkMetrics } from './metrics/checks.ts'
import { databaseMetrics } from './metrics/database.ts'
import { deliveryMetrics, senderMetrics } from './metrics/deliveries.ts'
import { loopMetrics } from './metrics/loops.ts'
import { requestMetrics } from './metrics/requests.ts'

export interface Metrics {
  /** Prometheus text. Without the database its gauges are left out: the process still shows itself. */
  print(): Promise<{ type: string; content: string }>
  readonly requestDone: OnRequestDone
  readonly watch: Watch
  readonly watchRun: WatchRun
  /** From now on what it tells of itself is shown. */
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
 * What Node and the process tell of themselves: one for all services in it. What watches the event loop and the garbage collector
 * goes on for as long as the process lives, and a test process opens hundreds of services.
 */
function ofProcess(): Registry {
  if (ofThisProcess === undefined) {
    ofThisProcess = new Registry()
    collectDefaultMetrics({ register: ofThisProcess })
  }
  return ofThisProcess
}
