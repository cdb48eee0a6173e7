import type { Logger } from 'pino'
import type { StripeOptions } from '../../money/gateway/stripe/client.ts'
import { openDatabase } from '../../platform/db/db.ts'
import { StartRefused } from './start-refused.ts'

/** A start waits for no gateway: what cannot be known by then is found when a customer is missing. */
const WITHIN_MS = 3_000

/** Refuses a Stripe account that is not the one which this database was filled with: its customers, cards and intents are not there. */
export async function checkStripe(
  { databaseUrl, log }: { readonly databaseUrl: string; readonly log: Logger },
  keys: Pick<StripeOptions, 'secretKey' | 'apiBase'>,
): Promise<void> {
  const [{ openAccount }, { isOtherAccount }] = await Promise.all([
    import('../../money/gateway/stripe/client.ts'),
    import('../../money/gateway/stripe/client.ts'),
  ])
  const db = openDatabase({ url: databaseUrl, maxConnections: 1 })
  const clock = { now: () => new Date() }
  try {
    const account = openAccount({ ...keys, db, clock, returnUrl: '', timeoutMs: WITHIN_MS })
    if (!(await isOtherAccount(account))) return
  } catch (error) {
    log.warn({ err: error }, 'whether the Stripe account is still the same could not be found out; starting without')
    return
  } finally {
    await db.close()
  }
  throw new StartRefused(
    'The Stripe account of TILLHOOK_STRIPE_SECRET_KEY has none of the customers that were charged from this database: the key is of ' +
      'another account, or of test mode in place of live mode. Set a key of that account, or begin with a new database.',
  )
}
