import type { Logger } from 'pino'
import type { Clock } from './core/clock.ts'
import type { StripeOptions } from './money/gateway/stripe/client.ts'
import type { AllowedNetworks } from './platform/egress/addresses.ts'
import type { Limits } from './platform/http/limits.ts'
import type { Mail } from './platform/mail/mail.ts'
import type { Ports, Settings } from './ports.ts'
import type { WorkRate } from './runtime/jobs/rate.ts'
import type { Tracing } from './runtime/operations/tracing.ts'
import type { Role } from './setting-values.ts'

/** The settings and adapters of `createApp`. */
export interface AppOptions {
  readonly databaseUrl: string
  /** The direct URL of the database, if `databaseUrl` is the URL of a pooler. */
  readonly databaseDirectUrl?: string
  readonly databaseAnswersWithinMs?: number
  readonly databaseConnectsWithinMs?: number
  readonly masterKey: Buffer
  readonly operatorKey?: string
  /** A further token for `/metrics`, beside the operator key. */
  readonly metricsToken?: string
  readonly settings: Settings
  readonly limits: Partial<Limits>
  /** Proxies whose `X-Forwarded-For` names the caller. Default: none. */
  readonly trustedProxies?: AllowedNetworks
  readonly maxPackageBytes?: number
  readonly log: Logger
  /** Absent: there is no Stripe gateway. */
  readonly stripe?: Pick<StripeOptions, 'secretKey' | 'webhookSecret' | 'publishableKey' | 'apiBase'>
  /** Base URL of the REST interface of VIES. Absent: no service checks tax ids. */
  readonly viesUrl?: string
  /** Pays organizations out by Stripe Connect. Needs `stripe`. */
  readonly paysByConnect?: boolean
  /** Reads tax rates of addresses from Stripe Tax. Needs `stripe`. */
  readonly stripeTax?: { readonly taxCode?: string }
  /** The relay for mail. */
  readonly smtp?: { readonly url: string; readonly from: string }
  /** Without a relay, the log shows mail and its links. Default: the log says that mail is not configured. */
  readonly isDevelopment?: boolean
  /** For tests: replaces the relay and the log. */
  readonly mail?: Mail
  /** Extra duration of each call to the sandbox gateway. */
  readonly sandboxDelayMs?: number
  /** Serves the terminal simulator. Default: only without Stripe. */
  readonly simulator?: boolean
  readonly role?: Role
  /** For the page about the system, without secrets. */
  readonly shownSettings?: readonly {
    readonly variable: string
    readonly value?: string
    readonly byDefault: string
    readonly meaning: string
  }[]
  /** Absent: there are no traces. */
  readonly tracing?: Tracing
  /** For tests: compares each answer with its schema. */
  readonly checkAnswers?: boolean
  readonly clock?: Clock
  /** For the simulation, whose time is not real. */
  readonly workRate?: WorkRate
  /** For tests: changes the ports, for instance to inject failures. */
  readonly wrap?: (ports: Ports) => Ports
}
