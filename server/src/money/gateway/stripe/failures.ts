import Stripe from 'stripe'
import { GatewayUnreachable } from '../gateway.ts'

type Unknown = { readonly kind: 'unknown'; readonly reason: string }

/**
 * Why an error leaves open what happened, or null where it settles it. Also open: a key that is wrong or may not do this,
 * and too many requests. Nothing happened then, but neither did the payer refuse; it is tried again when we are mended.
 */
export function unknownReason(error: unknown): string | null {
  if (error instanceof GatewayUnreachable) return 'out_of_time'
  if (!(error instanceof Stripe.errors.StripeError)) return null
  if (error instanceof Stripe.errors.StripeConnectionError) return 'unreachable'
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'authentication_error'
  if (error instanceof Stripe.errors.StripePermissionError) return 'permission_error'
  if (error instanceof Stripe.errors.StripeRateLimitError || error.statusCode === 429)
    return error.code ?? 'rate_limited'
  // The same request is still under way there.
  if (error.statusCode === 409) return error.code ?? 'in_progress'
  if (error instanceof Stripe.errors.StripeAPIError || (error.statusCode ?? 0) >= 500) return 'api_error'
  return null
}

/** What cannot be known is `unknown`, and is looked up later. A bug of ours stays one. */
export async function orUnknown<T>(work: () => Promise<T>): Promise<T | Unknown> {
  try {
    return await work()
  } catch (error) {
    const reason = unknownReason(error)
    if (reason === null) throw error
    return { kind: 'unknown', reason }
  }
}

/** For what has no `unknown`. */
export async function orUnreachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = unknownReason(error)
    throw reason === null ? error : new GatewayUnreachable(`Stripe: ${reason}`, { cause: error })
  }
}

/** Null where Stripe has no such thing. */
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
