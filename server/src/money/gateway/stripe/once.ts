import Stripe from 'stripe'

/** More than a day has looks, one each ten minutes: by then Stripe has forgotten the first key. */
const MOST_KEYS = 200

/**
 * Sends what must count once, under `key`. Stripe keeps the first answer to a key for at least 24 hours, a 500 too, and gives it
 * again long after it is well (https://docs.stripe.com/api/idempotent_requests). Of such a key nothing can come any more: what it
 * may have made is looked up, and where there is nothing, the next key takes its place: `key`, `key:2`, `key:3` …
 *
 * So it does with the word that an intent could not be confirmed as it stood, as while a bank worked on it: that may be over since.
 *
 * Why nothing is done twice by that: a key is left only for a repeated answer of these, so that its request is over. One whose
 * answer was lost or is late, that is under way (409) or was not let in (429) keeps its key. Everybody goes through the same
 * keys in the same order: two processes, or a slow first request and the next look, meet at one key, of which Stripe makes one thing.
 * `lookUp` comes after the repeated 500, and reads what is up to date at once, never Stripe's search. Should Stripe mend later what
 * broke off with a 500, there is an intent more that nobody confirms, since the stored one alone is; an intent that was confirmed
 * twice still takes the money once; of two customers the first row stands. A refund has no such lock: `refund.ts` waits before.
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

/** https://docs.stripe.com/error-low-level: a replayed answer says so. A fresh one leaves the next look to tell what came of it. */
function isKept(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError) || error.headers?.['idempotent-replayed'] !== 'true') return false
  return (error.statusCode ?? 0) >= 500 || error.code === 'payment_intent_unexpected_state'
}
