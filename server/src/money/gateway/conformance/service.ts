import type { PostedEvent } from '../gateway.ts'
import type { GatewayOnBench } from './bench.ts'

/** The service with a gateway on the bench. It hears of the gateway by answers, and by the events that are posted to it; no reconciliation. */
export interface ServiceOnBench {
  /** The gateway that it speaks to. */
  readonly bench: Omit<GatewayOnBench, 'lacks' | 'lose' | 'service'>
  /** A new merchant subscribes for `AMOUNT` a year, paying by this token, and the first charge is asked for. */
  buy(token: string, way?: Way): Promise<Bought>
  /** Posts an event as the gateway does. Gives the status of the answer. */
  post(event: PostedEvent): Promise<number>
  /** Looks into what was posted, until nothing is left to do at this moment. */
  applyEvents(): Promise<void>
  /** Lets time pass, and does all that it brings. */
  pass(ms: number): Promise<void>
  /** What of the events about a charge object is kept, and how many of those are still to be looked into. */
  keptOf(gatewayChargeId: string): Promise<{ kept: number; open: number }>
  /** All that came of it, without ids and instants: equal for two that ended alike. */
  outcomeOf(bought: Bought): Promise<Outcome>
  close(): Promise<void>
}

/** What becomes of the gateway's answers to one that buys. Absent: they arrive, and nothing happens before. */
export interface Way {
  /** The gateway has tried to take the money, and its answer is not here yet. `key`: of the try. */
  meanwhile?(bought: Bought, key: string): Promise<void>
  /** An answer that never arrives; nor does that of a look-up as long as the charge is asked for. */
  readonly loses?: 'createCharge' | 'confirmCharge'
}

export interface Bought {
  readonly businessId: string
  /** The first that the gateway made for it. */
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
  /** The status of each try. */
  readonly charges: readonly string[]
  /** Of each refund its status, amount and origin, sorted. */
  readonly refunds: readonly string[]
  /** Of each kind of booking what it moved in the accounts, less what came back. What was booked and undone is not there. */
  readonly ledger: readonly Readonly<Record<string, string | number>>[]
  /** What apps were told, in order, without the prefix of all subscription events. */
  readonly told: readonly string[]
  /** What is shown to people as being apart. */
  readonly discrepancies: readonly string[]
}
