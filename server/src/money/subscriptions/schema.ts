import { Type } from 'typebox'
import { assert } from '../../core/assert.ts'
import { toTimestamp } from '../../core/calendar.ts'
import {
  END_REASONS,
  PAYMENT_STATUSES,
  PHASES,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '../../core/subscription.ts'
import {
  AppUrn,
  appUrn,
  DeviceUrn,
  deviceUrn,
  PageCount,
  PageStart,
  pageOf,
  Timestamp,
  Uuid,
} from '../../platform/http/wire.ts'
import type { SubscriptionFields, SubscriptionPage, SubscriptionRecord } from './pages.ts'

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
  pendingPlanId: Type.Optional(Uuid),
  actionUrl: Type.Optional(
    Type.String({ description: "While PENDING: the bank's page on which the payer confirms the first payment" }),
  ),
})

/** Interface, Page envelope, with `next` on every page of results but the last (decisions 5). */
export const SubscriptionPageJson = Type.Object({
  ...pageOf(SubscriptionJson).properties,
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
  start: Type.Optional(PageStart),
  count: Type.Optional(PageCount),
  after: Type.Optional(Uuid),
})

export function subscriptionToJson({ actionUrl, ...subscription }: Subscription & { readonly actionUrl?: string }) {
  return { ...toJson(subscription, toTimestamp), ...(actionUrl === undefined ? {} : { actionUrl }) }
}

export function recordToJson(record: SubscriptionRecord) {
  return toJson(record, timestampOf)
}

export function pageToJson({ list, ...envelope }: SubscriptionPage) {
  return { list: list.map(recordToJson), count: list.length, ...envelope }
}

function toJson<At>(subscription: SubscriptionFields<At>, timestamp: (at: At) => string) {
  const optional = (at: At | Nothing) => (isNothing(at) ? undefined : timestamp(at))
  const { deviceId } = subscription
  // An undefined value leaves its field out.
  return {
    subscriptionId: subscription.subscriptionId,
    appId: appUrn(subscription.appId),
    businessId: subscription.businessId,
    planId: subscription.planId,
    bundleId: subscription.bundleId,
    phase: subscription.phase,
    status: subscription.status,
    startAt: timestamp(subscription.startAt),
    createdAt: timestamp(subscription.createdAt),
    updatedAt: timestamp(subscription.updatedAt),
    storeId: subscription.storeId ?? undefined,
    deviceId: isNothing(deviceId) ? undefined : deviceUrn(deviceId),
    trialEndAt: optional(subscription.trialEndAt),
    currentPeriodStart: timestamp(subscription.currentPeriodStart),
    currentPeriodEnd: timestamp(subscription.currentPeriodEnd),
    nextChargeAt: optional(nextCharge(subscription)),
    cancelAt: optional(subscription.cancelAt),
    endedAt: optional(subscription.endedAt),
    endReason: subscription.endReason ?? undefined,
    paymentStatus: subscription.paymentStatus,
    pendingPlanId: subscription.pendingPlanId ?? undefined,
  }
}

/** The next retry or the next period. Free subscriptions and subscriptions that end have none. */
function nextCharge<At>(subscription: SubscriptionFields<At>): At | Nothing {
  if (subscription.status !== 'ACTIVE') return undefined
  if (subscription.paymentStatus === 'PAST_DUE') return subscription.nextRetryAt
  if ((subscription.pendingAmount ?? subscription.amount) === 0) return undefined
  return isNothing(subscription.cancelAt) ? subscription.currentPeriodEnd : undefined
}

/** PostgreSQL writes `2026-01-31 00:00:00+00`; every connection uses UTC. */
function timestampOf(text: string): string {
  assert(text.length >= 22 && text[4] === '-', 'the year of an instant has four digits')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}Z`
}

type Nothing = null | undefined

const isNothing = (value: unknown): value is Nothing => value === null || value === undefined
