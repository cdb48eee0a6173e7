import type { Static } from 'typebox'
import type { TokenMemory } from '../../access/tokens/token-memory.ts'
import { AppShownAnswer, appShownToJson } from '../../catalog/apps/schema.ts'
import { findAppByPackageName } from '../../catalog/apps/store.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { pageOfPlans } from '../../catalog/plans/list.ts'
import { PlanPageAnswer, PlansQuery, planPageToJson } from '../../catalog/plans/schema.ts'
import type { App } from '../../core/app.ts'
import { parsePage } from '../../core/page.ts'
import { type Principal, placeOfCaller } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { listPage } from '../../money/subscriptions/pages.ts'
import { pageToJson, SubscriptionPageJson } from '../../money/subscriptions/schema.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { PackagePath, SubscriptionsQuery, UserTokenAnswer } from './schema.ts'
import { terminalOf } from './terminal-of.ts'
import { tokenForApp, USER_TOKEN_SECONDS } from './token-for-app.ts'

/** Routes of the on-terminal service for one package: subscriptions, plans and a token for the signed-in user. */
export function packageRoutes(ports: Ports & TokenMemory): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/terminal/apps/:packageName',
      name: 'getAppAtTerminal',
      operation: 'terminal.read',
      summary: 'An app as a terminal shows it among others: its name, who makes it, its picture',
      params: PackagePath,
      answers: { 200: AppShownAnswer },
      rejections: ['APPLICATION_NOT_FOUND'],
      async handle({ params, db }) {
        const app = await appOf(db.sql, params)
        if (isRejection(app)) return app
        const organization = await findOrganization(db.sql, app.organizationId)
        const { baseUrl } = ports.settings
        return answer(200, appShownToJson(app, { developerName: organization?.name ?? '', baseUrl }))
      },
    }),
    route({
      method: 'GET',
      path: '/terminal/apps/:packageName/subscriptions',
      name: 'listSubscriptionsAtTerminal',
      operation: 'terminal.read',
      summary: 'The subscriptions of this merchant to an app, as this terminal sees them',
      params: PackagePath,
      query: SubscriptionsQuery,
      answers: { 200: SubscriptionPageJson },
      rejections: ['APPLICATION_NOT_FOUND'],
      async handle({ params, query, principal, db }) {
        const app = await appOf(db.sql, params)
        if (isRejection(app)) return app
        return await subscriptionsOf({ ...ports, db }, app, principal, query)
      },
    }),
    route({
      method: 'GET',
      path: '/terminal/apps/:packageName/plans',
      name: 'listPlansAtTerminal',
      operation: 'terminal.read',
      summary: 'The plans of an app, with the prices of this merchant',
      params: PackagePath,
      query: PlansQuery,
      answers: { 200: PlanPageAnswer },
      rejections: ['APPLICATION_NOT_FOUND'],
      async handle({ params, query, principal, db }) {
        const app = await appOf(db.sql, params)
        if (isRejection(app)) return app
        const page = parsePage(query)
        if (isRejection(page)) return page
        const status = query.status === undefined ? {} : { status: query.status }
        const plans = await pageOfPlans({ ...ports, db }, { appId: app.appId, page, ...status })
        const business = await findBusiness(db.sql, terminalOf(principal).businessId)
        return answer(200, planPageToJson(plans, business?.country))
      },
    }),
    route({
      method: 'POST',
      path: '/terminal/apps/:packageName/token',
      name: 'issueUserToken',
      operation: 'terminal.token',
      summary: 'A token for who is signed in, issued to an app; good for an hour',
      params: PackagePath,
      answers: { 201: UserTokenAnswer },
      sends: ['Pragma'],
      rejections: ['APPLICATION_NOT_FOUND', 'APPLICATION_DISABLED', 'INVALID_USER_SESSION', 'APPROVAL_REQUIRED'],
      // A lost answer costs nothing: each call issues a new token. A stored token might have expired or its user might be gone.
      idempotent: false,
      // The row of the grant is the record.
      audited: false,
      async handle({ params, principal, db }) {
        const app = await appOf(db.sql, params)
        if (isRejection(app)) return app
        const accessToken = await tokenForApp({ ...ports, db }, { terminal: terminalOf(principal), app })
        if (isRejection(accessToken)) return accessToken
        const answered = { accessToken, expiresIn: USER_TOKEN_SECONDS, scope: 'ALL', tokenType: 'BEARER' }
        return answer(201, answered, { 'cache-control': 'no-store', pragma: 'no-cache' })
      },
    }),
  ]
}

/** Finds the app of a package name. */
export async function appOf(sql: Sql, { packageName }: { readonly packageName: string }): Promise<App | Rejection> {
  const app = await findAppByPackageName(sql, packageName)
  return app ?? reject('APPLICATION_NOT_FOUND', 'There is no app with this package name.')
}

async function subscriptionsOf(
  ports: Pick<Ports, 'db'>,
  { appId }: App,
  principal: Principal,
  query: Static<typeof SubscriptionsQuery>,
) {
  const page = parsePage(query)
  if (isRejection(page)) return page
  const listed = await listPage(ports, {
    ...page,
    ...{ appId, status: query.status ?? 'ACTIVE', businessId: terminalOf(principal).businessId },
    seenFrom: placeOfCaller(principal),
    ...(query.after === undefined ? {} : { after: query.after }),
  })
  return isRejection(listed) ? listed : answer(200, pageToJson(listed))
}
