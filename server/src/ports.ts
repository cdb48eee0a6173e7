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

/** The ports to the outside world. A use case takes the ports it needs; its signature names them. */
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
  /** Absent without local dispatch: every delivery is claimed. */
  readonly handOff?: HandOff
  /** Absent where nobody looks: then nothing is ever behind. */
  readonly backlog?: Backlog
  /** Absent where nobody watches. */
  readonly telemetry?: Telemetry
  /** Lets so much real time pass. Absent: by a timer. */
  readonly sleep?: (ms: number) => Promise<void>
  readonly settings: Settings
}

/** Wakes the jobs of this process after a commit. Only a matter of speed: a lost call costs one poll. */
export interface Wake {
  charges(): void
  refunds(): void
  /** These hooks have new due deliveries; `handOff.forget` covers older ones. */
  deliveries(hookIds: readonly string[]): void
  gatewayEvents(): void
}

/**
 * Local dispatch: the row of a notification is inserted with a lease of this process and sent from memory after the commit. A roll-back
 * needs no notice; a crash costs the lease.
 */
export interface HandOff {
  /** Offers the notifications of these hooks, one entry per notification; null: no capacity. */
  offer(hookIds: readonly string[]): HandOffOffer | null
  /** After the commit: the notifications inserted under the offered lease, and the monotonic time at which URLs and secrets were read. */
  take(handed: readonly HandedOff[], readAtMs: number): void
  /** After the commit: hooks with deliveries left in the queue for a claim. */
  left(hookIds: readonly string[]): void
  /**
   * After the commit of a change of these hooks, their health or their approvals: cached deliveries are dropped in all processes, and the
   * next claim finds all waiting deliveries.
   */
  forget(hookIds: readonly string[]): void
}

export interface HandOffOffer {
  readonly leaseId: string
  readonly leasedUntil: Date
  /** One entry per named hook. */
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

/** Whether recording outpaces delivery. Producers that can wait ask first; billing never does. */
export interface Backlog {
  isBehind(): boolean
  /** Looks anew. */
  look(): Promise<number>
}

/** Is told what has happened, for metrics, logs and traces. Changes nothing, and must not throw. */
export interface Telemetry {
  /** One POST to an endpoint with any result. */
  attempted(attempt: Attempted): void
  /** Deliveries that ended without a further attempt, after the commit. */
  gaveUp(ended: readonly GivenUp[]): void
  /** One call to a payment gateway. */
  gatewayCalled(call: GatewayCall): void
  /** Committed changes of subscriptions. */
  billed(changes: readonly Billed[]): void
  /** The committed outcome of a charge. */
  charged(charge: Charged): void
  refunded(refund: Refunded): void
}

export interface Attempted {
  readonly notificationId: string
  readonly hookId: string
  /** Also the request id sent to the endpoint. */
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
  /** The kind of a charge's or refund's outcome. Else `answered`, or `failed` if the call threw. */
  readonly outcome: string
  /** The idempotency key, or the gateway's own id. */
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

/** The settings that decisions depend on. Read once, in config.ts. */
export interface Settings {
  /** `{base_url}` of the interface, without a trailing slash. */
  readonly baseUrl: string
  /** `{billing_url}` of the interface, without a trailing slash. */
  readonly billingUrl: string
  /** Private networks that webhooks may reach. */
  readonly allowedNetworks: AllowedNetworks
  /** Refuse plain http as a delivery URL. */
  readonly requireHttps: boolean
  /** Share of each charge in basis points. A booking keeps the share of its time. */
  readonly operatorShare: number
  /** Absent: the defaults of core/quota.ts. */
  readonly quotas?: Quotas
  /** Full months that audit entries are kept. Absent: forever. */
  readonly auditMonths?: number
}
