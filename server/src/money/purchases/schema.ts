import { Type } from 'typebox'
import { given } from '../../core/given.ts'
import { PURCHASE_KINDS, PURCHASE_STATUSES, type Purchase } from '../../core/purchase.ts'
import { AppUrn, appUrn, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import type { PurchaseOutcome } from './purchases.ts'

const OUTCOMES = ['NOTHING_DUE', 'PAID', 'PENDING', 'ACTION_REQUIRED', 'DECLINED'] as const

export const PurchaseJson = Type.Object({
  purchaseId: Uuid,
  appId: AppUrn,
  businessId: Uuid,
  kind: Type.Enum(PURCHASE_KINDS),
  planId: Uuid,
  subscriptionId: Type.Optional(Uuid),
  status: Type.Enum(PURCHASE_STATUSES),
  url: Type.Optional(Type.String({ description: 'The purchase screen, while the purchase is open' })),
  payment: Type.Optional(
    Type.Object(
      { status: Type.Enum(OUTCOMES), reason: Type.Optional(Type.String()), actionUrl: Type.Optional(Type.String()) },
      { description: 'Only if COMPLETED: the outcome of the payment' },
    ),
  ),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})

export const AppPurchasePath = Type.Object({ appId: AppUrn, purchaseId: Uuid })

export function purchaseToJson(purchase: Purchase, url?: string, payment?: PurchaseOutcome) {
  const { purchaseId, businessId, kind, planId, subscriptionId, status, createdAt, expiresAt } = purchase
  const shown = { purchaseId, appId: appUrn(purchase.appId), businessId, kind, planId, status, createdAt, expiresAt }
  return timestamped(given({ ...shown, subscriptionId, url, payment }))
}
