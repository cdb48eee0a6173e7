import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import {
  CANCEL_POLICIES,
  INTERVALS,
  PLAN_STATUSES,
  type Plan,
  priceIn,
  SCOPES,
  START_POLICIES,
  TRIAL_ELIGIBILITIES,
} from '../../core/plan.ts'
import { AppUrn, appUrn, PageStart, pageOf, QueryInteger, Timestamp, Uuid } from '../../platform/http/wire.ts'
import type { PlanPage } from './list.ts'

export const PlansPath = Type.Object({ appId: AppUrn })
export const PlanPath = Type.Object({ appId: AppUrn, planId: Uuid })

export const PlansQuery = Type.Object({
  status: Type.Optional(Type.Enum(PLAN_STATUSES)),
  start: Type.Optional(PageStart),
  count: Type.Optional(QueryInteger('1 to 1000. Absent: all', { minimum: 1 })),
})

/** Interface, Plan; `intervalCount`, `trialEligibility` and `gracePeriodDays` are additional. */
export const PlanAnswer = Type.Object({
  planId: Uuid,
  appId: AppUrn,
  name: Type.String(),
  description: Type.String(),
  amounts: Type.Array(Type.Object({ country: Type.String(), currency: Type.String(), value: Type.Integer() })),
  amount: Type.Integer({ description: "The value for the asking business's country, else the first" }),
  interval: Type.Enum(INTERVALS),
  intervalCount: Type.Integer({ description: 'Intervals per billing period: 3 with MONTH bills each quarter' }),
  trialPeriodDays: Type.Integer(),
  trialEligibility: Type.Enum(TRIAL_ELIGIBILITIES),
  startPolicy: Type.Enum(START_POLICIES),
  cancelPolicy: Type.Enum(CANCEL_POLICIES),
  gracePeriodDays: Type.Integer(),
  scope: Type.Enum(SCOPES),
  status: Type.Enum(PLAN_STATUSES),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const PlanPageAnswer = pageOf(PlanAnswer)

/** `country`: the country of the calling business, for `amount` (decisions 4). */
export function planToJson({ releaseId: _, approvedAt: __, retiredAt: ___, ...plan }: Plan, country?: string) {
  const price = (country === undefined ? null : priceIn(plan, country)) ?? plan.amounts[0]
  const times = { createdAt: toTimestamp(plan.createdAt), updatedAt: toTimestamp(plan.updatedAt) }
  return { ...plan, appId: appUrn(plan.appId), amount: price?.value, ...times }
}

export function planPageToJson({ plans, start, total }: PlanPage, country?: string) {
  return { list: plans.map(plan => planToJson(plan, country)), start, total, count: plans.length }
}
