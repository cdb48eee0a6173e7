import type { PostedEvent } from '../../../src/money/gateway/gateway.ts'
import type { GatewayOnBench } from './bench.ts'

/** The service with a bench gateway: responses and posted events, without reconciliation. */
export interface ServiceOnBench {
  /** The gateway of the service. */
  readonly bench: Omit<GatewayOnBench, 'lacks' | 'lose' | 'service'>
  /** A new merchant subscribes for `AMOUNT` a year with this token, and the first charge is sent. */
  buy(token: string, way?: Way): Promise<Bought>
  /** Posts an event. Returns the HTTP status. */
  post(event: PostedEvent): Promise<number>
  /** Applies the posted events that are due. */
  applyEvents(): Promise<void>
  /** Advances the clock and runs the due jobs. */
  pass(ms: number): Promise<void>
  /** Stored events of a charge object, and the number still due. */
  keptOf(gatewayChargeId: string): Promise<{ kept: number; open: number }>
  /** The result without ids and times, for comparison. */
  outcomeOf(bought: Bought): Promise<Outcome>
  close(): Promise<void>
}

/** Disturbs the gateway's responses to a purchase. */
export interface Way {
  /** Called after the charge and before the response. `key`: of the attempt. */
  meanwhile?(bought: Bought, key: string): Promise<void>
  /** The response never arrives. Polls during the call get no response either. */
  readonly loses?: 'createCharge' | 'confirmCharge'
}

export interface Bought {
  readonly businessId: string
  /** The first charge object. */
  readonly gatewayChargeId: string
}

export interface Outcome {
  /** Status and payment status. */
  readonly subscription: readonly string[]
  /** Minor units of its one invoice. */
  readonly invoice: {
    readonly status: string
    readonly paid: number
    readonly refunded: number
    readonly lostInDisputes: number
  }
  /** The status of each attempt. */
  readonly charges: readonly string[]
  /** Status, amount and origin of each refund, sorted. */
  readonly refunds: readonly string[]
  /** Sums of each kind of booking; without bookings that cancel each other out. */
  readonly ledger: readonly Readonly<Record<string, string | number>>[]
  /** Event types in order, without the common prefix. */
  readonly eventTypes: readonly string[]
  /** Open discrepancies. */
  readonly discrepancies: readonly string[]
}
