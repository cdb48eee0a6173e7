import { Type } from 'typebox'
import { toTimestamp } from '../core/calendar.ts'
import {
  END_REASONS,
  PAYMENT_STATUSES,
  PHASES,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '../core/subscription.ts'
import { AppUrn, appUrn, DeviceUrn, deviceUrn, Timestamp, Uuid } from '../http/wire.ts'

/** Interface, Subscription; then the additional fields of decisions 5. */
export const SubscriptionJson = Type.Object({
  subscriptionId: Uuid,
  appId: AppUrn,
  businessId: Uuid,
  planId: Uuid,
  bundleId: Uuid,
  phase: Type.Enum([...PHASES]),
  status: Type.Enum([...SUBSCRIPTION_STATUSES]),
  startAt: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  storeId: Type.Optional(Uuid),
  deviceId: Type.Optional(DeviceUrn),
  trialEndAt: Type.Optional(Timestamp),
  currentPeriodStart: Timestamp,
  currentPeriodEnd: Timestamp,
  nextChargeAt: Type.Optional(Timestamp),
  cancelAt: Type.Optional(Timestamp),
  endedAt: Type.Optional(Timestamp),
  endReason: Type.Optional(Type.Enum([...END_REASONS])),
  paymentStatus: Type.Enum([...PAYMENT_STATUSES]),
})

/** Interface, Page envelope; `next` is there while there is more (decisions 5). */
export const SubscriptionPageJson = Type.Object({
  list: Type.Array(SubscriptionJson),
  start: Type.Integer(),
  total: Type.Integer(),
  count: Type.Integer(),
  next: Type.Optional(Type.String()),
})

export const AppParams = Type.Object({ appId: AppUrn })
export const SubscriptionParams = Type.Object({ appId: AppUrn, subscriptionId: Uuid })

export const ListQuery = Type.Object({
  businessId: Type.Optional(Uuid),
  storeId: Type.Optional(Uuid),
  deviceId: Type.Optional(DeviceUrn),
  planId: Type.Optional(Uuid),
  status: Type.Optional(Type.Enum([...SUBSCRIPTION_STATUSES, 'ALL'])),
  start: Type.Optional(Type.String()),
  count: Type.Optional(Type.String()),
  after: Type.Optional(Uuid),
})

export function subscriptionToJson(subscription: Subscription) {
  const nextChargeAt = nextCharge(subscription)
  return {
    subscriptionId: subscription.subscriptionId,
    appId: appUrn(subscription.appId),
    businessId: subscription.businessId,
    planId: subscription.planId,
    bundleId: subscription.bundleId,
    phase: subscription.phase,
    status: subscription.status,
    startAt: toTimestamp(subscription.startAt),
    createdAt: toTimestamp(subscription.createdAt),
    updatedAt: toTimestamp(subscription.updatedAt),
    ...(subscription.storeId === undefined ? {} : { storeId: subscription.storeId }),
    ...(subscription.deviceId === undefined ? {} : { deviceId: deviceUrn(subscription.deviceId) }),
    ...timestamp('trialEndAt', subscription.trialEndAt),
    currentPeriodStart: toTimestamp(subscription.currentPeriodStart),
    currentPeriodEnd: toTimestamp(subscription.currentPeriodEnd),
    ...timestamp('nextChargeAt', nextChargeAt),
    ...timestamp('cancelAt', subscription.cancelAt),
    ...timestamp('endedAt', subscription.endedAt),
    ...(subscription.endReason === undefined ? {} : { endReason: subscription.endReason }),
    paymentStatus: subscription.paymentStatus,
  }
}

/** When money will next be asked for: a retry, or the next period; never for a free or ending subscription. */
function nextCharge(subscription: Subscription): Date | undefined {
  if (subscription.status === 'ENDED' || subscription.amount === 0) return undefined
  if (subscription.paymentStatus === 'PAST_DUE') return subscription.nextRetryAt
  return subscription.cancelAt === undefined ? subscription.currentPeriodEnd : undefined
}

function timestamp<K extends string>(key: K, at: Date | undefined): { [P in K]?: string } {
  return (at === undefined ? {} : { [key]: toTimestamp(at) }) as { [P in K]?: string }
}
