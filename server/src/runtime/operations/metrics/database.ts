import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../core/clock.ts'
import type { Database } from '../../../platform/db/db.ts'
import { type HookGauges, readGauges, readHookGauges, type Waiting } from '../gauges.ts'
import { inOne } from '../in-one.ts'

const GAUGES: Readonly<Record<keyof Waiting | keyof HookGauges, string>> = {
  deliveriesDue: 'Deliveries that are due now (counted up to 10000)',
  oldestDeliverySeconds: 'Age of the oldest delivery that is due, whatever its hook does, in seconds',
  oldestFirstAttemptSeconds:
    'How long the oldest first attempt is due that no process has taken, of hooks that are well, in seconds',
  chargesUnsettled: 'Charges whose outcome is awaited',
  chargesUnknown: 'Charges whose outcome the gateway could not tell yet',
  refundsUnsettled: 'Refunds whose outcome is awaited',
  subscriptionsDue: 'Subscriptions whose next action is due now (counted up to 10000)',
  quarantined: 'Rows whose handling failed and that wait for their retry',
  hooksFailing: 'Hooks that listen and whose last attempt failed (counted up to 10000)',
  breakersOpen: 'Of these, hooks whose breaker is open: nothing is sent but one attempt now and then',
  partitionDaysAhead: 'Days after today up to which there are partitions of each; below 0 nothing can be recorded',
}

/** What waits in the database: the same in every process. Returns what reads it, before each scrape, once for those that come at once. */
export function databaseMetrics(
  registry: Registry,
  { db, clock }: { db: Pick<Database, 'sql' | 'transaction' | 'state'>; clock: Clock },
): () => Promise<void> {
  const registers = [registry]
  const up = new Gauge({ name: 'tillhook_database_up', help: '1 while the database answers', registers })
  const gauges = Object.entries(GAUGES).map(([key, help]) => ({
    key: key as keyof typeof GAUGES,
    gauge: new Gauge({ name: `tillhook_${snake(key)}`, help, registers }),
  }))
  new Gauge({
    name: 'tillhook_database_statements_awaited',
    help: 'Statements of this process that the database has not answered yet, those that wait for a connection too',
    registers,
    collect() {
      this.set(db.state().awaited)
    },
  })
  new Counter({
    name: 'tillhook_database_pools_left_total',
    help: 'How often all connections were given up for new ones, as one was lost or silent',
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
      // Without the database they are left out, and what it could not read in time: 0 would be a lie.
      const value = values[key]
      if (value === undefined) gauge.remove()
      else gauge.set(value)
    }
  })
}

function snake(camel: string): string {
  return camel.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
