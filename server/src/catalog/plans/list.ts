import type { PageRequest } from '../../core/page.ts'
import type { Plan, PlanStatus } from '../../core/plan.ts'
import type { Ports } from '../../ports.ts'
import { listPlans } from './store.ts'

export interface PlanPage {
  readonly plans: readonly Plan[]
  /** The offset of the first plan. */
  readonly start: number
  readonly total: number
}

/**
 * The plans that callers of an app may read: approved, and active or retired with live subscriptions; or all of one status. Paged only if
 * `start` or `count` is sent (decisions 4).
 */
export async function pageOfPlans(
  { db }: Pick<Ports, 'db'>,
  input: { readonly appId: string; readonly status?: PlanStatus; readonly page: PageRequest },
): Promise<PlanPage> {
  const all = await listPlans(db.sql, { appId: input.appId, status: input.status ?? 'listed' })
  const start = offsetOf(all, input.page)
  const end = input.page.count === undefined ? undefined : start + input.page.count
  return { plans: all.slice(start, end), start, total: all.length }
}

function offsetOf(plans: readonly Plan[], { start }: PageRequest): number {
  if (start === undefined) return 0
  if ('offset' in start) return start.offset
  const first = plans.findIndex(plan => plan.createdAt >= start.createdFrom)
  return first === -1 ? plans.length : first
}
