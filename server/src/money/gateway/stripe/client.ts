import Stripe from 'stripe'
import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../platform/db/db.ts'
import { GatewayUnreachable, type Timed } from '../gateway.ts'

export interface StripeOptions {
  readonly secretKey: string
  /** Verifies events. Absent: all events are rejected. */
  readonly webhookSecret?: string
  readonly publishableKey?: string
  /** Another server, for tests. */
  readonly apiBase?: string
  /** Replaces the network, for tests. */
  readonly httpClient?: Stripe.HttpClient
  /** The payer returns here after an authentication. */
  readonly returnUrl: string
  readonly timeoutMs?: number
  readonly db: Db
  readonly clock: Clock
}

export type StripeAccount = StripeOptions & { readonly api: Stripe }

/** Slow issuers take up to half a minute; a slower outcome is unknown and polled. */
const TIMEOUT_MS = 25_000

export function openAccount(options: StripeOptions): StripeAccount {
  return { ...options, api: new Stripe(options.secretKey, configOf(options)) }
}

/** The timeout of the next request, within the time of the whole call. Throws when no time is left. */
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
    // Billing repeats calls after a look-up. The SDK still repeats once after a connection that closed without a response, under the same key.
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

type Unknown = { readonly kind: 'unknown'; readonly reason: string }

/**
 * The reason why an error leaves the outcome unknown, or null for a final error. A wrong key, missing permissions and rate limits are unknown too:
 * nothing was declined, and the call is repeated later.
 */
export function unknownReason(error: unknown): string | null {
  if (error instanceof GatewayUnreachable) return 'out_of_time'
  if (!(error instanceof Stripe.errors.StripeError)) return null
  if (error instanceof Stripe.errors.StripeConnectionError) return 'unreachable'
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'authentication_error'
  if (error instanceof Stripe.errors.StripePermissionError) return 'permission_error'
  if (error instanceof Stripe.errors.StripeRateLimitError || error.statusCode === 429)
    return error.code ?? 'rate_limited'
  // An earlier request with this key is still in progress.
  if (error.statusCode === 409) return error.code ?? 'in_progress'
  if (error instanceof Stripe.errors.StripeAPIError || (error.statusCode ?? 0) >= 500) return 'api_error'
  return null
}

/** Turns an unknown outcome into `unknown`. Other errors are bugs and throw. */
export async function orUnknown<T>(work: () => Promise<T>): Promise<T | Unknown> {
  try {
    return await work()
  } catch (error) {
    const reason = unknownReason(error)
    if (reason === null) throw error
    return { kind: 'unknown', reason }
  }
}

/** For calls without `unknown`. */
export async function orUnreachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = unknownReason(error)
    throw reason === null ? error : new GatewayUnreachable(`Stripe: ${reason}`, { cause: error })
  }
}

/** Null: unknown to Stripe. */
export async function orMissing<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export function isMissing(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
}

interface Page<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
}

/** All items of a list, newest first. Each page of results is a call with its own timeout, unlike the SDK's auto-pagination. */
export async function* everyOf<T extends { readonly id: string }>(
  askFor: (after: { starting_after?: string }) => Promise<Page<T>>,
): AsyncGenerator<T> {
  for (let after = {}; ; ) {
    const { data, has_more: hasMore } = await askFor(after)
    yield* data
    const last = data.at(-1)
    if (!hasMore || last === undefined) return
    after = { starting_after: last.id }
  }
}

/** More than the polls of a day: by then Stripe has forgotten the first key. */
const MOST_KEYS = 200

/**
 * Sends a request that must have one effect, under `key`. Stripe stores the first response to a key for at least 24 hours, also a 500, and
 * replays it (https://docs.stripe.com/api/idempotent_requests). After a replayed 500, or a replayed "unexpected state" of an intent, the result
 * is looked up, and without a result the next key is used: `key`, `key:2`, `key:3` … No effect is doubled: a key is abandoned only after a
 * replayed response, so its request is over. A lost or late response, 409 and 429 keep the key. All processes use the same keys in the same
 * order. `lookUp` reads Stripe's lists, never the delayed search. If Stripe completes a failed request later, an extra intent is never confirmed,
 * an intent confirmed twice charges once, and the first customer row wins. A second refund would return money twice, so `refund` waits a minute
 * before it uses another key.
 */
export async function once<T>(
  key: string,
  send: (idempotencyKey: string) => Promise<T>,
  lookUp: () => Promise<T | null> = async () => null,
): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await send(n === 1 ? key : `${key}:${n}`)
    } catch (error) {
      if (!isKept(error) || n === MOST_KEYS) throw error
    }
    const made = await lookUp()
    if (made !== null) return made
  }
}

/** A replayed response has a header (https://docs.stripe.com/error-low-level). After a fresh error the next poll finds the outcome. */
function isKept(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError) || error.headers?.['idempotent-replayed'] !== 'true') return false
  return (error.statusCode ?? 0) >= 500 || error.code === 'payment_intent_unexpected_state'
}

/** One customer may be missing for other reasons; all of them are missing only in another account. */
const ASKED_FOR = 3

/**
 * Returns true if the key belongs to an account without our customers: the account of another owner, or the other mode. Deleted customers are
 * still known. Without customers there were no charges, and any account is accepted.
 */
export async function isOtherAccount(account: StripeAccount): Promise<boolean> {
  const customers = await account.db.sql<{ customerId: string }[]>`
    select customer_id as "customerId" from stripe_customers order by created_at desc, customer_id limit ${ASKED_FOR}`
  for (const { customerId } of customers) {
    const known = await orMissing(() => orUnreachable(() => account.api.customers.retrieve(customerId)))
    if (known !== null) return false
  }
  return customers.length > 0
}
