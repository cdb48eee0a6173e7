import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Egress } from '../../../platform/egress/post.ts'
import type { Attempted, Telemetry } from '../../../ports.ts'
import type { Sender } from '../../../webhooks/deliveries/sender.ts'
import { fromZero } from '../metrics.ts'

/**
 * From milliseconds, for a healthy endpoint, to a day. Later acknowledgements, up to the 72 h after which attempts stop, appear in the
 * count only.
 */
const TO_DELIVERED_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3_600, 86_400]
/** Up to the 2 s of an attempt, and what a busy process adds. */
const ATTEMPT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5]

/** Of this process. No label names a hook: there may be a million of them. */
export function deliveryMetrics(registry: Registry): Pick<Telemetry, 'attempted' | 'gaveUp'> {
  const registers = [registry]
  const attempts = new Counter({
    name: 'tillhook_delivery_attempts_total',
    help: 'Attempts by outcome and priority',
    labelNames: ['outcome', 'priority'],
    registers,
  })
  const attemptSeconds = new Histogram({
    name: 'tillhook_delivery_attempt_seconds',
    help: 'Time from the start of an attempt to the headers of the response or the failure',
    buckets: ATTEMPT_SECONDS,
    registers,
  })
  const toDelivered = new Histogram({
    name: 'tillhook_accept_to_delivered_seconds',
    help: 'Time from the recording of a notification to its acknowledgement, without replays',
    buckets: TO_DELIVERED_SECONDS,
    registers,
  })
  const givenUp = new Counter({
    name: 'tillhook_deliveries_failed_total',
    help: 'Deliveries that ended without acknowledgement',
    labelNames: ['reason'],
    registers,
  })
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
export function senderMetrics(registry: Registry, sender: Pick<Sender, 'state'>, egress: Pick<Egress, 'state'>): void {
  const registers = [registry]
  new Gauge({
    name: 'tillhook_deliveries_in_progress',
    help: 'Attempts in progress in this process',
    labelNames: ['kind'],
    registers,
    collect() {
      const { first, again } = sender.state().underWay
      this.set({ kind: 'first' }, first)
      this.set({ kind: 'again' }, again)
    },
  })
  new Gauge({
    name: 'tillhook_deliveries_in_memory',
    help: 'Deliveries in memory whose attempt has not begun',
    registers,
    collect() {
      this.set(sender.state().queued)
    },
  })
  new Gauge({
    name: 'tillhook_delivery_shards',
    help: 'Shards of hooks that this process owns, of 256',
    registers,
    collect() {
      this.set(sender.state().shards)
    },
  })
  total(registry, 'deliveries_loaded', 'Deliveries read from the queue; all others are sent from memory', () => {
    return sender.state().loaded
  })
  total(registry, 'hooks_disabled', 'Hooks that this process disabled because they failed for too long', () => {
    return sender.state().hooksDisabled
  })
  total(
    registry,
    'webhook_connections_opened',
    'Connections opened to endpoints; every other attempt reuses a connection',
    () => {
      return egress.state().connectionsOpened
    },
  )
}

/** A counter whose value another module keeps. */
function total(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name: `tillhook_${name}_total`,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}
