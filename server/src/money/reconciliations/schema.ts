import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import type { Refund } from '../../core/refund.ts'
import { Timestamp, Uuid } from '../../platform/http/wire.ts'
import { DIFFERENCE_KINDS } from '../billing/agree.ts'
import { GATEWAY_NAMES } from '../gateway/gateway.ts'
import type { OpenDifference, Reconciliation } from './store.ts'

const ReconciliationJson = Type.Object({
  gateway: Type.Enum([...GATEWAY_NAMES]),
  fromAt: Timestamp,
  untilAt: Timestamp,
  finishedAt: Type.Optional(Timestamp),
  compared: Type.Integer(),
  mended: Type.Integer(),
  differences: Type.Integer(),
})

const DifferenceJson = Type.Object({
  gateway: Type.Enum([...GATEWAY_NAMES]),
  gatewayChargeId: Type.String(),
  kind: Type.Enum([...DIFFERENCE_KINDS]),
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

/** For the operator: how gateways' books and ours compare, and what wants a person. */
export const ReconciliationsJson = Type.Object({
  reconciliations: Type.Array(ReconciliationJson),
  differences: Type.Array(DifferenceJson),
  owedRefunds: Type.Array(OwedJson),
})

export function reconciliationToJson({ gateway, compared, mended, differences, ...run }: Reconciliation) {
  return {
    gateway,
    fromAt: toTimestamp(run.fromAt),
    untilAt: toTimestamp(run.untilAt),
    ...(run.finishedAt === undefined ? {} : { finishedAt: toTimestamp(run.finishedAt) }),
    compared,
    mended,
    differences,
  }
}

export function differenceToJson({ firstSeenAt, lastSeenAt, ...difference }: OpenDifference) {
  return { ...difference, firstSeenAt: toTimestamp(firstSeenAt), lastSeenAt: toTimestamp(lastSeenAt) }
}

export function owedToJson({ refundId, invoiceId, businessId, amount, currency, failure = '', updatedAt }: Refund) {
  return { refundId, invoiceId, businessId, amount, currency, failure, failedAt: toTimestamp(updatedAt) }
}
