import type { PlanDefinition } from './plan-definition.ts'
import { type Rejection, reject } from './rejection.ts'
import type { Package } from './release.ts'

export type DraftPlan = PlanDefinition & { readonly planId: string }

/** The unfinished next release of an app. It becomes the release with the same id. */
export interface ReleaseDraft {
  readonly draftId: string
  readonly appId: string
  /** Counts the changes, so that a change cannot be overwritten unnoticed. */
  readonly revision: number
  /** Empty until it is entered. */
  readonly version: string
  readonly notes: string
  /** Valid by themselves. */
  readonly plans: readonly DraftPlan[]
  readonly package?: Package
  readonly updatedAt: Date
}

export type DraftChange = Partial<Pick<ReleaseDraft, 'version' | 'notes' | 'plans'>> & {
  /** Null removes the package. */
  readonly package?: Package | null
}

/** A changed draft. Rejects a change by a person who saw an earlier revision. */
export function changeReleaseDraft(
  draft: ReleaseDraft,
  seen: number,
  { package: file, ...change }: DraftChange,
  now: Date,
): ReleaseDraft | Rejection {
  if (draft.revision !== seen) {
    return reject('DRAFT_CHANGED', `The draft has revision ${draft.revision}, and you changed revision ${seen}.`)
  }
  const { package: before, ...rest } = draft
  const kept = file === undefined ? before : file
  return { ...rest, ...change, ...(kept && { package: kept }), revision: draft.revision + 1, updatedAt: now }
}

/** Replaces the plan with the same id, or appends the plan. */
export function withPlan(plans: readonly DraftPlan[], plan: DraftPlan): readonly DraftPlan[] {
  const isKnown = plans.some(({ planId }) => planId === plan.planId)
  return isKnown ? plans.map(one => (one.planId === plan.planId ? plan : one)) : [...plans, plan]
}
