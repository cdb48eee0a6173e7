import { type Static, Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { DISPUTE_STATUSES, LONGEST_EVIDENCE } from '../../core/dispute.ts'
import { given } from '../../core/given.ts'
import { MAX_AMOUNT } from '../../core/money.ts'
import type { Preview } from '../../core/preview.ts'
import { CHANGE_TIMES } from '../../core/subscription.ts'
import { DeviceUrn, pageOf, Text, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import { GATEWAY_NAMES } from '../gateway/gateway.ts'
import { DisputeJson, LineJson, lineToJson, TaxJson, taxToJson } from '../invoices/schema.ts'
import type { PaymentMethod } from '../payment-methods/store.ts'
import { PurchaseJson } from '../purchases/schema.ts'
import type { AnsweredDispute } from '../refunds/store.ts'
import { SubscriptionJson } from '../subscriptions/schema.ts'

/** Decisions 5 and 3: a subscription whose first payment is open, or the purchase that the merchant is asked to confirm. */
export const AwaitedJson = Type.Union([SubscriptionJson, PurchaseJson])

/** Decisions 5, Subscribe. */
export const SubscribeBody = Type.Object({
  businessId: Uuid,
  planId: Uuid,
  storeId: Type.Optional(Uuid),
  deviceId: Type.Optional(DeviceUrn),
  paymentMethodId: Type.Optional(Uuid),
})

/** Decisions 5, Change plan. */
export const PlanChangeBody = Type.Object({ planId: Uuid, when: Type.Enum([...CHANGE_TIMES]) })

/** Either a plan with `when`, or a location. */
export const ChangeSubscriptionBody = Type.Object({
  planId: Type.Optional(Uuid),
  when: Type.Optional(Type.Enum([...CHANGE_TIMES])),
  storeId: Type.Optional(Uuid),
  deviceId: Type.Optional(DeviceUrn),
})
export type ChangeSubscription = Static<typeof ChangeSubscriptionBody>

export const PreviewJson = Type.Object({
  effectiveAt: Timestamp,
  currency: Type.String(),
  amount: Type.Integer({ description: 'To be charged then: the sum of the lines' }),
  lines: Type.Array(LineJson),
  creditGranted: Type.Integer({ description: 'For the unused share of the current period' }),
  creditBalance: Type.Integer({ description: 'The credit balance of the business after the change' }),
  /** Absent: none. */
  tax: Type.Optional(TaxJson),
})

export function previewToJson({ effectiveAt, lines, tax, ...amounts }: Preview) {
  const taxed = tax === undefined ? {} : { tax: taxToJson(tax) }
  return { ...amounts, effectiveAt: toTimestamp(effectiveAt), lines: lines.map(lineToJson), ...taxed }
}

/** Decisions 6, Refund. */
export const RefundBody = Type.Object({
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_AMOUNT })),
  reason: Type.Optional(Text(500, 0)),
})

/** The decision of the payer's bank. */
export const DisputeBody = Type.Object({
  status: Type.Enum([...DISPUTE_STATUSES], { description: 'OPEN opens the dispute; LOST and WON decide it' }),
})

export const DisputeParams = Type.Object({ disputeId: Uuid })

/** At least one text. */
export const EvidenceBody = Type.Object({
  productDescription: Type.Optional(Text(LONGEST_EVIDENCE, 0)),
  customerCommunication: Type.Optional(Text(LONGEST_EVIDENCE, 0)),
  uncategorizedText: Type.Optional(Text(LONGEST_EVIDENCE, 0)),
})

export const AnsweredDisputeJson = Type.Object({
  disputeId: Uuid,
  businessId: Uuid,
  status: Type.Enum([...DISPUTE_STATUSES]),
  evidenceDueAt: Type.Optional({ ...Timestamp, description: 'Until then the gateway accepts evidence' }),
  evidence: Type.Optional(Type.Object(EvidenceBody.properties, { description: 'Absent: none was sent' })),
  evidenceSentAt: Type.Optional(Timestamp),
})

export function answeredDisputeToJson(dispute: AnsweredDispute) {
  const { disputeId, businessId, status, evidenceDueAt, evidence, sentAt: evidenceSentAt } = dispute
  return timestamped(given({ disputeId, businessId, status, evidenceDueAt, evidence, evidenceSentAt }))
}

export const DISPUTE_SCHEMAS = {
  DisputeRequest: DisputeBody,
  Dispute: DisputeJson,
  EvidenceRequest: EvidenceBody,
  AnsweredDispute: AnsweredDisputeJson,
}

/** Decisions 11. */
export const PaymentMethodBody = Type.Object({
  gateway: Type.Enum([...GATEWAY_NAMES]),
  token: Text(255),
})

export const PayBody = Type.Object({ paymentMethodId: Type.Optional(Uuid) })

export const SetupBody = Type.Object({ gateway: Type.Enum([...GATEWAY_NAMES]) })

/** The data that the gateway's card form needs. */
export const SetupJson = Type.Object({
  gateway: Type.Enum([...GATEWAY_NAMES]),
  clientSecret: Type.String(),
  publishableKey: Type.Optional(Type.String()),
})

export const PaymentMethodParams = Type.Object({ businessId: Uuid, paymentMethodId: Uuid })

const CardJson = Type.Object({
  brand: Type.String(),
  last4: Type.String(),
  expires: Type.String({ description: 'The last month of the card, YYYY-MM' }),
})

export const PaymentMethodJson = Type.Object({
  paymentMethodId: Uuid,
  businessId: Uuid,
  gateway: Type.Enum([...GATEWAY_NAMES]),
  label: Type.String(),
  card: Type.Optional(CardJson),
  default: Type.Boolean(),
  createdAt: Timestamp,
})

export const PaymentMethodPageJson = pageOf(PaymentMethodJson)

export function paymentMethodToJson(method: PaymentMethod, location: { isDefault: boolean }) {
  const { reference: _, preferredAt: __, ...shown } = method
  return { ...timestamped(shown), default: location.isDefault }
}
