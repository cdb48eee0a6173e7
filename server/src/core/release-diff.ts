import type { Plan } from './plan.ts'
import type { Release } from './release.ts'

/** The terms of a plan that a reviewer compares. */
export const PLAN_TERMS = [
  'amounts',
  'interval',
  'intervalCount',
  'scope',
  'trialPeriodDays',
  'trialEligibility',
  'cancelPolicy',
  'gracePeriodDays',
  'description',
] as const satisfies readonly (keyof Plan)[]

export type PlanTerm = (typeof PLAN_TERMS)[number]

export interface ComparedPlan {
  readonly plan: Plan
  /** The plan of the same name in the earlier release. Absent: new. */
  readonly earlier?: Plan
  /** The terms that differ. Empty: nothing, or the plan is new. */
  readonly changed: readonly PlanTerm[]
}

export interface ReleaseDiff {
  readonly plans: readonly ComparedPlan[]
  readonly addedPermissions: readonly string[]
  readonly removedPermissions: readonly string[]
}

interface Compared {
  readonly release: Pick<Release, 'package'>
  readonly plans: readonly Plan[]
}

/** Compares a release with the last approved release of the app; null: there is none. Plans pair by name, in the order of the upload. */
export function compareReleases(next: Compared, earlier: Compared | null): ReleaseDiff {
  const unpaired = [...(earlier?.plans ?? [])]
  const plans = next.plans.map(plan => {
    const at = unpaired.findIndex(({ name }) => name === plan.name)
    const [found] = at < 0 ? [] : unpaired.splice(at, 1)
    if (found === undefined) return { plan, changed: [] }
    return { plan, earlier: found, changed: PLAN_TERMS.filter(term => !isSame(plan[term], found[term])) }
  })
  const [now, then] = [permissionsOf(next), permissionsOf(earlier)]
  return {
    plans,
    addedPermissions: now.filter(permission => !then.includes(permission)),
    removedPermissions: then.filter(permission => !now.includes(permission)),
  }
}

function isSame(one: Plan[PlanTerm], other: Plan[PlanTerm]): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

/** The order of amounts decides only which price countries without an entry see first, so equal sets count as equal. */
function sorted(term: Plan[PlanTerm]): unknown {
  if (typeof term !== 'object') return term
  return term
    .map(({ country, currency, value }) => ({ country, currency, value }))
    .toSorted((a, b) => (a.country < b.country ? -1 : 1))
}

function permissionsOf(compared: Compared | null): readonly string[] {
  return compared?.release.package?.apk?.permissions ?? []
}
