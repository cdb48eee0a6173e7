import type { App } from '../../core/app.ts'
import type { Plan } from '../../core/plan.ts'
import { MAX_PLANS_PER_APP, type PlanDefinition } from '../../core/plan-definition.ts'
import { exceeds, type Quotas } from '../../core/quota.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { checkUpgrade, type Release, type ReleaseMessage } from '../../core/release.ts'
import type { Sql } from '../../platform/db/db.ts'
import { countPlans, insertPlans } from '../plans/store.ts'
import { packageBytesOf } from './package-store.ts'
import { countReleases, findLastApk, insertRelease } from './store.ts'

export interface ReleaseWithPlans {
  readonly release: Release
  readonly plans: readonly Plan[]
  /** Oldest first. */
  readonly messages: readonly ReleaseMessage[]
}

export type NewPlan = PlanDefinition & Pick<Plan, 'planId'>

interface Recorded {
  readonly release: Release
  readonly plans: readonly NewPlan[]
  readonly quotas: Quotas | undefined
}

/** Inserts a release with its plans, INACTIVE until the review. The app must be locked. Decisions 4. */
export async function recordRelease(
  sql: Sql,
  { appId, packageName }: App,
  { release, plans: definitions, quotas }: Recorded,
): Promise<ReleaseWithPlans | Rejection> {
  const overQuota = exceeds('releases', (await countReleases(sql, appId)) + 1, quotas)
  if (overQuota) return overQuota
  const apk = release.package?.apk
  const unfit = apk && checkUpgrade(apk, packageName, await findLastApk(sql, appId))
  if (unfit) return unfit
  if ((await countPlans(sql, appId)) + definitions.length > MAX_PLANS_PER_APP) return rejectTooMany()
  const plans = definitions.map(definition => newPlan(definition, release))
  await insertRelease(sql, release)
  await insertPlans(sql, plans)
  return { release, plans, messages: [] }
}

/** The organization must be locked: its apps share the quota of bytes. */
export async function exceedsBytes(
  sql: Sql,
  { organizationId }: App,
  { bytes, quotas }: { readonly bytes: number; readonly quotas: Quotas | undefined },
): Promise<Rejection | null> {
  return exceeds('packageBytes', (await packageBytesOf(sql, organizationId)) + bytes, quotas)
}

function newPlan(definition: NewPlan, { appId, releaseId, createdAt }: Release): Plan {
  return { ...definition, appId, releaseId, status: 'INACTIVE', createdAt, updatedAt: createdAt }
}

export function rejectTooMany(): Rejection {
  return reject(
    'TOO_MANY_PLANS',
    `An app has at most ${MAX_PLANS_PER_APP} plans, including the plans of its other releases.`,
  )
}
