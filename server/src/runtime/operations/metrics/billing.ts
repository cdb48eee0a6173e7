import { Counter, Histogram, type Registry } from 'prom-client'
import { BILLING_EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../../core/event.ts'
import type { Charged, Refunded, Telemetry } from '../../../ports.ts'
import { fromZero } from '../metrics.ts'

/** A gateway gives up after a minute and more. */
const GATEWAY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90]

const CHARGE_OUTCOMES: readonly Charged['status'][] = ['SUCCEEDED', 'DECLINED_SOFT', 'DECLINED_HARD', 'WITHDRAWN']
const REFUND_OUTCOMES: readonly Refunded['status'][] = ['SUCCEEDED', 'FAILED']

/** Counted in this process after the commit. */
export function billingMetrics(
  registry: Registry,
): Pick<Telemetry, 'gatewayCalled' | 'billed' | 'charged' | 'refunded'> {
  const registers = [registry]
  const invoices = new Counter({
    name: 'tillhook_invoices_issued_total',
    help: 'Invoices by period: the first of a term, or a renewal',
    labelNames: ['period'],
    registers,
  })
  const events = new Counter({
    name: 'tillhook_billing_events_total',
    help: 'Subscription events by type',
    labelNames: ['event'],
    registers,
  })
  const charges = new Counter({
    name: 'tillhook_charges_total',
    help: 'Settled charges by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const refunds = new Counter({
    name: 'tillhook_refunds_total',
    help: 'Settled refunds by outcome',
    labelNames: ['outcome'],
    registers,
  })
  fromZero(invoices, 'period', ['first', 'renewal'])
  fromZero(events, 'event', [...BILLING_EVENT_TYPES, ...OPT_IN_EVENT_TYPES])
  fromZero(charges, 'outcome', CHARGE_OUTCOMES)
  fromZero(refunds, 'outcome', REFUND_OUTCOMES)
  const gateway = new Histogram({
    name: 'tillhook_gateway_seconds',
    help: 'Duration of a call to a payment gateway',
    labelNames: ['gateway', 'call', 'outcome'],
    buckets: GATEWAY_SECONDS,
    registers,
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
