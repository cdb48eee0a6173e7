import type { Plan } from '../../core/plan.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { lockPlan, retirePlan } from './store.ts'

/**
 * Retires a plan: no new subscribers, existing ones keep it (decisions 4). A retired plan stays unchanged. Plans of other apps and
 * unapproved plans are not found.
 */
export async function retire(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  input: { readonly appId: string; readonly planId: string },
): Promise<Plan | Rejection> {
  return db.transaction(async ({ sql }) => {
    const plan = await lockPlan(sql, input.planId)
    if (plan === null || plan.appId !== input.appId || plan.approvedAt === undefined) {
      return reject('PLAN_NOT_FOUND', 'This app has no approved plan with this id.')
    }
    if (plan.retiredAt !== undefined) return plan
    const now = clock.now()
    await retirePlan(sql, { planId: plan.planId, now })
    return { ...plan, status: 'INACTIVE', retiredAt: now, updatedAt: now }
  })
}
