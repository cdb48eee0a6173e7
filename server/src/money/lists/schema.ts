import { Type } from 'typebox'
import { CHARGE_STATUSES } from '../../core/charge.ts'
import { DISPUTE_STATUSES } from '../../core/dispute.ts'
import { INVOICE_STATUSES } from '../../core/invoice.ts'
import { PAYMENT_STATUSES, PHASES, SUBSCRIPTION_STATUSES } from '../../core/subscription.ts'
import { MERCHANT_TYPES } from '../../merchants/businesses/schema.ts'
import {
  AppUrn,
  appUrn,
  DECLARED,
  Instant,
  Link,
  listFields,
  Text,
  Timestamp,
  timestamped,
  Uuid,
} from '../../platform/http/wire.ts'
import { recordToJson, SubscriptionJson } from '../subscriptions/schema.ts'
import { LISTED_STATUSES, type ListedCharge } from './charges.ts'
import type { ListedDispute } from './disputes.ts'
import type { ListedInvoice } from './invoices.ts'
import type { NamedSubscription } from './subscriptions.ts'

const scopeFields = {
  organizationId: Type.Optional(Uuid),
  appId: Type.Optional(AppUrn),
  businessId: Type.Optional(Uuid),
  merchantType: Type.Optional(Type.Enum(MERCHANT_TYPES)),
  startAt: Type.Optional(Instant),
  endAt: Type.Optional(Instant),
  ...listFields,
}

export const SubscriptionsQuery = Type.Object({
  status: Type.Optional(Type.Enum([...SUBSCRIPTION_STATUSES])),
  phase: Type.Optional(Type.Enum([...PHASES])),
  paymentStatus: Type.Optional(Type.Enum([...PAYMENT_STATUSES])),
  planId: Type.Optional(Uuid),
  ...scopeFields,
})

export const InvoicesQuery = Type.Object({
  status: Type.Optional(Type.Enum([...INVOICE_STATUSES])),
  subscriptionId: Type.Optional(Uuid),
  number: Type.Optional(Text(32)),
  refunded: Type.Optional(
    Type.Enum(['true', 'false'], {
      [DECLARED]: { type: 'boolean' },
      description: 'Whether money was returned, in part or in full',
    }),
  ),
  ...scopeFields,
})

export const ChargesQuery = Type.Object({
  status: Type.Optional(Type.Enum([...LISTED_STATUSES])),
  invoiceId: Type.Optional(Uuid),
  ...scopeFields,
})

export const DisputesQuery = Type.Object({ status: Type.Optional(Type.Enum([...DISPUTE_STATUSES])), ...scopeFields })

const names = { appName: Type.String(), businessName: Type.String() }
const MerchantTypeJson = Type.Enum(MERCHANT_TYPES)

export const NamedSubscriptionJson = Type.Object({
  ...SubscriptionJson.properties,
  ...names,
  planName: Type.String(),
  merchantType: MerchantTypeJson,
  currency: Type.String(),
  amount: Type.Integer({ description: 'Price of one period, in minor units' }),
})

export const ListedInvoiceJson = Type.Object({
  invoiceId: Uuid,
  number: Type.String(),
  appId: AppUrn,
  businessId: Uuid,
  ...names,
  subscriptionId: Uuid,
  planId: Uuid,
  merchantType: MerchantTypeJson,
  status: Type.Enum([...INVOICE_STATUSES]),
  currency: Type.String(),
  amount: Type.Integer(),
  amountPaid: Type.Integer(),
  amountRefunded: Type.Integer(),
  amountChargedBack: Type.Integer(),
  periodStart: Timestamp,
  periodEnd: Timestamp,
  createdAt: Timestamp,
})

const ofInvoice = {
  invoiceId: Uuid,
  invoiceNumber: Type.String(),
  appId: AppUrn,
  businessId: Uuid,
  ...names,
  subscriptionId: Uuid,
  merchantType: MerchantTypeJson,
  currency: Type.String(),
  amount: Type.Integer(),
}

export const ListedChargeJson = Type.Object({
  chargeId: Uuid,
  ...ofInvoice,
  status: Type.Enum([...CHARGE_STATUSES]),
  reason: Type.Optional(Type.String()),
  startedAt: Timestamp,
  settledAt: Type.Optional(Timestamp),
})

export const ListedDisputeJson = Type.Object({
  disputeId: Uuid,
  ...ofInvoice,
  status: Type.Enum([...DISPUTE_STATUSES]),
  evidenceDueAt: Type.Optional({ ...Timestamp, description: 'Until then the gateway accepts evidence' }),
  evidenceSentAt: Type.Optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const SubscriptionListJson = Type.Object({
  subscriptions: Type.Array(NamedSubscriptionJson),
  links: Type.Array(Link),
})
export const InvoiceListJson = Type.Object({ invoices: Type.Array(ListedInvoiceJson), links: Type.Array(Link) })
export const ChargeListJson = Type.Object({ charges: Type.Array(ListedChargeJson), links: Type.Array(Link) })
export const DisputeListJson = Type.Object({ disputes: Type.Array(ListedDisputeJson), links: Type.Array(Link) })

export function namedSubscriptionToJson({ subscription, ...names }: NamedSubscription) {
  return { ...recordToJson(subscription), ...names, amount: subscription.amount }
}

export function listedInvoiceToJson({ appId, ...invoice }: ListedInvoice) {
  return { ...timestamped(invoice), appId: appUrn(appId) }
}

/** A charge or a dispute. */
export function ofInvoiceToJson({ appId, number, ...listed }: ListedCharge | ListedDispute) {
  return { ...timestamped(listed), appId: appUrn(appId), invoiceNumber: number }
}
