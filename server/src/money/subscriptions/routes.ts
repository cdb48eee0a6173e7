import { given } from '../../core/given.ts'
import { isSeenFrom } from '../../core/location.ts'
import { parsePage } from '../../core/page.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import { gather } from '../../platform/db/sql.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { findRecords, listPage } from './pages.ts'
import {
  AppParams,
  ListQuery,
  pageToJson,
  recordToJson,
  SubscriptionJson,
  SubscriptionPageJson,
  SubscriptionParams,
} from './schema.ts'

/** Routes that read subscriptions. The routes that change them are in billing/. */
export function subscriptionRoutes({ db }: Pick<Ports, 'db'>): AnyRoute[] {
  const findRecord = gather(ids => findRecords(db.sql, ids))
  return [
    route({
      method: 'GET',
      path: '/apps/:appId/subscriptions',
      name: 'listSubscriptions',
      operation: 'subscriptions.read',
      summary: 'List the subscriptions of an app: active ones of all merchants, unless filtered',
      params: AppParams,
      query: ListQuery,
      answers: { 200: SubscriptionPageJson },
      rejections: ['FORBIDDEN', 'BUSINESS_NOT_FOUND'],
      subject: ({ params, query, principal }) => subjectOf(params.appId, query.businessId ?? onlyBusiness(principal)),
      handle: async ({ params, query, principal }) => {
        const page = parsePage(query)
        if (isRejection(page)) return page
        const { storeId, deviceId, planId, after } = query
        const businessId = onlyBusiness(principal) ?? query.businessId?.toLowerCase()
        const listed = await listPage(
          { db },
          {
            ...page,
            appId: uuidOfUrn(params.appId),
            status: query.status ?? 'ACTIVE',
            seenFrom: locationOfCaller(principal),
            ...given({ businessId, storeId, deviceId: deviceId && uuidOfUrn(deviceId), planId, after }),
          },
        )
        return isRejection(listed) ? listed : answer(200, pageToJson(listed))
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:appId/subscriptions/:subscriptionId',
      name: 'getSubscription',
      operation: 'subscriptions.read',
      summary: 'Get a subscription. Every billing event links here',
      params: SubscriptionParams,
      answers: { 200: SubscriptionJson },
      rejections: ['SUBSCRIPTION_NOT_FOUND'],
      subject: ({ params, principal }) => subjectOf(params.appId, onlyBusiness(principal)),
      handle: async ({ params, principal }) => {
        const subscription = await findRecord(params.subscriptionId.toLowerCase())
        const businessId = onlyBusiness(principal)
        const foreign =
          subscription?.appId !== uuidOfUrn(params.appId) ||
          (businessId !== undefined && subscription.businessId !== businessId) ||
          !isSeenFrom(locationOfCaller(principal), subscription)
        if (subscription === undefined || foreign) {
          return reject('SUBSCRIPTION_NOT_FOUND', 'The app has no subscription with this id.')
        }
        return answer(200, recordToJson(subscription))
      },
    }),
  ]
}

function subjectOf(appUrn: string, businessId: string | undefined): Subject {
  return { appId: uuidOfUrn(appUrn), ...(businessId === undefined ? {} : { businessId: businessId.toLowerCase() }) }
}

/** The business that the caller is bound to, if any. */
function onlyBusiness(principal: Principal): string | undefined {
  return 'businessId' in principal ? principal.businessId : undefined
}
