import type { Interval } from './calendar.ts'

export const INTERVALS = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const satisfies readonly Interval[]
export const SCOPES = ['BUSINESS', 'STORE', 'DEVICE'] as const
export const START_POLICIES = ['IMMEDIATE'] as const
export const CANCEL_POLICIES = ['IMMEDIATE', 'BILLING'] as const
export const TRIAL_ELIGIBILITIES = ['ALWAYS', 'ONCE_PER_BUSINESS'] as const
export const PLAN_STATUSES = ['INACTIVE', 'ACTIVE'] as const

export type Scope = (typeof SCOPES)[number]
export type CancelPolicy = (typeof CANCEL_POLICIES)[number]
export type TrialEligibility = (typeof TRIAL_ELIGIBILITIES)[number]
export type PlanStatus = (typeof PLAN_STATUSES)[number]

/** Interface, Plan, Amount: a price in one country; `value` in the currency's minor unit. */
export interface Amount {
  readonly country: string
  readonly currency: string
  readonly value: number
}

/** A plan on sale. An approved plan is never edited, only retired (decisions 4). */
export interface Plan {
  readonly planId: string
  readonly appId: string
  readonly releaseId: string
  readonly name: string
  readonly description: string
  readonly amounts: readonly Amount[]
  readonly interval: Interval
  /** Intervals per period: 3 with MONTH bills each quarter. */
  readonly intervalCount: number
  readonly trialPeriodDays: number
  readonly trialEligibility: TrialEligibility
  readonly startPolicy: 'IMMEDIATE'
  readonly cancelPolicy: CancelPolicy
  readonly gracePeriodDays: number
  readonly scope: Scope
  readonly status: PlanStatus
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Readable through the API from then on. */
  readonly approvedAt?: Date
  /** No new subscribers from then on. */
  readonly retiredAt?: Date
}

/** Decisions 4: the longest grace of each interval, in days, so that grace never outlives a period. */
export const MAX_GRACE_DAYS: Readonly<Record<Interval, number>> = { DAY: 1, WEEK: 7, MONTH: 28, YEAR: 30 }

/** Decisions 4: "default 7, for DAY 1". */
export const DEFAULT_GRACE_DAYS: Readonly<Record<Interval, number>> = { DAY: 1, WEEK: 7, MONTH: 7, YEAR: 7 }

/** The price for a country, or null where the plan is not sold. Decisions 4: `amounts` are unique by country. */
export function priceIn(plan: Pick<Plan, 'amounts'>, country: string): Amount | null {
  return plan.amounts.find(amount => amount.country === country) ?? null
}
