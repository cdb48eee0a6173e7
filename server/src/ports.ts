import type { Logger } from 'pino'
import type { ChargeResult } from './core/charge.ts'
import type { Clock } from './core/clock.ts'
import type { BillingEventType } from './core/event.ts'
import type { NewId } from './core/id.ts'
import type { Quotas } from './core/quota.ts'
import type { Gateways } from './money/gateway/gateway.ts'
import type { Db } from './platform/db/db.ts'
import type { AllowedNetworks } from './platform/egress/addresses.ts'
import type { Post } from './platform/egress/post.ts'
import type { Mail } from './platform/mail/mail.ts'
import type { Vault } from './platform/vault/vault.ts'

/** Everything with side effects. A use case takes `Pick<Ports, …>`, so its signature lists the ports it uses. */
export interface Ports {
  readonly db: Db
  readonly clock: Clock
  readonly newId: NewId
  readonly vault: Vault
  readonly gateways: Gateways
  readonly post: Post
  readonly mail: Mail
  readonly log: Logger
  readonly wake: Wake
  /** Absent: all notifications go through the queue. */
  readonly handOff?: HandOff
  /** Absent: deliveries never count as backlogged. */
  readonly backlog?: Backlog
  readonly telemetry?: Telemetry
  /** Waits in real time. Default: a timer. */
  readonly sleep?: (ms: number) => Promise<void>
  readonly settings: Settings
}

/** Wakes the loops of this process after a commit. A lost call costs one idle interval. */
export interface Wake {
  charges(): void
  refunds(): void
  /** Of these hooks something is due since now: `handOff.forget` tells of what may be due for longer. */
  deliveries(hookIds: readonly string[]): void
  gatewayEvents(): void
}

/**
 * The short way of a notification: its row is inserted already leased to this process, and once that is committed it is
 * sent straight from memory. Nobody is told of a roll-back; a crash in between costs the lease.
 */
export interface HandOff {
  /** How many of these hooks' notifications can be taken now, a hook as often as it is named; null: none. */
  offer(hookIds: readonly string[]): HandOffOffer | null
  /** After the commit, those that were inserted under the lease that was offered; since when, on the monotonic clock, their URLs and secrets were read. */
  take(handed: readonly HandedOff[], readAtMs: number): void
  /** After the commit, the hooks of those that were left in the queue, to be claimed here or elsewhere. */
  left(hookIds: readonly string[]): void
  /**
   * After the commit of a change of these hooks, of their health, or of what they may hear: what was read of them before is sent from no
   * memory, here or elsewhere, and what waits of them, however long, is found by the next claim.
   */
  forget(hookIds: readonly string[]): void
}

export interface HandOffOffer {
  readonly leaseId: string
  readonly leasedUntil: Date
  /** For each hook that was named. */
  readonly accepted: readonly boolean[]
}

export interface HandedOff {
  readonly notificationId: string
  readonly hookId: string
  readonly body: string
  readonly recordedAt: Date
  readonly deliveryUrl: string
  readonly sealedSecret: Buffer
  readonly leaseId: string
  readonly leasedUntil: Date
}

/** Whether more is recorded than is delivered. Who produces and can wait asks it first; billing never does. */
export interface Backlog {
  isBehind(): boolean
  /** Looks anew. */
  look(): Promise<number>
}

/** Receives events for metrics, log and traces. Must not throw. */
export interface Telemetry {
  /** One POST to a listener, successful or not. */
  attempted(attempt: Attempted): void
  /** Webhooks that ended without a further attempt, after the commit. */
  gaveUp(ended: readonly GivenUp[]): void
  /** One call to a payment gateway. */
  gatewayCalled(call: GatewayCall): void
  /** Changes of subscriptions, after the commit. */
  billed(changes: readonly Billed[]): void
  /** The outcome of a charge, after the commit. */
  charged(charge: Charged): void
  refunded(refund: Refunded): void
}

export interface Attempted {
  readonly notificationId: string
  readonly hookId: string
  /** Also the request id that the listener was sent. */
  readonly attemptId: string
  readonly attempt: number
  readonly lane: 'FIRST' | 'RETRY' | 'REPLAY'
  readonly recordedAt: Date
  readonly attemptedAt: Date
  readonly finishedAt: Date
  readonly durationMs: number
  readonly acknowledged: boolean
  readonly httpStatus?: number
  readonly reason?: string
  readonly next: { status: 'DELIVERED' } | { status: 'ERRORED'; reason: string } | { dueAt: Date }
}

export interface GivenUp {
  readonly notificationId: string
  readonly hookId: string
  readonly reason: string
}

export interface GatewayCall {
  readonly gateway: string
  readonly call: string
  /** Of a charge or a refund: its kind. Else `answered`, or `failed` where the call threw. */
  readonly outcome: string
  /** Derived from what it is about: the idempotency key, or the gateway's own id. */
  readonly about?: string
  readonly startedAt: Date
  readonly seconds: number
}

export interface Billed {
  readonly subscriptionId: string
  readonly businessId: string
  readonly appId: string
  readonly events: readonly BillingEventType[]
  readonly issued: readonly { readonly invoiceId: string; readonly periodIndex: number }[]
}

export interface Charged {
  readonly chargeId: string
  readonly invoiceId: string
  readonly subscriptionId: string
  readonly status: ChargeResult['status']
  readonly reason?: string
}

export interface Refunded {
  readonly refundId: string
  readonly invoiceId: string
  readonly status: 'SUCCEEDED' | 'FAILED'
  readonly reason?: string
}

/** The settings that use cases read. config.ts reads them once. */
export interface Settings {
  /** `{base_url}` of the interface, without a trailing slash. */
  readonly baseUrl: string
  /** `{billing_url}` of the interface, without a trailing slash. */
  readonly billingUrl: string
  /** Private networks that webhooks may reach. */
  readonly allowedNetworks: AllowedNetworks
  /** Rejects plain http in delivery URLs and callback URLs. */
  readonly requireHttps: boolean
  /** Of each charge, in basis points. A change applies to later bookings. */
  readonly operatorShare: number
  /** Absent: the defaults of core/quota.ts. */
  readonly quotas?: Quotas
  /** Full months that audit entries are kept. Absent: forever. */
  readonly auditMonths?: number
}
