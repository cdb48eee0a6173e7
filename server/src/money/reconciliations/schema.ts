import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import type { Refund } from '../../core/refund.ts'
import { Timestamp, Uuid } from '../../platform/http/wire.ts'
import { DISCREPANCY_KINDS } from '../billing/reconcile.ts'
import { GATEWAY_NAMES } from '../gateway/gateway.ts'

const ReconciliationJson = Type.Object({
  gateway: Type.Enum([...GATEWAY_NAMES]),
  fromAt: Timestamp,
  untilAt: Timestamp,
  finishedAt: Type.Optional(Timestamp),
  compared: Type.Integer(),
  repaired: Type.Integer(),
  discrepancies: Type.Integer(),
})

const DiscrepancyJson = Type.Object({
  gateway: Type.Enum([...GATEWAY_NAMES]),
  gatewayChargeId: Type.String(),
  kind: Type.Enum([...DISCREPANCY_KINDS]),
  detail: Type.String(),
  invoiceId: Type.Optional(Uuid),
  firstSeenAt: Timestamp,
  lastSeenAt: Timestamp,
})

const OwedJson = Type.Object({
  refundId: Uuid,
  invoiceId: Uuid,
  businessId: Uuid,
  amount: Type.Integer(),
  currency: Type.String(),
  failure: Type.String(),
  failedAt: Timestamp,
})

/** For the operator. */
export const ReconciliationsJson = Type.Object({
  reconciliations: Type.Array(ReconciliationJson),
  discrepancies: Type.Array(DiscrepancyJson),
  owedRefunds: Type.Array(OwedJson),
})

export function owedToJson({ refundId, invoiceId, businessId, amount, currency, failure = '', updatedAt }: Refund) {
  return { refundId, invoiceId, businessId, amount, currency, failure, failedAt: toTimestamp(updatedAt) }
}
