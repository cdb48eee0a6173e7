import type Stripe from 'stripe'
import type { ChargeOutcome } from '../gateway.ts'
import { declined } from './declines.ts'

/** What the state of an intent says of the try that was made last. */
export function outcomeOf(intent: Stripe.PaymentIntent, { returnUrl }: { returnUrl: string }): ChargeOutcome {
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'succeeded' }
    case 'processing':
      return { kind: 'pending' }
    case 'requires_action':
      return { kind: 'actionRequired', url: intent.next_action?.redirect_to_url?.url ?? returnUrl }
    case 'requires_payment_method': {
      const { code, decline_code: declineCode, advice_code: adviceCode } = intent.last_payment_error ?? {}
      return declined({ code, declineCode, adviceCode })
    }
    case 'canceled':
      // Somebody cancelled it at Stripe while it waited for the payer.
      return { kind: 'declined', severity: 'hard', code: 'canceled_at_gateway' }
    default:
      return { kind: 'unknown', reason: intent.status }
  }
}
