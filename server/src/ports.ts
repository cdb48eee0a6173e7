import type { Logger } from 'pino'
import type { Clock } from './core/clock.ts'
import type { NewId } from './core/id.ts'
import type { Db } from './db/db.ts'
import type { AllowedNetworks } from './egress/addresses.ts'
import type { Post } from './egress/post.ts'
import type { Gateways } from './gateway/gateway.ts'
import type { Vault } from './vault/vault.ts'

/** Everything that touches the world. A use case takes the ones it needs, and its signature tells which. */
export interface Ports {
  readonly db: Db
  readonly clock: Clock
  readonly newId: NewId
  readonly vault: Vault
  readonly gateways: Gateways
  readonly post: Post
  readonly log: Logger
  readonly wake: Wake
  /** Absent where nothing is sent from memory: then all that is recorded is claimed. */
  readonly handOff?: HandOff
  /** Absent where nobody looks: then nothing is ever behind. */
  readonly backlog?: Backlog
  readonly settings: Settings
}

/** Tells the loops of this process that there is work, after a commit. Only haste: a lost call costs one poll. */
export interface Wake {
  charges(): void
  refunds(): void
  deliveries(): void
  gatewayEvents(): void
}

/**
 * The short way of a notification: its row is inserted already leased to this process, and once that is committed it is
 * sent straight from memory. Nobody is told of a roll-back; a crash in between costs the lease.
 */
export interface HandOff {
  /** How many of these hooks' notifications can be taken now, a hook as often as it is named; null: none. */
  offer(hookIds: readonly string[]): HandOffOffer | null
  /** After the commit, those that were inserted under the lease that was offered. */
  take(handed: readonly HandedOff[]): void
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

/** The few settings that decisions depend on. Read once, in config.ts. */
export interface Settings {
  /** `{base_url}` of the interface, without a trailing slash. */
  readonly baseUrl: string
  /** `{billing_url}` of the interface, without a trailing slash. */
  readonly billingUrl: string
  /** Networks that webhooks may reach although they are not public. */
  readonly allowedNetworks: AllowedNetworks
  /** Refuse plain http as a delivery URL. */
  readonly requireHttps: boolean
  /** Of each charge, in basis points. Taken into a booking at its time: a change alters no booking before it. */
  readonly operatorShare: number
}
