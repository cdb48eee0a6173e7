import { parsePage } from '../../core/page.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { pageOfPlans } from './list.ts'
import { retire } from './retire.ts'
import { PlanAnswer, PlanPageAnswer, PlanPath, PlansPath, PlansQuery, planPageToJson, planToJson } from './schema.ts'

interface PlanPorts extends Pick<Ports, 'db' | 'clock' | 'newId'> {
  /** The country of a business, filled by app.ts: the catalog does not import merchants. */
  readonly findCountry: (sql: Sql, businessId: string) => Promise<string | undefined>
}

export function planRoutes(ports: PlanPorts): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/apps/:appId/plans',
      name: 'listPlans',
      operation: 'plans.read',
      summary: 'List the plans of an app',
      params: PlansPath,
      query: PlansQuery,
      answers: { 200: PlanPageAnswer },
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, query, principal, db }) {
        const page = parsePage(query)
        if (isRejection(page)) return page
        const status = query.status === undefined ? {} : { status: query.status }
        const plans = await pageOfPlans({ ...ports, db }, { appId: uuidOfUrn(params.appId), page, ...status })
        return answer(200, planPageToJson(plans, await countryOf(ports, db.sql, principal)))
      },
    }),
    route({
      method: 'POST',
      path: '/apps/:appId/plans/:planId/retire',
      name: 'retirePlan',
      operation: 'apps.manage',
      summary: 'Retire a plan: it accepts no new subscribers',
      params: PlanPath,
      answers: { 200: PlanAnswer },
      rejections: ['PLAN_NOT_FOUND'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, db }) {
        const plan = await retire({ ...ports, db }, { appId: uuidOfUrn(params.appId), planId: params.planId })
        return isRejection(plan) ? plan : answer(200, planToJson(plan))
      },
    }),
  ]
}

/** Callers bound to a business see the prices of its country. */
async function countryOf({ findCountry }: PlanPorts, sql: Sql, principal: Principal): Promise<string | undefined> {
  if (!('businessId' in principal) || principal.businessId === undefined) return undefined
  return await findCountry(sql, principal.businessId)
}
