import Stripe from 'stripe'
import type { Evidence } from '../../../core/dispute.ts'
import type { GatewayDecline, SendEvidence, SentEvidence } from '../gateway.ts'
import type { StripeAccount } from './client.ts'

/**
 * Submits the evidence of a dispute: Stripe passes it to the bank at once. Stripe accepts evidence once, so a repeat after the life of the
 * key is recognized by the texts that Stripe has.
 */
export async function sendEvidence(
  { api }: StripeAccount,
  { gatewayDisputeId, key, evidence }: SendEvidence,
): Promise<SentEvidence | GatewayDecline> {
  const texts = textsOf(evidence)
  try {
    await api.disputes.update(
      gatewayDisputeId,
      { evidence: texts, submit: true },
      { idempotencyKey: `evidence:${key}` },
    )
    return { kind: 'sent' }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    const has = await api.disputes.retrieve(gatewayDisputeId)
    const isSubmitted = has.evidence_details.submission_count > 0
    const isSame = TEXTS.every(name => (has.evidence[name] ?? undefined) === texts[name])
    return isSubmitted && isSame ? { kind: 'sent' } : { declined: error.code ?? 'evidence_rejected' }
  }
}

const TEXTS = ['product_description', 'uncategorized_text'] as const

/** Stripe's field for communication with the customer takes a file, so the text goes to the field for any text. */
function textsOf({ productDescription, customerCommunication, uncategorizedText }: Evidence) {
  const communication = customerCommunication && `Communication with the customer:\n\n${customerCommunication}`
  const other = [communication, uncategorizedText].filter(text => text !== undefined).join('\n\n')
  return {
    ...(productDescription !== undefined && { product_description: productDescription }),
    ...(other !== '' && { uncategorized_text: other }),
  }
}
