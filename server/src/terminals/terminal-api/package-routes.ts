import type { Static } from 'typebox'
import type { TokenMemory } from '../../access/tokens/token-memory.ts'
import { AppShownAnswer, appShownToJson } from '../../catalog/apps/schema.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { type PlanPage, pageOfPlans } from '../../catalog/plans/list.ts'
import { PlanPageAnswer, PlansQuery, planPageToJson } from '../../catalog/plans/schema.ts'
import { findApprovedApks } from '../../catalog/releases/store.ts'
import type { App } from '../../core/app.ts'
import { parsePage } from '../../core/page.ts'
import { priceIn } from '../../core/plan.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { listPage } from '../../money/subscriptions/pages.ts'
import { pageToJson, SubscriptionPageJson } from '../../money/subscriptions/schema.ts'
import { type AnyRoute, answer, NOT_KEPT, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { appOf, installedAppOf, terminalOf } from '../installed-apps/install.ts'
import { PackagePath } from '../installed-apps/schema.ts'
import { SignedSubscriptionsAnswer, SubscriptionsQuery, UserTokenAnswer } from './schema.ts'
import { signSubscriptions } from './sign-subscriptions.ts'
import { tokenForApp, USER_TOKEN_SECONDS } from './token-for-app.ts'

/** The size of a page of results. */
const MAX_SIGNED = 1_000

/** Routes of the on-terminal service for one package: subscriptions, plans and a token for the signed-in user. */
export function packageRoutes(ports: Ports & TokenMemory): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/terminal/apps/:packageName',
      name: 'getAppAtTerminal',
      operation: 'terminal.read',
      summary: 'Get the name, developer and icon of an app for a terminal',
      params: PackagePath,
      answers: { 200: AppShownAnswer },
      rejections: ['APPLICATION_NOT_FOUND'],
      async handle({ params, db }) {
        const app = await appOf(db.sql, params.packageName)
        if (isRejection(app)) return app
        const organization = await findOrganization(db.sql, app.organizationId)
        const { baseUrl } = ports.settings
        const shown = appShownToJson(app, { developerName: organization?.name ?? '', baseUrl })
        const [approvedApk] = await findApprovedApks(db.sql, app.appId)
        return answer(200, { ...shown, ...(approvedApk && { approvedApk }) })
      },
    }),
    route({
      method: 'GET',
      path: '/terminal/apps/:packageName/subscriptions',
      name: 'listSubscriptionsAtTerminal',
      operation: 'terminal.read',
      summary: "List the merchant's subscriptions to an app for this terminal",
      params: PackagePath,
      query: SubscriptionsQuery,
      answers: { 200: SubscriptionPageJson },
      rejections: ['APPLICATION_NOT_FOUND', 'APPLICATION_NOT_INSTALLED', 'PERMISSIONS_NOT_APPROVED'],
      async handle({ params, query, principal, db }) {
        const app = await installedAppOf(db.sql, principal, params.packageName)
        if (isRejection(app)) return app
        return await subscriptionsOf({ ...ports, db }, app, principal, query)
      },
    }),
    route({
      method: 'GET',
      path: '/terminal/apps/:packageName/subscriptions/signed',
      name: 'signSubscriptionsAtTerminal',
      operation: 'terminal.read',
      summary: "Get a signed list of the merchant's active subscriptions to an app, for use without a connection",
      params: PackagePath,
      answers: { 200: SignedSubscriptionsAnswer },
      rejections: ['APPLICATION_NOT_FOUND', 'APPLICATION_NOT_INSTALLED', 'PERMISSIONS_NOT_APPROVED'],
      async handle({ params, principal, db }) {
        const app = await installedAppOf(db.sql, principal, params.packageName)
        if (isRejection(app)) return app
        const listed = await subscriptionsOf({ ...ports, db }, app, principal, { count: String(MAX_SIGNED) })
        if (isRejection(listed)) return listed
        const { deviceId } = terminalOf(principal)
        return answer(200, await signSubscriptions(ports, { deviceId, app, subscriptions: listed.body }))
      },
    }),
    route({
      method: 'GET',
      path: '/terminal/apps/:packageName/plans',
      name: 'listPlansAtTerminal',
      operation: 'terminal.read',
      summary: "List the plans of an app with the merchant's prices",
      params: PackagePath,
      query: PlansQuery,
      answers: { 200: PlanPageAnswer },
      rejections: ['APPLICATION_NOT_FOUND', 'APPLICATION_NOT_INSTALLED', 'PERMISSIONS_NOT_APPROVED'],
      async handle({ params, query, principal, db }) {
        const app = await installedAppOf(db.sql, principal, params.packageName)
        if (isRejection(app)) return app
        const page = parsePage(query)
        if (isRejection(page)) return page
        const status = query.status === undefined ? {} : { status: query.status }
        const plans = await pageOfPlans({ ...ports, db }, { appId: app.appId, page, ...status })
        const business = await findBusiness(db.sql, terminalOf(principal).businessId)
        return answer(200, planPageToJson(pricedIn(plans, business?.country), business?.country))
      },
    }),
    route({
      method: 'POST',
      path: '/terminal/apps/:packageName/token',
      name: 'issueUserToken',
      operation: 'terminal.token',
      summary: 'Issue an access token to an app for the signed-in user, valid for an hour',
      params: PackagePath,
      answers: { 201: UserTokenAnswer },
      sends: ['Pragma'],
      rejections: [
        ...(['APPLICATION_NOT_FOUND', 'APPLICATION_NOT_INSTALLED', 'PERMISSIONS_NOT_APPROVED'] as const),
        ...(['APPLICATION_DISABLED', 'INVALID_USER_SESSION', 'APPROVAL_REQUIRED'] as const),
      ],
      // A lost answer costs nothing: each call issues a new token. A stored token might have expired or its user might be gone.
      idempotent: false,
      // No audit entry: the row of the grant records the token.
      audited: false,
      async handle({ params, principal, db }) {
        const app = await installedAppOf(db.sql, principal, params.packageName)
        if (isRejection(app)) return app
        const accessToken = await tokenForApp({ ...ports, db }, { terminal: terminalOf(principal), app })
        if (isRejection(accessToken)) return accessToken
        const answered = { accessToken, expiresIn: USER_TOKEN_SECONDS, scope: 'ALL', tokenType: 'BEARER' }
        return answer(201, answered, NOT_KEPT)
      },
    }),
  ]
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
    seenFrom: locationOfCaller(principal),
    ...(query.after === undefined ? {} : { after: query.after }),
  })
  return isRejection(listed) ? listed : answer(200, pageToJson(listed))
}

/**
 * Interface, Plan: a listing has a single Amount, whose value is `amount`. With the prices of other countries beside it, an app could not
 * tell 5 dollars from 5 euros. A plan without a price in the country keeps its list.
 */
function pricedIn(page: PlanPage, country = ''): PlanPage {
  const plans = page.plans.map(plan => {
    const price = priceIn(plan, country)
    return price === null ? plan : { ...plan, amounts: [price] }
  })
  return { ...page, plans }
}
