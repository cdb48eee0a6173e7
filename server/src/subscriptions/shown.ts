import type { EndReason, PaymentStatus, Phase, SubscriptionStatus } from '../core/subscription.ts'
import type { Sql } from '../db/db.ts'
import { part, send } from '../db/part.ts'

/** What the wire shows of a subscription. `At`: an instant, as it is held where the subscription comes from. */
export interface Shown<At> {
  readonly subscriptionId: string
  readonly appId: string
  readonly businessId: string
  readonly planId: string
  readonly bundleId: string
  readonly storeId?: string | null
  readonly deviceId?: string | null
  readonly amount: number
  readonly pendingPlanId?: string | null
  readonly pendingAmount?: number | null
  readonly phase: Phase
  readonly status: SubscriptionStatus
  readonly paymentStatus: PaymentStatus
  readonly startAt: At
  readonly trialEndAt?: At | null
  readonly currentPeriodStart: At
  readonly currentPeriodEnd: At
  readonly nextRetryAt?: At | null
  readonly cancelAt?: At | null
  readonly endedAt?: At | null
  readonly endReason?: EndReason | null
  readonly createdAt: At
  readonly updatedAt: At
}

/** Instants are as PostgreSQL writes them, in UTC: whoever only shows them need not compute with them. */
export type ShownSubscription = Shown<string>

export async function findShown(sql: Sql, subscriptionId: string): Promise<ShownSubscription | null> {
  const [row] = await send<ShownRow[]>(
    sql,
    part`select ${SHOWN} from subscriptions where subscription_id = ${subscriptionId}`,
  )
  return row ? shownOf(row) : null
}

/** What a row shown is made of. */
export const STORED = part`
  subscription_id, app_id, business_id, plan_id, bundle_id, store_id, device_id, amount, phase, status, payment_status,
  start_at, trial_end_at, current_period_start, current_period_end, next_retry_at, cancel_at, ended_at, end_reason,
  created_at, updated_at, pending_plan_id, pending_amount`

/** The driver takes longer over a cell than over what is in it: what is always there travels in one. */
export const SHOWN = part`
  concat_ws(
    '|', subscription_id, app_id, business_id, plan_id, bundle_id, amount, phase, status, payment_status, start_at,
    current_period_start, current_period_end, created_at, updated_at) as always,
  store_id as "storeId", device_id as "deviceId", trial_end_at::text as "trialEndAt", next_retry_at::text as "nextRetryAt",
  cancel_at::text as "cancelAt", ended_at::text as "endedAt", end_reason as "endReason",
  pending_plan_id as "pendingPlanId", pending_amount as "pendingAmount"`

export interface ShownRow {
  /** Ids, a number, words and instants: none of them has a bar in it. */
  readonly always: string
  readonly storeId: string | null
  readonly deviceId: string | null
  readonly trialEndAt: string | null
  readonly nextRetryAt: string | null
  readonly cancelAt: string | null
  readonly endedAt: string | null
  readonly endReason: EndReason | null
  readonly pendingPlanId: string | null
  readonly pendingAmount: number | null
}

type Always = readonly [
  ...[subscriptionId: string, appId: string, businessId: string, planId: string, bundleId: string, amount: string],
  ...[phase: Phase, status: SubscriptionStatus, paymentStatus: PaymentStatus, startAt: string],
  ...[currentPeriodStart: string, currentPeriodEnd: string, createdAt: string, updatedAt: string],
]

export function shownOf(row: ShownRow): ShownSubscription {
  const always = row.always.split('|') as readonly string[] as Always
  return {
    subscriptionId: always[0],
    appId: always[1],
    businessId: always[2],
    planId: always[3],
    bundleId: always[4],
    amount: Number(always[5]),
    phase: always[6],
    status: always[7],
    paymentStatus: always[8],
    startAt: always[9],
    currentPeriodStart: always[10],
    currentPeriodEnd: always[11],
    createdAt: always[12],
    updatedAt: always[13],
    storeId: row.storeId,
    deviceId: row.deviceId,
    trialEndAt: row.trialEndAt,
    nextRetryAt: row.nextRetryAt,
    cancelAt: row.cancelAt,
    endedAt: row.endedAt,
    endReason: row.endReason,
    pendingPlanId: row.pendingPlanId,
    pendingAmount: row.pendingAmount,
  }
}
