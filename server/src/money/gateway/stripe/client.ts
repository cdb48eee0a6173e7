import Stripe from 'stripe'
import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../platform/db/db.ts'
import { GatewayUnreachable, type Timed } from '../gateway.ts'

export interface StripeOptions {
  readonly secretKey: string
  /** Signs what Stripe posts to us. Absent: nothing is believed. */
  readonly webhookSecret?: string
  readonly publishableKey?: string
  /** Another server than Stripe's, for tests. */
  readonly apiBase?: string
  /** In place of the network, for tests. */
  readonly httpClient?: Stripe.HttpClient
  /** Where the payer comes back to after an authentication. */
  readonly returnUrl: string
  readonly timeoutMs?: number
  readonly db: Db
  readonly clock: Clock
}

/** What the parts of the adapter share. */
export type StripeAccount = StripeOptions & { readonly api: Stripe }

/** Issuers take up to half a minute at their slowest; what takes longer is unknown, and looked up. */
const TIMEOUT_MS = 25_000

export function openAccount(options: StripeOptions): StripeAccount {
  return { ...options, api: new Stripe(options.secretKey, configOf(options)) }
}

/** How long the next request may take, of the time that the whole call is given. Throws when none is left. */
export function within(
  { clock, timeoutMs = TIMEOUT_MS }: Pick<StripeOptions, 'clock' | 'timeoutMs'>,
  { until }: Timed,
): { timeout?: number } {
  if (until === undefined) return {}
  const leftMs = until.getTime() - clock.now().getTime()
  if (leftMs <= 0) throw new GatewayUnreachable('no time is left')
  return { timeout: Math.min(leftMs, timeoutMs) }
}

function configOf({ apiBase, httpClient, timeoutMs = TIMEOUT_MS }: StripeOptions) {
  return {
    // Billing repeats, and it looks up first: a repeat in here would be a second try nobody decided, under one lease.
    // (A connection that closes before any answer is sent again once by the SDK even so: under the same idempotency key.)
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(apiBase === undefined ? {} : serverOf(new URL(apiBase))),
    ...(httpClient && { httpClient }),
  }
}

function serverOf({ hostname, port, protocol }: URL) {
  const isHttp = protocol === 'http:'
  return { host: hostname, port: port || (isHttp ? '80' : '443'), protocol: isHttp ? 'http' : 'https' } as const
}
