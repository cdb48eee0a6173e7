import type { Interval } from './calendar.ts'
import { COUNTRIES } from './countries.ts'
import { isPayable, leastOf, mostOf, stepOf } from './credit.ts'
import { CURRENCIES } from './money.ts'
import type { Amount, CancelPolicy, Plan, Scope, TrialEligibility } from './plan.ts'
import {
  CANCEL_POLICIES,
  DEFAULT_GRACE_DAYS,
  INTERVALS,
  MAX_GRACE_DAYS,
  SCOPES,
  START_POLICIES,
  TRIAL_ELIGIBILITIES,
} from './plan.ts'
import { isRejection, type Rejection, rejectField } from './rejection.ts'

/** Decisions 4: "At most 500 plans per app". */
export const MAX_PLANS_PER_APP = 500
/** Decisions 4: "`amounts`: 1–250, unique by country". */
export const MAX_AMOUNTS = 250
export const MAX_NAME_LENGTH = 255
export const MAX_DESCRIPTION_LENGTH = 2_000
/** Decisions 4: "intervalCount (1–12, default 1: a quarter is MONTH × 3)". */
export const MAX_INTERVAL_COUNT = 12
/** Decisions 4: "trialPeriodDays (0–365, default 0)". */
export const MAX_TRIAL_DAYS = 365

/** A definition as sent: the types are right, nothing else is checked. */
export interface PlanDefinitionInput {
  readonly name: string
  readonly amounts: readonly Amount[]
  readonly interval: string
  readonly scope: string
  readonly description?: string
  readonly intervalCount?: number
  readonly trialPeriodDays?: number
  readonly trialEligibility?: string
  readonly startPolicy?: string
  readonly cancelPolicy?: string
  readonly gracePeriodDays?: number
}

/** A valid definition with defaults. */
export type PlanDefinition = Pick<
  Plan,
  | 'name'
  | 'description'
  | 'amounts'
  | 'interval'
  | 'intervalCount'
  | 'trialPeriodDays'
  | 'trialEligibility'
  | 'startPolicy'
  | 'cancelPolicy'
  | 'gracePeriodDays'
  | 'scope'
>

/** Checks one definition by every rule of decisions 4. A rejection names the field below `path`, as `plans[0].amounts[1].country`. */
export function checkPlanDefinition(input: PlanDefinitionInput, path: string): PlanDefinition | Rejection {
  const { name, description = '', intervalCount = 1, trialPeriodDays = 0 } = input
  if (!fits(name, 1, MAX_NAME_LENGTH))
    return rejectField(`${path}.name`, `must have 1 to ${MAX_NAME_LENGTH} characters`)
  if (!fits(description, 0, MAX_DESCRIPTION_LENGTH)) {
    return rejectField(`${path}.description`, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`)
  }
  const choices = checkChoices(input, path)
  if (isRejection(choices)) return choices
  if (intervalCount === 0 || !isWithin(intervalCount, MAX_INTERVAL_COUNT)) {
    return rejectField(`${path}.intervalCount`, `must be an integer from 1 to ${MAX_INTERVAL_COUNT}`)
  }
  if (!isWithin(trialPeriodDays, MAX_TRIAL_DAYS)) {
    return rejectField(`${path}.trialPeriodDays`, `must be an integer from 0 to ${MAX_TRIAL_DAYS}`)
  }
  const { interval } = choices
  const gracePeriodDays = input.gracePeriodDays ?? DEFAULT_GRACE_DAYS[interval]
  if (!isWithin(gracePeriodDays, MAX_GRACE_DAYS[interval])) {
    return rejectField(
      `${path}.gracePeriodDays`,
      `must be an integer from 0 to ${MAX_GRACE_DAYS[interval]} for ${interval}`,
    )
  }
  const amounts = checkAmounts(input.amounts, `${path}.amounts`)
  if (isRejection(amounts)) return amounts
  const policies = { ...choices, startPolicy: 'IMMEDIATE' as const }
  return { name, description, amounts, intervalCount, trialPeriodDays, gracePeriodDays, ...policies }
}

interface Choices {
  interval: Interval
  scope: Scope
  trialEligibility: TrialEligibility
  cancelPolicy: CancelPolicy
}

function checkChoices(input: PlanDefinitionInput, path: string): Choices | Rejection {
  const {
    interval,
    scope,
    trialEligibility = 'ONCE_PER_BUSINESS',
    startPolicy = 'IMMEDIATE',
    cancelPolicy = 'IMMEDIATE',
  } = input
  if (!isOneOf(INTERVALS, interval)) return rejectChoice(`${path}.interval`, INTERVALS)
  if (!isOneOf(SCOPES, scope)) return rejectChoice(`${path}.scope`, SCOPES)
  if (!isOneOf(TRIAL_ELIGIBILITIES, trialEligibility)) {
    return rejectChoice(`${path}.trialEligibility`, TRIAL_ELIGIBILITIES)
  }
  if (!isOneOf(START_POLICIES, startPolicy)) return rejectChoice(`${path}.startPolicy`, START_POLICIES)
  if (!isOneOf(CANCEL_POLICIES, cancelPolicy)) return rejectChoice(`${path}.cancelPolicy`, CANCEL_POLICIES)
  return { interval, scope, trialEligibility, cancelPolicy }
}

function checkAmounts(amounts: readonly Amount[], path: string): readonly Amount[] | Rejection {
  if (amounts.length < 1 || amounts.length > MAX_AMOUNTS) {
    return rejectField(path, `must have 1 to ${MAX_AMOUNTS} entries`)
  }
  const seen = new Set<string>()
  for (const [index, { country, currency, value }] of amounts.entries()) {
    const at = `${path}[${index}]`
    if (!COUNTRIES.has(country)) return rejectField(`${at}.country`, 'must be an ISO 3166-1 alpha-2 code in capitals')
    if (seen.has(country)) return rejectField(`${at}.country`, `is given twice: ${country} has an amount already`)
    if (!CURRENCIES.has(currency)) return rejectField(`${at}.currency`, 'must be an active ISO 4217 code in capitals')
    const most = mostOf(currency)
    if (!isWithin(value, most)) {
      return rejectField(`${at}.value`, `must be an integer from 0 to ${most}, in the minor unit of ${currency}`)
    }
    const unpayable = unpayableWords(value, currency)
    if (unpayable !== null) return rejectField(`${at}.value`, unpayable)
    seen.add(country)
  }
  return amounts.map(({ country, currency, value }) => ({ country, currency, value }))
}

/** Decisions 4: "A price below what a card can be charged is refused with the least amount." Returns null if a card can be charged the price. */
function unpayableWords(value: number, currency: string): string | null {
  if (value === 0 || isPayable(value, currency)) return null
  const step = stepOf(currency)
  const inSteps = step === 1 ? '' : `, a multiple of ${step}`
  return `must be 0 (free), or at least ${leastOf(currency)}${inSteps}: a card cannot be charged ${value} in ${currency}`
}

function isWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max
}

/** Counts characters as people and the wire schemas do, not UTF-16 units. */
function fits(text: string, min: number, max: number): boolean {
  const length = [...text].length
  return length >= min && length <= max
}

function isOneOf<T extends string>(choices: readonly T[], value: string): value is T {
  return (choices as readonly string[]).includes(value)
}

function rejectChoice(path: string, choices: readonly string[]): Rejection {
  return rejectField(path, `must be ${choices.join(' or ')}`)
}
