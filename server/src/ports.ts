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
  readonly settings: Settings
}

/** Tells the loops of this process that there is work, after a commit. Only haste: a lost call costs one poll. */
export interface Wake {
  charges(): void
  refunds(): void
  deliveries(): void
  gatewayEvents(): void
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
}
