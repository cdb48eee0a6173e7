import type { Logger } from 'pino'
import type { ChargeResult } from './core/charge.ts'
import type { Clock } from './core/clock.ts'
import type { BillingEventType } from './core/event.ts'
import type { NewId } from './core/id.ts'
import type { Quotas } from './core/quota.ts'
import type { TaxIds } from './merchants/tax-ids/check.ts'
import type { Gateways } from './money/gateway/gateway.ts'
import type { Transfers } from './money/payouts/transfers.ts'
import type { TaxProvider } from './money/tax/provider.ts'
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
  /** Absent: the operator pays organizations by other means and books the payouts. */
  readonly transfers?: Transfers
  /** Absent: tax ids are checked for their form alone. */
  readonly taxIds?: TaxIds
  /** Absent: no rate depends on the address of a merchant. */
  readonly taxProvider?: TaxProvider
  readonly mail: Mail
  readonly log: Logger
  readonly wake: Wake
  /** Absent where no process sends: the queue is in the database. */
  readonly dispatch?: Dispatch
  /** Absent: orders are always accepted. */
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
  gatewayEvents(): void
}

/** Notifies the owner of a hook's queue, in this process or another, of the changes of a commit. A lost call costs time only. */
export interface Dispatch {
  /** First attempts that were recorded. */
  recorded(rows: readonly RecordedDelivery[]): void
  /** Hooks that were changed, or whose retries or replays are due now. */
  changed(hookIds: readonly string[]): void
}

/** A first attempt with all that its sender needs. */
export interface RecordedDelivery {
  readonly notificationId: string
  readonly hookId: string
  readonly seq: number
  readonly resourceId: string
  readonly recordedAt: Date
  readonly body: string
  /** The preceding delivery of the same hook and resource, if it has no attempt yet. */
  readonly previousId?: string
  readonly previousSeq?: number
  /** The hook, as the transaction read it. */
  readonly version: number
  readonly deliveryUrl: string
  readonly sealedSecrets: Buffer
}

/** Whether recording outpaces delivery. Producers that can wait ask first; billing never does. */
export interface Backlog {
  isBehind(): boolean
  /** Checks again. Returns 0. */
  check(): Promise<number>
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
  /** Also the request id sent to the endpoint. */
  readonly attemptId: string
  readonly attempt: number
  readonly priority: 'FIRST' | 'RETRY' | 'REPLAY'
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
  /** Per charge, in basis points. A change applies to later bookings. */
  readonly operatorShare: number
  /** Hours that the backlog waits for the operator after an outage of more than a day. Default: 0, no guard. */
  readonly catchUpHours?: number
  /** Whether a lost dispute ends the subscription. Default: true. */
  readonly endsDisputed?: boolean
  /** Whether organizations bear the gateway's fees of charges. Default: false, the operator does. */
  readonly developersPayFees?: boolean
  /** Absent: the defaults of core/quota.ts. */
  readonly quotas?: Quotas
  /** Full months that audit entries are kept. Absent: forever. */
  readonly auditMonths?: number
  /** Validity of a signed list of subscriptions. Default: 72. */
  readonly offlineHours?: number
  /** Whether requests of apps are recorded. Default: true. */
  readonly hasApiLog?: boolean
  /** Whether developers can sign up at `/join`. Default: false. */
  readonly isJoinOpen?: boolean
}
